import type { Services } from "../ports.ts";
import { ensureDetails } from "./ensure-details.ts";
import { recordActivity } from "./record-activity.ts";
import type { RunProgress } from "./run-now.ts";
import { runNow } from "./run-now.ts";
import { submitDraft } from "./submit-draft.ts";

/**
 * Deletes an origin's template from the account for good. The location stops being an origin first, so that no run makes
 * another. Pressed twice with one `draftId` it is one deletion.
 */
export async function deleteOriginTemplate(
  services: Services,
  { shop, locationId, draftId }: { shop: string; locationId: string; draftId: string },
): Promise<{ kind: "done"; progress: RunProgress } | { kind: "not_found" }> {
  const templateId = await services.store.transaction(async (tables) => {
    const location = await tables.locations.find({ shop, locationId });
    const connection = await tables.connections.find({ shop, current: true });
    const link = connection && (await tables.links.find({ shop, connectionId: connection.id, locationId }));
    if (!location || !link) return null;
    const nowMs = services.clock.nowMs();
    const details = await ensureDetails(tables, { shop, locationId, nowMs });
    const revision = details.revision + 1;
    await tables.details.update({ shop, locationId }, { inclusion: "never", revision, updatedAtMs: nowMs });
    await recordActivity(services, tables, {
      shop,
      actor: "owner",
      kind: "deletion_asked",
      outcome: "noted",
      locationId,
      locationName: location.name,
      templateId: link.templateId,
    });
    return link.templateId;
  });
  if (templateId === null) return { kind: "not_found" };
  const raised = await submitDraft(services, { shop, draftId, operation: "delete", templateId, draft: null, base: null });
  return { kind: "done", progress: await runNow(services, { shop, ...raised }) };
}
