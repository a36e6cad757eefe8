import type { TemplateAnswer, TemplateIntent } from "../../components/address-book/template-intent.ts";
import type { Services } from "../../ports.ts";
import { refreshTemplate } from "../../origins/refresh-origin.ts";
import { removeTemplate } from "../../origins/remove-template.ts";
import { draftIdOf } from "../../by-hand/draft-id.ts";
import { isKnown } from "../../by-hand/save-template.ts";
import { changeByHand } from "../../origins/change-by-hand.ts";
import { verifyTemplate } from "../../verification/verify-template.ts";

/** The commands of a template's page, one call each; null when the shop's account has no such template. */
export async function perform(
  services: Services,
  { shop, templateId, asked }: { shop: string; templateId: string; asked: TemplateIntent },
): Promise<TemplateAnswer | null> {
  const one = { shop, templateId };
  const nextDraftId = services.random.id();
  switch (asked.intent) {
    case "save": {
      const { draft, base } = asked;
      const draftId = await draftIdOf(services, { shop, draftId: asked.draftId });
      const outcome = await changeByHand(services, { ...one, draftId, draft, base });
      return outcome.kind === "not_found" ? null : { intent: "save", outcome, nextDraftId };
    }
    case "delete": {
      const draftId = await draftIdOf(services, { shop, draftId: asked.draftId });
      const outcome = await removeTemplate(services, { ...one, draftId });
      return outcome.kind === "not_found" ? null : { intent: "delete", outcome, nextDraftId };
    }
    case "verify": {
      const outcome = await verifyTemplate(services, { ...one, carriers: asked.carriers });
      if (outcome.kind === "not_found") return null;
      return { intent: "verify", outcome: outcome.kind === "done" ? { kind: "quiet" } : outcome };
    }
    case "refresh":
      if (!(await isKnown(services, one))) return null;
      await refreshTemplate(services, one);
      return { intent: "refresh", outcome: { kind: "quiet" } };
  }
}
