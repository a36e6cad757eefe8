import type { Services } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { refreshOrigin } from "./refresh-origin.ts";
import { recordActivity } from "./record-activity.ts";
import type { Changed, NotFound } from "./run-now.ts";

/** How long the look at the template may hold up the answer, in milliseconds; the run has its own wait after it. */
const LOOK_WITHIN_MS = 1_500;

/** "Sync now": reads the template and the location anew, whatever is known. */
export async function syncOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  await refreshOrigin(services, { shop, locationId, force: true, withinMs: LOOK_WITHIN_MS });
  return changeOrigin<never>(services, {
    shop,
    locationId,
    waitMs: services.settings.interactiveWaitMs - LOOK_WITHIN_MS,
    change: async (tables, { name }) => {
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: "sync_asked",
        outcome: "noted",
        locationId,
        locationName: name,
      });
      return null;
    },
  });
}
