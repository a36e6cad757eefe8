import { refOf } from "../worker/connection-gate.ts";
import { commit } from "../worker/run.ts";
import type { Run } from "../worker/run.ts";
import { writeOnce } from "../worker/write-once.ts";
import { keepRefusal } from "./keep-refusal.ts";
import { planStillHolds } from "./plan-still-holds.ts";
import { forgetTemplate } from "./read-book.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "./record-activity.ts";
import type { Step } from "./sync-location.ts";

/** The location left and the shop's rule is to delete. Gone already is what was wanted. */
export async function deleteTemplate(
  run: Run,
  { facts, templateId }: { facts: PlanFacts; templateId: string },
): Promise<Step> {
  const { written, intentId } = await writeOnce(run, {
    ref: refOf(facts.connection!),
    intent: { operation: "delete", templateId, locationId: facts.location.locationId, marker: null, payload: null },
    stillHolds: planStillHolds(facts),
    send: (account, options) => account.delete(templateId, options),
  });
  if (written.kind === "refused") return { end: await keepRefusal(run, { facts, problem: written.problem, intentId }) };
  await dropLink(run, facts, { kind: "template_deleted", intentId, requestId: written.requestId });
  return { end: { kind: "done" } };
}

/** The template stays in the account, as nobody's. */
export function unlinkTemplate(run: Run, facts: PlanFacts): Promise<void> {
  return dropLink(run, facts, { kind: "unlinked" });
}

/** The link goes; with `template_deleted` all that is known of the template goes too. */
export async function dropLink(
  run: Run,
  { link, location }: Pick<PlanFacts, "link" | "location">,
  { kind, intentId, requestId }: { kind: "template_deleted" | "unlinked"; intentId?: string; requestId?: string },
): Promise<void> {
  await commit(run, async (tables) => {
    if (intentId !== undefined) await tables.intents.delete({ id: intentId });
    if (!link) return;
    const { shop, connectionId, templateId } = link;
    await tables.links.delete({ id: link.id });
    if (kind === "template_deleted") await forgetTemplate(tables, { shop, connectionId, templateId });
    await recordActivity(run.services, tables, {
      shop,
      actor: "sync",
      kind,
      outcome: "done",
      locationId: location.locationId,
      locationName: location.name,
      templateId,
      requestId: requestId ?? null,
    });
  });
}
