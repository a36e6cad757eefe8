import type { Services } from "../ports.ts";
import { changeDetails } from "./change-details.ts";
import type { DraftEnding } from "./save-template.ts";
import { runDraft } from "./save-template.ts";

/**
 * Deletes a template of the account by hand, for good. A location it stands for stops being an origin first, so that no run makes
 * another. Pressed twice with one `draftId` it is one deletion; a template of another account is not found.
 */
export async function removeTemplate(
  services: Services,
  { shop, draftId, templateId }: { shop: string; draftId: string; templateId: string },
): Promise<DraftEnding | { kind: "not_found" }> {
  const draft = await services.store.drafts.find({ id: draftId, shop });
  const known = draft ?? (await takeFromLocation(services, { shop, templateId }));
  if (!known) return { kind: "not_found" };
  return runDraft(services, { shop, draftId, operation: "delete", templateId, draft: null, base: null });
}

function takeFromLocation(
  services: Services,
  { shop, templateId }: { shop: string; templateId: string },
): Promise<boolean> {
  return services.store.transaction(async (tables) => {
    const connection = await tables.connections.find({ shop, current: true });
    const key = connection && { shop, connectionId: connection.id, templateId };
    if (!key || !(await tables.templates.find(key))) return false;
    const link = await tables.links.find(key);
    const one = link && { shop, locationId: link.locationId };
    const location = one && (await tables.locations.find(one));
    if (!location || (await tables.details.find(one))?.inclusion === "never") return true;
    const patch = { inclusion: "never" } as const;
    await changeDetails(services, tables, { location, patch, kind: "deletion_asked", outcome: "noted", templateId });
    return true;
  });
}
