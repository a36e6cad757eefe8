import type { Services } from "../ports.ts";
import type { Changed, NotFound } from "./change-origin.ts";
import { changeOrigin } from "./change-origin.ts";
import { recordActivity } from "./record-activity.ts";

/** "Sync now": reads the location and its template anew, whatever is known. */
export function syncOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  return changeOrigin<never>(services, {
    shop,
    locationId,
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
