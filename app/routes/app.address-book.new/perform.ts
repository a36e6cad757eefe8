import type { TemplateAnswer, TemplateIntent } from "../../components/address-book/template-intent.ts";
import { draftIdOf } from "../../by-hand/draft-id.ts";
import { saveTemplate } from "../../by-hand/save-template.ts";
import type { Services } from "../../ports.ts";

/** Creates a template; null when the shop has no account to create it in. */
export async function perform(
  services: Services,
  { shop, asked }: { shop: string; asked: Extract<TemplateIntent, { intent: "save" }> },
): Promise<TemplateAnswer | null> {
  const { draft } = asked;
  const draftId = await draftIdOf(services, { shop, draftId: asked.draftId });
  const outcome = await saveTemplate(services, { shop, draftId, templateId: null, draft, base: null });
  return outcome.kind === "not_found" ? null : { intent: "save", outcome, nextDraftId: services.random.id() };
}
