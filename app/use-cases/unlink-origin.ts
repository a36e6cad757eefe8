import type { Services } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "./record-activity.ts";

/**
 * Takes the template off a location and keeps it in the account, as nobody's. The location stops being an origin, so that no
 * run makes it another. The service is not called.
 */
export async function unlinkOrigin(
  services: Services,
  { shop, locationId }: { shop: string; locationId: string },
): Promise<"unlinked" | "not_found"> {
  return services.store.transaction(async (tables) => {
    const location = await tables.locations.find({ shop, locationId });
    const connection = await tables.connections.find({ shop, current: true });
    const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
    if (!location || !link) return "not_found";
    const nowMs = services.clock.nowMs();
    const details = await ensureDetails(tables, { shop, locationId, nowMs });
    await tables.links.delete({ id: link.id });
    const revision = details.revision + 1;
    await tables.details.update({ shop, locationId }, { inclusion: "never", revision, updatedAtMs: nowMs });
    await recordActivity(services, tables, {
      shop,
      actor: "owner",
      kind: "unlinked",
      outcome: "done",
      locationId,
      locationName: location.name,
      templateId: link.templateId,
    });
    return "unlinked";
  });
}
