import type { Services } from "../ports.ts";
import { removeTemplate } from "./remove-template.ts";
import type { DraftEnding } from "../by-hand/save-template.ts";

/**
 * Deletes an origin's template from the account for good; the location stops being an origin. Not found without one; pressed again
 * with one `draftId`, also when the template is gone, it tells how the one deletion ended.
 */
export async function deleteOriginTemplate(
  services: Services,
  { shop, locationId, draftId }: { shop: string; locationId: string; draftId: string },
): Promise<DraftEnding | { kind: "not_found" }> {
  const { store } = services;
  if (!(await store.locations.find({ shop, locationId }))) return { kind: "not_found" };
  const draft = await store.drafts.find({ id: draftId, shop });
  const connection = await store.connections.find({ shop, current: true });
  const link = connection && (await store.links.find({ shop, connectionId: connection.id, locationId }));
  // The location may have another template by now.
  const templateId = draft?.templateId ?? link?.templateId;
  return templateId ? removeTemplate(services, { shop, draftId, templateId }) : { kind: "not_found" };
}
