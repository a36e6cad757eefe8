import { newTemplate } from "../domain/new-records.ts";
import { stillEmptied } from "../domain/plan/emptied.ts";
import { changesOf, withReplaced, wordsBefore } from "../domain/plan/replaced.ts";
import { saySame } from "../domain/plan/three-way.ts";
import type { AddressTemplate, Replaced, TemplatePatch, TemplateRecord } from "../domain/records.ts";
import type { ConnectionRef, Services, Tables } from "../ports.ts";
import { noteAlone, noteReplaced } from "./alone-readings.ts";
import { applyPollResult } from "./apply-poll-result.ts";
import { forgetAbsence } from "./believe-absence.ts";
import { deletedLately, listAgain } from "../runs/look-again.ts";
import { nextReading } from "../runs/next-reading.ts";
import { dropIfOvertaken, keepBehind, replacedLately, showsBefore } from "./overtaken.ts";
import { requestLinked } from "./request-linked.ts";
import { learnOfUnnamed } from "./unnamed-fields.ts";

/** What one template says by itself: the answer to its own GET, or to a write. */

/** What a template is the answer to, where it is the answer to a write of ours; a GET's is none. */
type Answers =
  | { to: "create" }
  /** `known`: what the update was planned on. */
  | { to: "update"; said: TemplatePatch; known: TemplateRecord }
  | { to: "question" };

interface Shown {
  ref: ConnectionRef;
  template: AddressTemplate;
  answers?: Answers;
}

/**
 * One template as just read, or answered to a write. Gives its row, whose number no other reading has: a plan names the one it was made
 * from. Whoever goes on takes the row's template: a reading that is behind is not kept.
 */
export async function keepTemplate(
  services: Services,
  tables: Tables,
  { ref, template: answer, answers }: Shown,
): Promise<TemplateRecord> {
  const { clock } = services;
  const key = { shop: ref.shop, connectionId: ref.id, templateId: answer.id };
  const before = await tables.templates.find(key);
  if (!answers && before && showsBefore(clock, before, answer)) return keepBehind(services, tables, { ref, before });
  const said = answers?.to === "update" ? answers.said : undefined;
  const template = said && before ? withWords(answer, before.template) : answer;
  const emptied = stillEmptied(before, template, said);
  const read = { readAtMs: clock.nowMs(), reading: await nextReading(tables, ref) };
  const replaced = replacedBy(services, { ref, before, template, ...(answers && { answers }), reading: read.reading });
  const row = { ...newTemplate({ ...key, template, ...read }), aloneAtMs: read.readAtMs, emptied, replaced };
  forgetAbsence(clock, key);
  noteAlone(clock, key);
  if ((await tables.templates.update(key, row)) === 0) await tables.templates.insert(row);
  if (!before && !answers) await doubtDeleted(services, tables, { ref, templateId: template.id });
  await learnOfUnnamed(tables, { ref, before, template, emptied, said });
  await forgetUnreadable(tables, { ref, templateId: template.id });
  await applyPollResult(services, tables, {
    ref,
    read: [row],
    listed: false,
    answersQuestion: answers?.to === "question",
  });
  return row;
}

/** A GET may be behind our deletion: it is read once more before anything rests on it, and a list of later tells. */
async function doubtDeleted(
  services: Services,
  tables: Tables,
  { ref, templateId }: { ref: ConnectionRef; templateId: string },
): Promise<void> {
  const shown = await deletedLately(services, tables, { shop: ref.shop, templateIds: [templateId] });
  await listAgain(services, tables, { ref, templateIds: [...shown.keys()] });
}

interface Change extends Shown {
  before: TemplateRecord | null;
  reading: number;
}

/** What a GET that is behind would still show. What others change counts only beside a write of ours that it may be behind. */
function replacedBy({ clock }: Services, { ref, before, template, answers, reading }: Change): Replaced[] | null {
  // What a GET has shown is not waited for any more: a 404 is news.
  const kept = replacedLately(clock, before).filter(({ by }) => answers || by !== "create");
  const entries = () => {
    switch (answers?.to) {
      case "create":
        return [{ by: "create", was: {} } as const];
      case "update":
        return changesOf(answers.known.template, template, answers.said);
      case "question":
        return before ? [...changesOf(before.template, template), ...wordsBefore(before.template, template)] : [];
      default:
        return before && kept.length > 0 ? changesOf(before.template, template) : [];
    }
  };
  const news = entries();
  if (news.length > 0) noteReplaced(clock, { connectionId: ref.id, templateId: template.id }, { reading });
  return withReplaced(kept, news, { reading, atMs: clock.nowMs() });
}

/** The answer to an update may leave out what the carriers say. Shown again later, it would be taken for an answer to the next question. */
function withWords(answer: AddressTemplate, before: AddressTemplate): AddressTemplate {
  const isLeftOut = answer.verified_carriers.length === 0;
  return isLeftOut ? { ...answer, verified_carriers: before.verified_carriers } : answer;
}

/** It can be read after all. */
async function forgetUnreadable(
  tables: Tables,
  { ref, templateId }: { ref: ConnectionRef; templateId: string },
): Promise<void> {
  const connection = await tables.connections.find({ id: ref.id });
  if (!connection?.bookUnreadable.some(({ id }) => id === templateId)) return;
  const bookUnreadable = connection.bookUnreadable.filter(({ id }) => id !== templateId);
  await tables.connections.update({ id: ref.id }, { bookUnreadable });
}

/**
 * The same for one that was asked for when `known` stood in the book; null when the book has moved since, and the answer is not kept: what
 * was asked for before a write of ours landed, and came after its answer, knows less.
 */
export async function keepReading(
  services: Services,
  tables: Tables,
  { ref, template, known, answers }: Shown & { known: TemplateRecord | null },
): Promise<TemplateRecord | null> {
  const isDropped = await dropIfOvertaken(tables, { ref, templateId: template.id, known, template });
  return isDropped ? null : keepTemplate(services, tables, { ref, template, ...(answers && { answers }) });
}

/**
 * The answer to an update that was planned on `known` and `said` this. Where another reading has shown something else meanwhile, nobody
 * knows which of the two is the newer one: the template is read once more.
 */
export async function keepAnswer(
  services: Services,
  tables: Tables,
  {
    ref,
    template,
    said,
    known,
  }: { ref: ConnectionRef; template: AddressTemplate; said: TemplatePatch; known: TemplateRecord },
): Promise<TemplateRecord> {
  const { templateId } = known;
  const now = await tables.templates.find({ shop: ref.shop, connectionId: ref.id, templateId });
  const isDisputed = now !== null && now.reading !== known.reading && !saySame(now.template, template);
  const row = await keepTemplate(services, tables, { ref, template, answers: { to: "update", said, known } });
  if (!isDisputed) return row;
  await listAgain(services, tables, { ref, templateIds: [templateId] });
  await requestLinked(services, tables, { ref, templateIds: [templateId] });
  return row;
}
