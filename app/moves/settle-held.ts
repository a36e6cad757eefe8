import { addressText } from "../domain/address/text.ts";
import { SHOPIFYS_HOLDS } from "../domain/address/place.ts";
import type { Services } from "../ports.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { requestWork } from "../runs/request-work.ts";
import { runNow } from "../runs/run-now.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** Which address holds of a location that has moved, where Shopify shows another one. */
export interface HeldChoice {
  shop: string;
  locationId: string;
  keep: "held" | "shopify";
  /** The details' revision and Shopify's text as they were shown: the owner chose between these. */
  revision: number;
  readFrom: string;
}

/** The owner chose. Kept, the held place stands for what Shopify shows now; else Shopify's address holds, with nothing of another beside it. */
export async function settleHeld(
  services: Services,
  { shop, locationId, keep, revision, readFrom }: HeldChoice,
): Promise<Changed | NotFound | { kind: "changed_since" }> {
  const own = { shop, locationId };
  const requested = await services.store.transaction(shop, async (tables) => {
    const location = await tables.locations.find(own);
    const details = await tables.details.find(own);
    if (!location || !details) return { kind: "not_found" } as const;
    const { held } = details;
    const isSeen = details.revision === revision && addressText(location.address) === readFrom;
    if (!held || !isSeen) return { kind: "changed_since" } as const;
    const after = keep === "held" ? { held: { ...held, against: readFrom } } : SHOPIFYS_HOLDS;
    await tables.details.update(own, { ...after, revision: revision + 1 });
    const kind = keep === "held" ? "move_kept" : "move_shopifys";
    await recordActivity(services, tables, {
      ...own,
      actor: "owner",
      kind,
      outcome: "done",
      locationName: location.name,
    });
    return requestWork(services, tables, { shop, kind: "location", key: locationId });
  });
  if ("kind" in requested) return requested;
  return { kind: "done", progress: await runNow(services, { shop, ...requested }) };
}
