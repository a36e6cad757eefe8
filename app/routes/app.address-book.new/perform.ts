import type { TemplateAnswer, TemplateIntent } from "../../components/address-book/template-intent.ts";
import { saveTemplate } from "../../by-hand/save-template.ts";
import type { Services } from "../../ports.ts";

/** Creates a template; null when the shop has no account to create it in. */
export async function perform(
  services: Services,
  { shop, asked }: { shop: string; asked: Extract<TemplateIntent, { intent: "save" }> },
): Promise<TemplateAnswer | null> {
  const { draftId, draft } = asked;
  const outcome = await saveTemplate(services, { shop, draftId, templateId: null, draft, base: null });
  return outcome.kind === "not_found" ? null : { intent: "save", outcome, nextDraftId: services.random.id() };
}
