import type { Services } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { raiseTarget } from "./raise-target.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * Pauses or resumes origins; those of another shop, and those that are so already, are passed over. Says how many changed.
 * What changed meanwhile is caught up on resuming.
 */
export async function pauseOrigin(
  services: Services,
  { shop, locationIds, paused }: { shop: string; locationIds: string[]; paused: boolean },
): Promise<number> {
  const changed = await services.store.transaction(async (tables) => {
    const locations = await tables.locations.list({ shop, locationId: { in: locationIds } });
    const nowMs = services.clock.nowMs();
    let count = 0;
    for (const { locationId, name } of locations) {
      const details = await ensureDetails(tables, { shop, locationId, nowMs });
      if (details.paused === paused) continue;
      await tables.details.update({ shop, locationId }, { paused, revision: details.revision + 1, updatedAtMs: nowMs });
      await raiseTarget(services, tables, { shop, kind: "location", key: locationId });
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: paused ? "paused" : "resumed",
        outcome: "done",
        locationId,
        locationName: name,
      });
      count += 1;
    }
    return count;
  });
  if (changed > 0) services.wake();
  return changed;
}
