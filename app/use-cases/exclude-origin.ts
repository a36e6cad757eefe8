import type { Services } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "./record-activity.ts";

/** No label leaves from here: the location is nobody's origin until it is included by hand. */
export async function excludeOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<"excluded" | "not_found"> {
  return services.store.transaction(async (tables) => {
    const location = await tables.locations.find({ shop, locationId });
    if (!location) return "not_found";
    const nowMs = services.clock.nowMs();
    const { revision } = await ensureDetails(tables, { shop, locationId, nowMs });
    await tables.details.update(
      { shop, locationId },
      { inclusion: "never", revision: revision + 1, updatedAtMs: nowMs },
    );
    await recordActivity(services, tables, {
      shop,
      actor: "owner",
      kind: "excluded",
      outcome: "done",
      locationId,
      locationName: location.name,
    });
    return "excluded";
  });
}
