import { heldAfter } from "../domain/address/held.ts";
import type { HeldNews } from "../domain/address/held.ts";
import type { PlaceValues, ShopifyAddress } from "../domain/address/address.ts";
import { placeIn } from "../domain/address/place.ts";
import type { ActivityRecord, LocationRecord, MoveRecord } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";

const TOLD: Record<HeldNews, Pick<ActivityRecord, "kind" | "outcome">> = {
  early: { kind: "move_early", outcome: "noted" },
  shown: { kind: "move_shown", outcome: "noted" },
  elsewhere: { kind: "move_elsewhere", outcome: "waiting" },
};

/**
 * Shopify tells another address of a location, in the transaction that keeps it. Where the location moves, or has moved, nothing of that
 * puts the other place there: what holds is kept with its details.
 */
export async function holdPlace(
  services: Pick<Services, "clock" | "random">,
  tables: Pick<Tables, "activity" | "connections" | "details" | "moves" | "shops" | "templates">,
  { before, address }: { before: LocationRecord; address: ShopifyAddress },
): Promise<void> {
  const { shop, locationId, name } = before;
  const own = { shop, locationId };
  const details = await tables.details.find(own);
  const move = await tables.moves.find({ ...own, state: "coming" });
  const record = details && (details.held || move) ? await tables.shops.find({ shop }) : null;
  if (!details || !record) return;
  const coming = move && (await comingPlace(tables, move));
  const then = heldAfter({ before, after: address, details, defaults: record.contact, coming });
  if (!then) return;
  const { news, held, split } = then;
  if (news !== "elsewhere") await tables.details.update(own, { held, split, revision: details.revision + 1 });
  if (news) await recordActivity(services, tables, { ...own, actor: "shopify", locationName: name, ...TOLD[news] });
}

/** The coming place as it stands in the account, where it was made already. */
async function comingPlace(
  tables: Pick<Tables, "templates">,
  { shop, connectionId, templateId, place }: MoveRecord,
): Promise<PlaceValues> {
  const row = templateId === null ? null : await tables.templates.find({ shop, connectionId, templateId });
  return row ? placeIn(row.template.address) : place;
}
