import { canInclude, exclusionOf } from "../domain/origin-state.ts";
import type { Services } from "../ports.ts";
import { changeDetails } from "./change-details.ts";
import { changeOrigin } from "./change-origin.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

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
      const details = await tables.details.find({ shop, locationId });
      const reason = record && exclusionOf({ location, details, policies: record.policies });
      if (reason && !canInclude(reason)) return { kind: "impossible" } as const;
      await changeDetails(services, tables, { location, patch: { inclusion: "always" }, kind: "included" });
      return null;
    },
  });
}
