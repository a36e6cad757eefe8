import { commit } from "../worker/run.ts";
import type { Run } from "../worker/run.ts";
import { forgetTemplate } from "./read-book.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "./record-activity.ts";

/** Somebody deleted the linked template there: the owner chooses, make again or unlink; the next plan says so. Takes back an unclear or refused write. */
export async function noteMissing(
  run: Run,
  { link, location }: Pick<PlanFacts, "link" | "location">,
  intentId?: string,
): Promise<void> {
  const { services } = run;
  await commit(run, async (tables) => {
    if (intentId !== undefined) await tables.intents.delete({ id: intentId });
    if (!link) return;
    const { shop, connectionId, templateId } = link;
    await forgetTemplate(tables, { shop, connectionId, templateId });
    const nowMs = services.clock.nowMs();
    const news = await tables.links.update(
      { id: link.id, missingSinceMs: null },
      { missingSinceMs: nowMs, checkedAtMs: nowMs },
    );
    if (news === 0) return;
    await recordActivity(services, tables, {
      shop,
      actor: "service",
      kind: "template_missing",
      outcome: "waiting",
      locationId: location.locationId,
      locationName: location.name,
      templateId,
    });
  });
}
