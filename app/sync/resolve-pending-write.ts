import { markerIn } from "../domain/marker.ts";
import { closedReason } from "../domain/closed-reason.ts";
import { isDoubted } from "../domain/doubted.ts";
import { asShortened, mayBeNamed, oursAmong } from "../domain/plan/plan.ts";
import type {
  AddressTemplate,
  PendingWrite,
  LinkRecord,
  TemplateDraft,
  TemplatePatch,
  TemplateRecord,
} from "../domain/records.ts";
import { differs, draftOfValues, templateWith, valuesOfDraft, valuesOfTemplate } from "../domain/plan/three-way.ts";
import type { Field, Values } from "../domain/plan/three-way.ts";
import type { ConnectionRef, Tables } from "../ports.ts";
import { emptiedMeanwhile, stillEmptied } from "../domain/plan/emptied.ts";
import { refOf } from "../runs/circuit-breaker.ts";
import { quarantineEndsMs, quarantineHolds } from "../runs/quarantine.ts";
import { isLeftAlone } from "../runs/held-template.ts";
import { blocked, commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { awaitSecondSighting } from "../book/believe-absence.ts";
import { dropLink } from "./delete-template.ts";
import { findShortened } from "../book/find-shortened.ts";
import { refuseHidden } from "../book/hidden-create.ts";
import { keepLink } from "./keep-link.ts";
import { noteMissing } from "./note-missing.ts";
import { recordLeftOver } from "../book/record-left-over.ts";
import { keepTemplate } from "../book/read-book.ts";
import { lookAgain, readBookSince } from "../book/read-book-since.ts";
import { readOwnFacts } from "./read-plan-facts.ts";
import type { PlanFacts } from "./read-plan-facts.ts";
import { openGate } from "./sync-step.ts";
import type { Step } from "./sync-step.ts";
import { wantVerification } from "../verification/want-verification.ts";

/**
 * Finds out, once the quarantine is over, what became of a write whose end is unclear. Nothing is written there.
 *
 * Long, because every end that a write may have had is told here, one after the other.
 */
export async function resolvePendingWrite(run: Run, pendingWrite: PendingWrite): Promise<Step> {
  const facts = await readOwnFacts(run);
  if (facts?.connection?.id !== pendingWrite.connectionId) await doubtBook(run, pendingWrite);
  if (!facts?.connection || !(await mayConcern(run, pendingWrite, facts))) {
    await commit(run, (tables) => tables.pendingWrites.delete({ id: pendingWrite.id }));
    return { reading: null };
  }
  const closed = closedReason(facts.connection);
  if (closed) return { end: blocked(run, closed) };
  const gate = await openGate(run, facts);
  if ("end" in gate) return gate;
  if (pendingWrite.operation === "create") return resolveCreate(run, { pendingWrite, facts, account: gate.account });
  return resolveChange(run, { pendingWrite, facts, account: gate.account });
}

/**
 * Another client id may open the account that the write went to. What a create made there is looked for in its book before anything is
 * made; a template that its link names is there for sure.
 */
async function mayConcern(
  { services }: Run,
  pendingWrite: PendingWrite,
  { connection, link }: PlanFacts,
): Promise<boolean> {
  if (connection!.id === pendingWrite.connectionId) return true;
  if (pendingWrite.operation !== "create") return link?.templateId === pendingWrite.templateId;
  const wroteTo = await services.store.connections.find({ id: pendingWrite.connectionId });
  return wroteTo?.environment === connection!.environment;
}

interface Unclear {
  pendingWrite: PendingWrite;
  facts: PlanFacts;
  account: ReadableAccount;
}

/** The client id is not in use: should it be again, its book is read before anything is made in it. */
async function doubtBook(run: Run, { connectionId }: PendingWrite): Promise<void> {
  await commit(run, (tables) =>
    tables.connections.update({ id: connectionId }, { bookReadAtMs: null, bookConfirmedAtMs: null }),
  );
}

/** What carries the marker is what the create made. Where nothing does, it was not made; but only a book that is known whole says that. */
async function resolveCreate(run: Run, unclear: Unclear): Promise<Step> {
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
    return "end" in looked ? looked : adoptMade(run, unclear, looked.template);
  }
  if (failed) throw failed;
  if (incomplete) return { end: incomplete };
  const isOurs = (name: string) => markerIn(name) === marker || mayBeNamed(name, payload.alias_name);
  await refuseHidden(run.services.store, { ref, pendingWrite, isOurs });
  await commit(run, (tables) => tables.pendingWrites.delete({ id: pendingWrite.id }));
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

async function adoptMade(run: Run, { pendingWrite, facts }: Unclear, template: AddressTemplate): Promise<Step> {
  const sent = asShortened(pendingWrite.payload as TemplateDraft, template);
  const end = await keepLink(run, {
    facts,
    pendingWriteId: pendingWrite.id,
    how: "created",
    template,
    sent,
    base: templateWith(template, valuesOfDraft(sent)),
    activity: { kind: "template_created", requestId: null },
  });
  return end.kind === "done" ? { reading: null } : { end };
}

async function resolveChange(run: Run, { pendingWrite, facts, account }: Unclear): Promise<Step> {
  const { link } = facts;
  if (!link || link.templateId !== pendingWrite.templateId) {
    await commit(run, (tables) => tables.pendingWrites.delete({ id: pendingWrite.id }));
    return { reading: null };
  }
  const found = await account.get(link.templateId);
  const putOff = await quarantineHolds(run);
  if (putOff) return { end: putOff };
  const { services } = run;
  const ref = refOf(facts.connection!);
  if (found.kind === "not_found") {
    const { requestId } = found;
    if (pendingWrite.operation === "update") return noteMissing(run, facts, { requestId, unclear: pendingWrite.id });
    const end = await awaitSecondSighting(run, { ref, templateId: link.templateId, requestId });
    if (end) return { end };
    await dropLink(run, facts, { kind: "template_deleted", pendingWriteId: pendingWrite.id, requestId });
    return { reading: null };
  }
  const { reading } = await commit(run, async (tables) => {
    await tables.pendingWrites.delete({ id: pendingWrite.id });
    const kept = await keepTemplate(services, tables, { ref, template: found.value });
    const landed = pendingWrite.operation === "update" ? whatLanded(link, pendingWrite, kept) : {};
    if (Object.keys(landed).length === 0) return kept;
    await tables.links.update({ id: link.id }, landed);
    await wantVerification(services, tables, { ref, template: found.value, policies: facts.shop.policies });
    return kept;
  });
  return { reading };
}

/**
 * Clears up a location's unclear updates by its template as a change by hand has just read it: a location whose own write always fails
 * would hold up whoever mends it by hand.
 *
 * @throws AppError `superseded` where a run of the location looks after one, or it may still take effect.
 */
export async function clearUpUpdates(
  { services, item }: Run,
  tables: Tables,
  { ref, template }: { ref: ConnectionRef; template: AddressTemplate },
): Promise<void> {
  const { shop, id: connectionId } = ref;
  const unclear = { shop, connectionId, templateId: template.id, workItemId: { not: item.id } };
  for (const pendingWrite of await tables.pendingWrites.list(unclear)) {
    if (!(await isLeftAlone(services, tables, pendingWrite)))
      throw superseded("another write to this template is unclear");
    await tables.pendingWrites.delete({ id: pendingWrite.id });
    const link = await tables.links.find({ shop, connectionId, locationId: pendingWrite.locationId! });
    const record = await tables.shops.find({ shop });
    if (!link || !record || link.templateId !== template.id) continue;
    const known = await tables.templates.find({ shop, connectionId, templateId: template.id });
    const landed = whatLanded(link, pendingWrite, { template, emptied: stillEmptied(known, template) });
    if (Object.keys(landed).length === 0) continue;
    await tables.links.update({ id: link.id }, landed);
    await wantVerification(services, tables, { ref, template, policies: record.policies });
  }
}

/**
 * Fields that hold what the write said, or what the service keeps of a long name, are taken as acknowledged, so that our own words are not
 * mistaken for somebody's; and fields it did not name and emptied are taken as emptied by it, so that the next plan says them again. What
 * is remembered of those with the template is put back anyway.
 */
function whatLanded(
  link: LinkRecord,
  pendingWrite: PendingWrite,
  { template: found, emptied: remembered }: Pick<TemplateRecord, "template" | "emptied">,
): Partial<LinkRecord> {
  const payload = pendingWrite.payload as TemplatePatch;
  const theirs = valuesOfTemplate(found);
  const disputed = new Set<Field>([...link.differences, ...link.accepted].map(({ field }) => field));
  const said = (Object.entries(valuesOfDraft(asShortened(payload, found))) as [Field, string | null][]).filter(
    ([field, value]) => !differs(field, value, theirs[field]) && !(disputed.has(field) && isTheirs(link, field, value)),
  );
  const emptied = payload.address_attributes && link.answered ? emptiedMeanwhile(link.answered, found) : [];
  if (said.length + emptied.length === 0) return {};
  const sent: Values = link.sent ? valuesOfDraft(link.sent) : {};
  const base: Values = {};
  for (const [field, value] of said) {
    sent[field] = value;
    base[field] = theirs[field] ?? null;
  }
  for (const field of emptied)
    if (!disputed.has(field) && remembered?.[field] === undefined) sent[field] = base[field] = null;
  return {
    sent: draftOfValues(sent, link.sent?.address_type ?? found.address_type),
    answered: templateWith(link.answered ?? found, base),
    ...(emptied.length > 0 ? { sendWhole: true } : {}),
  };
}

/** A whole address names disputed fields with their value, which is not ours. */
function isTheirs(link: LinkRecord, field: Field, value: string | null): boolean {
  return [...link.differences, ...link.accepted].some(
    (each) => each.field === field && !differs(field, each.theirs, value),
  );
}
