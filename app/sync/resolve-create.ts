import { markerIn } from "../domain/marker.ts";
import { isDoubted } from "../domain/doubted.ts";
import { makerOf, mayBeNamed } from "../domain/plan/create-fit.ts";
import { asShortened, oursAmong } from "../domain/plan/plan.ts";
import type { PendingWrite, TemplateDraft, TemplateRecord } from "../domain/records.ts";
import { templateWith, valuesOfDraft } from "../domain/plan/three-way.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { draftsUnseen, rememberCreate } from "../account/unseen-creates.ts";
import { madeByForms } from "../runs/known-made.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { quarantineEndsMs, quarantineHolds } from "../runs/quarantine.ts";
import { commit } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { findShortened } from "../book/short-aliases.ts";
import { refuseHidden } from "../book/hidden-create.ts";
import { refuseLeftOut } from "../book/left-out.ts";
import { keepLink } from "./keep-link.ts";
import type { LinkToKeep } from "./keep-link.ts";
import { recordLeftOver } from "../book/record-left-over.ts";
import { lookAgain, readBookSince } from "../book/read-book-since.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import type { Step } from "./sync-step.ts";

export interface Unclear {
  pendingWrite: PendingWrite;
  facts: PlanFacts;
  account: ReadableAccount;
}

/** What carries the marker is what the create made. Where nothing does, it was not made; but only a book that is known whole says that. */
export async function resolveCreate(run: Run, unclear: Unclear): Promise<Step> {
  const { pendingWrite, facts, account } = unclear;
  const payload = pendingWrite.payload as TemplateDraft;
  const marker = pendingWrite.marker!;
  const ref = refOf(facts.connection!);
  const sinceMs = quarantineEndsMs(run.services, pendingWrite);
  const { templates, failed, incomplete } = await readBookSince(run, { ref, account, sinceMs });
  const putOff = await quarantineHolds(run);
  if (putOff) return { end: putOff };
  const free = await unlinked(
    run,
    ref,
    templates.filter(({ template }) => markerIn(template.alias_name) === marker),
  );
  const isElsewhere = ref.id !== pendingWrite.connectionId;
  const shortened = async () =>
    isElsewhere ? null : findShortened(run.services.store, { ref, pendingWrite, templates });
  if (facts.link) {
    // What else it may have made is told only by the list.
    if (failed) throw failed;
    const extra = free.length > 0 ? free : [await shortened()].filter((each) => each !== null);
    // Forgotten here, what it made would be hidden, and made once more as soon as the link goes.
    if (extra.length === 0) await refuseLeftOut(run, { ref, account });
    await commit(run, async (tables) => {
      await tables.pendingWrites.delete({ id: pendingWrite.id });
      for (const { templateId } of extra) await recordLeftOver(run.services, tables, { ...facts, templateId });
    });
    return { reading: null };
  }
  const sure = free.filter((each) => !isDoubted(each));
  const marked = oursOf(sure.length > 0 ? sure : free, { marker, payload });
  const row = marked ?? (await shortened());
  if (row) {
    const looked = await lookAgain(run, { ref, account, row, failed });
    if (looked === "gone") return resolveCreate(run, unclear);
    if ("end" in looked) return looked;
    const { environment } = ref;
    const templateIds = [row.templateId];
    // What is known by its words alone may be a form's by now; a marker no form's template has.
    const isNoForms = async (tables: Tables) => (await madeByForms(tables, { environment, templateIds })).size === 0;
    return adoptMade(run, unclear, { row: looked.row, ...(marked ? {} : { stillHolds: isNoForms }) });
  }
  if (failed) throw failed;
  if (incomplete) return { end: incomplete };
  const isOurs = (name: string) => markerIn(name) === marker || mayBeNamed(name, payload.alias_name);
  await refuseHidden(run.services.store, { ref, pendingWrite, isOurs });
  await refuseLeftOut(run, { ref, account });
  await commit(run, async (tables) => {
    await tables.pendingWrites.delete({ id: pendingWrite.id });
    await rememberCreate(tables, pendingWrite);
  });
  return { reading: null };
}

async function unlinked({ services }: Run, ref: ConnectionRef, rows: TemplateRecord[]): Promise<TemplateRecord[]> {
  const { environment } = ref;
  const templateId = { in: rows.map((row) => row.templateId) };
  const links = await services.store.links.list({ environment, templateId });
  return rows.filter((row) => !links.some((link) => link.templateId === row.templateId));
}

function oursOf(
  rows: TemplateRecord[],
  { marker, payload }: { marker: string; payload: TemplateDraft },
): TemplateRecord | null {
  const templates = rows.map(({ template }) => template);
  const found = oursAmong(templates, marker, payload);
  return rows.find(({ templateId }) => templateId === found?.id) ?? null;
}

async function adoptMade(
  run: Run,
  { pendingWrite, facts }: Unclear,
  { row, ...rest }: { row: TemplateRecord } & Pick<LinkToKeep, "stillHolds">,
): Promise<Step> {
  const { template } = row;
  // An earlier create, which was taken to have made nothing, may have made it after all.
  const maker = makerOf(template, [
    pendingWrite.payload as TemplateDraft,
    ...draftsUnseen(facts.details, facts.connection!.id),
  ]);
  const sent = asShortened(maker, template);
  const step = await keepLink(run, {
    facts,
    pendingWriteId: pendingWrite.id,
    how: "created",
    template,
    known: row,
    sent,
    base: templateWith(template, valuesOfDraft(sent)),
    activity: { kind: "template_created", requestId: null },
    ...rest,
  });
  return "end" in step && step.end.kind !== "done" ? step : { reading: null };
}
