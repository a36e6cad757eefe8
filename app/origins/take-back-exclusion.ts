import { exclusionOf } from "../domain/origin-state.ts";
import type { Services } from "../ports.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";
import { changeDetails } from "./change-details.ts";
import { changeOrigin } from "./change-origin.ts";

/**
 * Takes back that a location was left out: it is what the shop's policy says of it again, or was made an origin by hand where the policy says
 * no. Changes nothing where it is not left out any more.
 */
export function takeBackExclusion(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  return changeOrigin<never>(services, {
    shop,
    locationId,
    change: async (tables, location) => {
      const details = await tables.details.find({ shop, locationId });
      if (details?.inclusion !== "never") return null;
      const record = await tables.shops.find({ shop });
      const isByPolicy =
        record &&
        exclusionOf({ location, details: { ...details, inclusion: "policy" }, policies: record.policies }) === null;
      const patch = { inclusion: isByPolicy ? ("policy" as const) : ("always" as const) };
      await changeDetails(services, tables, { location, patch, kind: "included" });
      return null;
    },
  });
}
