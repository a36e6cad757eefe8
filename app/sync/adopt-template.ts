import { isShortFormOf, markerIn, markerNow } from "../domain/marker.ts";
import type { TemplateDraft } from "../domain/records.ts";
import { makerOf } from "../domain/plan/create-fit.ts";
import { templateWith, valuesOfDraft } from "../domain/plan/three-way.ts";
import { draftsUnseen } from "../account/unseen-creates.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { deletedLately } from "../runs/look-again.ts";
import { commit, reasonOf } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { awaitSecondSighting } from "../book/confirm-absence.ts";
import { keepLink } from "./keep-link.ts";
import { forgetMissing } from "../book/mark-unlisted.ts";
import { keepReading } from "../book/keep-template.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import type { Step } from "./sync-step.ts";

/**
 * Links a template that carries this location's marker: it was ours before a reinstall or a lost answer. What differs in it was
 * said by somebody else meanwhile, and is shown as that; but for what a create said that was taken to have made nothing, and for an alias
 * that is the short form of ours, which is what this service had kept of it.
 */
export async function adoptTemplate(
  run: Run,
  {
    facts,
    account,
    templateId,
    draft,
  }: { facts: PlanFacts; account: ReadableAccount; templateId: string; draft: TemplateDraft },
): Promise<Step> {
  const { services } = run;
  const ref = refOf(facts.connection!);
  const known = await services.store.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  const found = await account.get(templateId);
  if (found.kind === "not_found") {
    const end = await awaitSecondSighting(run, { ref, templateId, requestId: found.requestId });
    if (end) return { end };
    await commit(run, (tables) => forgetMissing(tables, { shop: ref.shop, connectionId: ref.id, templateId }));
    return { reading: null };
  }
  const untilMs =
    (await deletedLately(services, services.store, { shop: ref.shop, templateIds: [templateId] })).get(templateId) ??
    null;
  if (untilMs !== null) return { end: { kind: "waits", untilMs, reason: reasonOf(run, "absence_unconfirmed") } };
  const template = found.value;
  if (markerIn(template.alias_name) !== markerNow(facts.location, facts.details)) {
    await commit(run, (tables) => keepReading(services, tables, { ref, template, known }));
    return { reading: null };
  }
  const sent = makerOf(template, [draft, ...draftsUnseen(facts.details, ref.id)]);
  const shortened = isShortFormOf(template.alias_name, sent.alias_name);
  const base = templateWith(template, valuesOfDraft(sent));
  const step = await keepLink(run, {
    facts,
    how: "adopted",
    template,
    known,
    sent,
    base: shortened ? { ...base, alias_name: template.alias_name } : base,
    accepted: shortened ? [{ field: "alias_name", ours: sent.alias_name, theirs: template.alias_name }] : [],
    activity: { kind: "template_adopted", requestId: found.requestId },
  });
  // What the location says by now goes at once.
  const isLinked = !("end" in step) || step.end.kind === "done";
  return sent !== draft && isLinked ? { reading: null } : step;
}
