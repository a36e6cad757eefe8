import type { Services } from "../ports.ts";
import { saveTemplate } from "../by-hand/save-template.ts";
import type { SaveTemplateOutcome } from "../by-hand/save-template.ts";

type Change = Parameters<typeof saveTemplate>[1] & { templateId: string };

/**
 * Changes a template of the account by hand, unless it stands for one of the shop's locations: that one's words are its details, and a change
 * beside them would come back to its owner as somebody else's. A change that was taken before is asked for its end as always.
 */
export async function changeByHand(
  services: Services,
  change: Change,
): Promise<SaveTemplateOutcome | { kind: "linked" } | { kind: "not_found" }> {
  const { shop, draftId, templateId } = change;
  const { store } = services;
  const connection = await store.connections.find({ shop, current: true });
  const link = connection && (await store.links.find({ shop, connectionId: connection.id, templateId }));
  const location = link && (await store.locations.find({ shop, locationId: link.locationId }));
  if (location && (await store.drafts.count({ shop, id: draftId })) === 0) return { kind: "linked" };
  return saveTemplate(services, change);
}
