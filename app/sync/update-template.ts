import type { AddressField } from "../domain/address/address.ts";
import { asShortened, compareLinked } from "../domain/plan/plan.ts";
import type { Plan } from "../domain/plan/plan.ts";
import type { AddressTemplate, LinkRecord } from "../domain/records.ts";
import { differs, draftOfValues, templateWith, valuesOfDraft, valuesOfTemplate } from "../domain/plan/three-way.ts";
import type { Field, Values } from "../domain/plan/three-way.ts";
import { emptiedBy, stillEmptied } from "../domain/plan/emptied.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { commit } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import { writeOnce } from "../runs/write-once.ts";
import type { OnceWritten } from "../runs/write-once.ts";
import { failLostWrite } from "../book/believe-absence.ts";
import { keepRefusal } from "./keep-refusal.ts";
import { learnAliasLimit } from "../book/short-aliases.ts";
import { isFresh } from "../book/number-readings.ts";
import { planStillHolds } from "./plan-still-holds.ts";
import { keepAnswer } from "../book/keep-template.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { recordActivity } from "../activity/record-activity.ts";
import { endWith, linkAfter, noteDifferences, unanswered } from "./record-comparison.ts";
import type { Step } from "./sync-step.ts";
import { sendsWhole } from "../book/unnamed-fields.ts";
import { wantVerification } from "../verification/want-verification.ts";

type UpdatePlan = Extract<Plan, { step: "update" }>;

/** Sends what only we changed. Should the reply show that fields we did not name were emptied, the next round sends the whole. */
export async function updateTemplate(run: Run, { facts, plan }: { facts: PlanFacts; plan: UpdatePlan }): Promise<Step> {
  const { templateId, locationId } = facts.link!;
  const overtaken = overtakenChoices(facts);
  if (plan.comparison.differences.length + overtaken.length > 0) await keepDisputes(run, { facts, plan, overtaken });
  const ref = refOf(facts.connection!);
  const written = await writeOnce(run, {
    ref,
    pendingWrite: { operation: "update", templateId, locationId, marker: null, payload: plan.patch, alike: [] },
    stillHolds: async (tables) =>
      isFresh(run.services.clock, facts.template!) &&
      (facts.sendWhole || !(await sendsWhole(tables, { ref, butOf: run.item.id }))) &&
      (await planStillHolds(run, facts)(tables)),
    send: (account, options) => account.update(templateId, plan.patch, options),
  });
  if (written.kind === "refused") return { end: await keepRefusal(run, { facts, ...written }) };
  if (written.kind === "not_found") return failLostWrite(run, { ...written, ref, templateId, operation: "update" });
  return endUpdate(run, { facts, plan, answer: written });
}

/** The owner's choices between values of which theirs is another by now: they say nothing of it, even should the old one come back. */
function overtakenChoices({ link, theirs }: PlanFacts): LinkRecord["choices"] {
  const now = valuesOfTemplate(theirs!);
  return link!.choices.filter((choice) => differs(choice.field, choice.theirs, now[choice.field]));
}

interface Disputed {
  facts: PlanFacts;
  plan: UpdatePlan;
  overtaken: LinkRecord["choices"];
}

/**
 * Writes down which fields are in dispute before the update is sent. Should the update's end be unclear, the values in those fields are
 * not taken for ours. A disputed field that the service has emptied since keeps the value that was noted before: a whole address, where
 * one is sent, puts that value back.
 */
async function keepDisputes(run: Run, { facts, plan, overtaken }: Disputed): Promise<void> {
  const { link, theirs } = facts;
  const { comparison } = plan;
  const isEmptied = (field: Field) => (valuesOfTemplate(theirs!)[field] ?? "") === "";
  const before = (field: Field) =>
    link!.differences.find((each) => each.field === field && isEmptied(field) && each.theirs);
  const differences = comparison.differences.map((each) => before(each.field) ?? each);
  const restored = link!.accepted.filter(
    ({ field }) => isEmptied(field) && !comparison.accepted.some((each) => each.field === field),
  );
  await commit(run, async (tables) => {
    const current = await tables.links.find({ id: link!.id });
    if (!current) return;
    const choices = unanswered(current, { choices: overtaken });
    await tables.links.update(
      { id: link!.id },
      { differences, accepted: [...comparison.accepted, ...restored], choices },
    );
  });
}

interface Answered {
  facts: PlanFacts;
  plan: UpdatePlan;
  answer: Extract<OnceWritten<AddressTemplate>, { kind: "written" }>;
}

async function endUpdate(run: Run, { facts, plan, answer }: Answered): Promise<Step> {
  const { services } = run;
  const { location, shop } = facts;
  const link = facts.link!;
  const ref = refOf(facts.connection!);
  const nowMs = services.clock.nowMs();
  const said = plan.patch;
  const emptied = emptiedBy(said, facts.theirs!, answer.value);
  const toPutBack = stillEmptied(facts.template, answer.value, said);
  const forgotten = emptied.filter((field) => toPutBack?.[field] === undefined);
  const draft = plan.patch.alias_name === undefined ? plan.draft : asShortened(plan.draft, answer.value);
  const acknowledged = acknowledge(link, { plan: { ...plan, draft }, answer: answer.value, emptied: forgotten });
  const comparison = compareLinked({
    connection: facts.connection,
    link: acknowledged,
    draft,
    theirs: answer.value,
    emptied: toPutBack,
    nowMs,
  });
  // What they had said in emptied fields is remembered until the whole has been sent.
  const after = emptied.length > 0 ? kept(acknowledged) : linkAfter(acknowledged, comparison);
  const { reading } = await commit(run, async (tables) => {
    await tables.pendingWrites.delete({ id: answer.pendingWriteId });
    const row = await keepAnswer(services, tables, { ref, template: answer.value, said, known: facts.template! });
    await learnAliasLimit(tables, { ref, said: plan.patch.alias_name, answer: answer.value });
    const current = await tables.links.find({ id: link.id });
    if (!current) return row;
    const read = { missingSinceMs: null, syncedAtMs: nowMs, checkedAtMs: nowMs };
    await tables.links.update({ id: link.id }, { ...after, ...read, choices: unanswered(current, link) });
    await wantVerification(services, tables, { ref, row, policies: shop.policies });
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
    return row;
  });
  // What the service shortened may have lost its marker: one that fits goes at once.
  const again = emptied.length > 0 || draft !== plan.draft;
  return again ? { reading } : { end: endWith(run, after.differences) };
}

function kept({ sent, answered, differences, accepted }: LinkRecord): ReturnType<typeof linkAfter> {
  return { sent, answered, differences, accepted };
}

/** The link as the service's answer leaves it, for the fields that went; the others keep the base they had. */
function acknowledge(
  link: LinkRecord,
  { plan, answer, emptied }: { plan: UpdatePlan; answer: AddressTemplate; emptied: AddressField[] },
): LinkRecord {
  const ours = valuesOfDraft(plan.draft);
  const theirs = valuesOfTemplate(answer);
  const sent: Values = { ...plan.comparison.sent };
  const base: Values = { ...plan.comparison.base };
  for (const field of plan.comparison.send) {
    sent[field] = ours[field] ?? null;
    base[field] = theirs[field] ?? null;
  }
  const { differences, accepted } = plan.comparison;
  const disputed = [...differences, ...accepted].map(({ field }) => field);
  for (const field of emptied) if (!disputed.includes(field)) sent[field] = base[field] = null;
  const answered = templateWith(link.answered ?? answer, base);
  return { ...link, sent: draftOfValues(sent, plan.draft.address_type), answered, differences, accepted, choices: [] };
}

function changes(
  { draft, comparison }: UpdatePlan,
  before: AddressTemplate,
): { field: Field; from: string | null; to: string | null }[] {
  const ours = valuesOfDraft(draft);
  const theirs = valuesOfTemplate(before);
  return comparison.send.map((field) => ({ field, from: theirs[field] ?? null, to: ours[field] ?? null }));
}
