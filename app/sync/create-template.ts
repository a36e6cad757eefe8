import { markerNow } from "../domain/marker.ts";
import { asShortened, createBody } from "../domain/plan/plan.ts";
import type { TemplateDraft } from "../domain/records.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { unexpected } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { writeOnce } from "../runs/write-once.ts";
import { alikeBefore, unreadableBefore } from "../book/alike-before.ts";
import { believeMade } from "../book/made-answer.ts";
import { keepRefusal } from "./keep-refusal.ts";
import { keepLink } from "./keep-link.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import type { Step } from "./sync-step.ts";
import { planStillHolds } from "./plan-still-holds.ts";

/** Makes a location's template: nothing of the account stands for it, as the whole book showed. */
export async function createTemplate(
  run: Run,
  { facts, draft }: { facts: PlanFacts; draft: TemplateDraft },
): Promise<Step> {
  const { locationId } = facts.location;
  const ref = refOf(facts.connection!);
  const marker = markerNow(facts.location, facts.details);
  // Once it is known how much of an alias is kept, the marker tells what was made.
  const readable =
    facts.connection!.aliasLimit === null ? await alikeBefore(run.services, { ref, payload: draft }) : null;
  const alike = [...(readable ?? []), ...(await unreadableBefore(run.services, { ref, payload: draft }))];
  const written = await writeOnce(run, {
    ref,
    pendingWrite: { operation: "create", templateId: null, locationId, marker, payload: draft, alike },
    stillHolds: planStillHolds(run, facts),
    send: async (account, options) => {
      const said = { ref, payload: draft, alike: readable && alike, locationId };
      return believeMade(run.services.store, said, await account.create(createBody(draft), options));
    },
  });
  if (written.kind === "refused") return { end: await keepRefusal(run, { facts, ...written }) };
  if (written.kind === "not_found") throw unexpected("create", written.requestId);
  const sent = asShortened(draft, written.value);
  const step = await keepLink(run, {
    facts,
    pendingWriteId: written.pendingWriteId,
    how: "created",
    template: written.value,
    sent,
    said: draft,
    base: written.value,
    activity: { kind: "template_created", requestId: written.requestId },
  });
  // What the service shortened may have lost its marker: one that fits goes at once.
  const isLinked = !("end" in step) || step.end.kind === "done";
  return sent !== draft && isLinked ? { reading: null } : step;
}
