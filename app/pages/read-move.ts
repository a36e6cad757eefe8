import { ADDRESS_FIELDS } from "../domain/address/address.ts";
import type { AddressAttributes } from "../domain/address/address.ts";
import { shopifyLines, templateLines } from "../domain/address/lines.ts";
import { addressText } from "../domain/address/text.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { legacyIdOf } from "../domain/location-id.ts";
import { moveNews } from "../domain/plan/move-news.ts";
import { skipReason } from "../domain/plan/skip-reason.ts";
import { NO_ADDRESS } from "../domain/address/address.ts";
import type { ConnectionRecord, MoveRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import type { OriginRecords } from "../readings/read-origin-facts.ts";
import { readOriginFacts } from "../readings/read-origin-facts.ts";
import type { MoveView } from "../views/origin.ts";
import { standingsOf } from "./read-address-book.ts";

/** Where a location moves, when, and what carriers say of it. Null when the shop has no such location. */
export async function readMove(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<MoveView | null> {
  const known = await readOriginFacts(services, { shop, locationId });
  const origin = known?.origins[0];
  if (!known || !origin) return null;
  const { location, details, move, composed, link } = origin;
  const { held = null } = details ?? {};
  const values = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, composed.fields[field].value]));
  const isOpen = closedReason(known.connection) === null;
  const isServed = details?.confirmedAtMs != null && skipReason(origin) === null;
  return {
    legacyId: legacyIdOf(locationId),
    name: location.name,
    news: moveNews({ ...origin, timeZone: known.shop.timeZone }),
    isTest: known.connection?.environment === "test",
    canPlan: isOpen && isServed && link !== null,
    now: templateLines(values as AddressAttributes),
    coming: move?.state === "coming" ? await comingOf(services, { origin, move, connection: known.connection }) : null,
    held: held && {
      why: held.why,
      isElsewhere: held.against !== addressText(location.address),
      shopifyLines: shopifyLines(location.address),
      revision: details!.revision,
      readFrom: addressText(location.address),
    },
  };
}

async function comingOf(
  { store }: Services,
  { origin, move, connection }: { origin: OriginRecords; move: MoveRecord; connection: ConnectionRecord | null },
): Promise<MoveView["coming"]> {
  const { shop, connectionId, templateId, hour, keepFormer, asks, refusal } = move;
  const row = templateId === null ? null : await store.templates.find({ shop, connectionId, templateId });
  const verifications = templateId === null ? [] : await store.verifications.list({ shop, connectionId, templateId });
  const over = connectionId === connection?.id ? connection : null;
  return {
    templateId,
    lines: templateLines(row?.template.address ?? { ...NO_ADDRESS, ...move.place }),
    hour,
    keepFormer,
    asks,
    refusal,
    isPressed: move.press !== null,
    canPass: closedReason(over) === null,
    standings: row ? standingsOf(row, { ...origin, verifications, connection: over }) : [],
  };
}
