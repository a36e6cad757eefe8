import type { Services } from "../ports.ts";
import { changeDetails } from "./change-details.ts";

/** No label leaves from here: the location is nobody's origin until it is included by hand. */
export async function excludeOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<"excluded" | "not_found"> {
  return services.store.transaction(shop, async (tables) => {
    const location = await tables.locations.find({ shop, locationId });
    if (!location) return "not_found";
    await changeDetails(services, tables, { location, patch: { inclusion: "never" }, kind: "excluded" });
    return "excluded";
  });
}
