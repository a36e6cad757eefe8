import type { Services } from "../ports.ts";
import type { Changed, NotFound } from "./change-origin.ts";
import { changeOrigin } from "./change-origin.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "./record-activity.ts";

/** None of the account's templates is this location: make another, whatever looks alike. */
export function createAnyway(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  return changeOrigin<never>(services, {
    shop,
    locationId,
    change: async (tables, { name }) => {
      const nowMs = services.clock.nowMs();
      const { revision } = await ensureDetails(tables, { shop, locationId, nowMs });
      await tables.details.update(
        { shop, locationId },
        { adoption: "create", revision: revision + 1, updatedAtMs: nowMs },
      );
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: "create_chosen",
        outcome: "done",
        locationId,
        locationName: name,
      });
      return null;
    },
  });
}
