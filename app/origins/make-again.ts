import type { Services } from "../ports.ts";
import { changeOrigin } from "./change-origin.ts";
import { recordActivity } from "../activity/record-activity.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** Somebody deleted the template in the service: forget it and let the run make another. `not_missing` when it is there. */
export function makeAgain(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound | { kind: "not_missing" }> {
  return changeOrigin(services, {
    shop,
    locationId,
    change: async (tables, location) => {
      const connection = await tables.connections.find({ shop, current: true });
      const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
      if (!link || link.missingSinceMs === null) return { kind: "not_missing" } as const;
      await tables.links.delete({ id: link.id });
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: "made_again",
        outcome: "done",
        locationId,
        locationName: location.name,
        templateId: link.templateId,
      });
      return null;
    },
  });
}
