import type { Services } from "../ports.ts";
import { changeDetails } from "./change-details.ts";
import { requestWork } from "../runs/request-work.ts";

/**
 * Pauses or resumes origins; those of another shop, and those that are so already, are passed over. Says how many changed.
 * What changed meanwhile is caught up on resuming.
 */
export async function pauseOrigin(
  services: Services,
  { shop, locationIds, paused }: { shop: string; locationIds: string[]; paused: boolean },
): Promise<number> {
  const changed = await services.store.transaction(shop, async (tables) => {
    const locations = await tables.locations.list({ shop, locationId: { in: locationIds } });
    let count = 0;
    for (const location of locations) {
      const { locationId } = location;
      const details = await tables.details.find({ shop, locationId });
      if ((details?.paused ?? false) === paused) continue;
      await changeDetails(services, tables, { location, patch: { paused }, kind: paused ? "paused" : "resumed" });
      await requestWork(services, tables, { shop, kind: "location", key: locationId });
      count += 1;
    }
    return count;
  });
  if (changed > 0) services.wake();
  return changed;
}
