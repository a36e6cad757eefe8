import type { Services } from "../ports.ts";
import { recordActivity } from "./record-activity.ts";
import { removeTemplate } from "./remove-template.ts";
import type { DraftEnding } from "./save-template.ts";

/** Deletes an origin's template from the account for good; the location stops being an origin. Not found without one. */
export async function deleteOriginTemplate(
  services: Services,
  { shop, locationId, draftId }: { shop: string; locationId: string; draftId: string },
): Promise<DraftEnding | { kind: "not_found" }> {
  const { store } = services;
  const location = await store.locations.find({ shop, locationId });
  const connection = await store.connections.find({ shop, current: true });
  const link = connection && (await store.links.find({ shop, connectionId: connection.id, locationId }));
  if (!location || !link) return { kind: "not_found" };
  const { templateId } = link;
  await recordActivity(services, store, {
    shop,
    actor: "owner",
    kind: "deletion_asked",
    outcome: "noted",
    locationId,
    locationName: location.name,
    templateId,
  });
  return removeTemplate(services, { shop, draftId, templateId });
}
