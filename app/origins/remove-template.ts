import type { Services, Tables } from "../ports.ts";
import { changeDetails } from "./change-details.ts";
import type { DraftEnding } from "../by-hand/save-template.ts";
import { isKnown, runDraft } from "../by-hand/save-template.ts";

/**
 * Deletes a template of the account by hand, for good. A location it stands for stops being an origin first, so that no run makes
 * another. Pressed twice with one `draftId` it is one deletion; a template of another account is not found.
 */
export async function removeTemplate(
  services: Services,
  { shop, draftId, templateId }: { shop: string; draftId: string; templateId: string },
): Promise<DraftEnding | { kind: "not_found" }> {
  const { store } = services;
  const draft = await store.drafts.find({ id: draftId, shop });
  // Asked again how it came out, its template may be gone; but of that deletion, not of another one's.
  const known = draft ? draft.templateId === templateId : await isKnown(services, { shop, templateId });
  if (!known) return { kind: "not_found" };
  const deletion = { shop, draftId, operation: "delete", templateId, draft: null, base: null } as const;
  return runDraft(services, {
    ...deletion,
    also: (tables) => takeFromLocation(services, tables, { shop, templateId }),
  });
}

async function takeFromLocation(
  services: Services,
  tables: Tables,
  { shop, templateId }: { shop: string; templateId: string },
): Promise<void> {
  const connection = await tables.connections.find({ shop, current: true });
  const link = connection && (await tables.links.find({ shop, connectionId: connection.id, templateId }));
  const one = link && { shop, locationId: link.locationId };
  const location = one && (await tables.locations.find(one));
  if (!location || (await tables.details.find(one))?.inclusion === "never") return;
  const patch = { inclusion: "never" } as const;
  await changeDetails(services, tables, { location, patch, kind: "deletion_asked", outcome: "noted", templateId });
}
