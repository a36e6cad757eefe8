import { ADDRESS_FIELDS } from "../domain/address.ts";
import type { AddressAttributes } from "../domain/address.ts";
import { compareLinked } from "../domain/plan.ts";
import type { Plan } from "../domain/plan.ts";
import type { AddressTemplate, LinkRecord, TemplatePatch } from "../domain/records.ts";
import { draftOfValues, templateWith, valuesOfDraft, valuesOfTemplate, wipedFields } from "../domain/three-way.ts";
import type { Field, Values } from "../domain/three-way.ts";
import type { Written } from "../ports.ts";
import { refOf } from "../worker/connection-gate.ts";
import { commit } from "../worker/run.ts";
import type { Run, RunEnd } from "../worker/run.ts";
import { writeOnce } from "../worker/write-once.ts";
import type { OnceWritten } from "../worker/write-once.ts";
import { keepRefusal } from "./keep-refusal.ts";
import { noteMissing } from "./note-missing.ts";
import { planStillHolds } from "./plan-still-holds.ts";
import { keepTemplate } from "./read-book.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "./record-activity.ts";
import { endWith, linkAfter, noteDifferences, unanswered } from "./settle-link.ts";
import type { Step } from "./sync-location.ts";
import { wantVerification } from "./want-verification.ts";

type UpdatePlan = Extract<Plan, { step: "update" }>;

/** Sends what only we changed. Should the reply show that fields we did not name were emptied, it is mended once, whole. */
export async function updateTemplate(run: Run, { facts, plan }: { facts: PlanFacts; plan: UpdatePlan }): Promise<Step> {
  const before = facts.theirs!;
  if (facts.link!.sendWhole) await announceWhole(run, facts, plan);
  const first = await patchOnce(run, { facts, patch: plan.patch });
  const { written, intentId } = first;
  if (written.kind === "refused") return { end: await keepRefusal(run, { facts, problem: written.problem, intentId }) };
  if (written.kind === "not_found") return { end: await noteMissing(run, facts, intentId) };
  if (wipedFields(plan.patch, before, written.value).length === 0) {
    return { end: await keepAnswer(run, { facts, plan, intentId, answer: written, sendWhole: facts.link!.sendWhole }) };
  }
  await announceWhole(run, facts, plan);
  const mended = await patchOnce(run, { facts, patch: mending(plan.patch, before), replaces: intentId });
  if (mended.written.kind === "not_found") return { end: await noteMissing(run, facts, mended.intentId) };
  const answer = mended.written.kind === "written" ? mended.written : written;
  return { end: await keepAnswer(run, { facts, plan, intentId: mended.intentId, answer, sendWhole: true }) };
}

function patchOnce(
  run: Run,
  { facts, patch, replaces }: { facts: PlanFacts; patch: TemplatePatch; replaces?: string },
): Promise<OnceWritten<AddressTemplate>> {
  const { templateId, locationId } = facts.link!;
  return writeOnce(run, {
    ref: refOf(facts.connection!),
    intent: { operation: "update", templateId, locationId, marker: null, payload: patch },
    stillHolds: planStillHolds(facts),
    send: (account, options) => account.update(templateId, patch, options),
    replaces,
  });
}

function mending(patch: TemplatePatch, before: AddressTemplate): TemplatePatch {
  const there = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, before.address[field]])) as AddressAttributes;
  return { ...patch, address_attributes: { ...there, ...patch.address_attributes } };
}

/** A whole address names the fields in dispute too, with their values: said beforehand, they are not taken for ours later. */
async function announceWhole(run: Run, { link }: PlanFacts, { comparison }: UpdatePlan): Promise<void> {
  const { differences, accepted } = comparison;
  await commit(run, (tables) => tables.links.update({ id: link!.id }, { differences, accepted, sendWhole: true }));
}

interface Answered {
  facts: PlanFacts;
  plan: UpdatePlan;
  intentId: string;
  answer: Extract<Written<AddressTemplate>, { kind: "written" }>;
  sendWhole: boolean;
}

async function keepAnswer(run: Run, { facts, plan, intentId, answer, sendWhole }: Answered): Promise<RunEnd> {
  const { services } = run;
  const { location, shop } = facts;
  const link = facts.link!;
  const ref = refOf(facts.connection!);
  const nowMs = services.clock.nowMs();
  const acknowledged = acknowledge(link, { plan, answer: answer.value });
  const comparison = compareLinked({ link: acknowledged, draft: plan.draft, theirs: answer.value, nowMs });
  const after = linkAfter(acknowledged, comparison);
  await commit(run, async (tables) => {
    await tables.intents.delete({ id: intentId });
    await keepTemplate(services, tables, { ref, template: answer.value });
    const current = await tables.links.find({ id: link.id });
    if (!current) return;
    const read = { missingSinceMs: null, syncedAtMs: nowMs, checkedAtMs: nowMs };
    await tables.links.update({ id: link.id }, { ...after, ...read, sendWhole, choices: unanswered(current, link) });
    await wantVerification(services, tables, { ref, template: answer.value, policies: shop.policies });
    await recordActivity(services, tables, {
      shop: location.shop,
      actor: "sync",
      kind: "template_updated",
      outcome: "done",
      locationId: location.locationId,
      locationName: location.name,
      templateId: link.templateId,
      fields: changes(plan, facts.theirs!),
      requestId: answer.requestId,
    });
    await noteDifferences(services, tables, { facts, before: link.differences, after: after.differences });
  });
  return endWith(run, after.differences);
}

/** The link as the service's answer leaves it, for the fields that went; the others keep the base they had. */
function acknowledge(link: LinkRecord, { plan, answer }: { plan: UpdatePlan; answer: AddressTemplate }): LinkRecord {
  const ours = valuesOfDraft(plan.draft);
  const theirs = valuesOfTemplate(answer);
  const sent: Values = { ...plan.comparison.sent };
  const base: Values = { ...plan.comparison.base };
  for (const field of plan.comparison.send) {
    sent[field] = ours[field] ?? null;
    base[field] = theirs[field] ?? null;
  }
  const { differences, accepted } = plan.comparison;
  const answered = templateWith(link.answered ?? answer, base);
  return { ...link, sent: draftOfValues(sent, plan.draft.address_type), answered, differences, accepted, choices: [] };
}

function changes({ draft, comparison }: UpdatePlan, before: AddressTemplate): { field: Field; from: string | null; to: string | null }[] {
  const ours = valuesOfDraft(draft);
  const theirs = valuesOfTemplate(before);
  return comparison.send.map((field) => ({ field, from: theirs[field] ?? null, to: ours[field] ?? null }));
}
