import type { Services } from "../ports.ts";
import { changeDetails } from "./change-details.ts";
import { changeOrigin } from "./change-origin.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";

/** None of the account's templates is this location: make another, whatever looks alike. */
export function createAnyway(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<Changed | NotFound> {
  return changeOrigin<never>(services, {
    shop,
    locationId,
    change: async (tables, location) => {
      await changeDetails(services, tables, { location, patch: { adoption: "create" }, kind: "create_chosen" });
      return null;
    },
  });
}
