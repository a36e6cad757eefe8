import type { Services } from "../ports.ts";
import { changeDetails } from "./change-details.ts";

/**
 * Takes the template off a location and keeps it in the account, as nobody's. The location stops being an origin, so that no
 * run makes it another. The service is not called.
 */
export async function unlinkOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<"unlinked" | "not_found"> {
  return services.store.transaction(shop, async (tables) => {
    const location = await tables.locations.find({ shop, locationId });
    const connection = await tables.connections.find({ shop, current: true });
    const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
    if (!location || !link) return "not_found";
    await tables.links.delete({ id: link.id });
    const { templateId } = link;
    await changeDetails(services, tables, { location, patch: { inclusion: "never" }, kind: "unlinked", templateId });
    return "unlinked";
  });
}
