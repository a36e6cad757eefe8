import { canInclude, exclusionOf } from "../domain/origin-state.ts";
import type { Services } from "../ports.ts";
import type { Changed, NotFound } from "./change-origin.ts";
import { changeOrigin } from "./change-origin.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "./record-activity.ts";

/** Makes a location an origin by hand, whatever the shop's policy says; `impossible` when Shopify itself took it away. */
export function includeOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound | { kind: "impossible" }> {
  return changeOrigin(services, {
    shop,
    locationId,
    change: async (tables, location) => {
      const record = await tables.shops.find({ shop });
      const nowMs = services.clock.nowMs();
      const details = await ensureDetails(tables, { shop, locationId, nowMs });
      const reason = record && exclusionOf({ location, details, policies: record.policies });
      if (reason && !canInclude(reason)) return { kind: "impossible" } as const;
      const revision = details.revision + 1;
      await tables.details.update({ shop, locationId }, { inclusion: "always", revision, updatedAtMs: nowMs });
      await recordActivity(services, tables, {
        shop,
        actor: "owner",
        kind: "included",
        outcome: "done",
        locationId,
        locationName: location.name,
      });
      return null;
    },
  });
}
