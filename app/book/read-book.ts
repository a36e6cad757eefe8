import { chunksByWeight, chunksOf } from "../domain/chunks.ts";
import { isYoung } from "../domain/moment.ts";
import { newTemplate } from "../domain/new-records.ts";
import type { AddressTemplate, TemplateRecord } from "../domain/records.ts";
import { stillEmptied } from "../domain/plan/emptied.ts";
import { valuesOfTemplate } from "../domain/plan/three-way.ts";
import type { ConnectionRef, Listing, Services, Tables } from "../ports.ts";
import { commit, superseded } from "../runs/run.ts";
import type { Run } from "../runs/run.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import { mayBeSeenAloneSince } from "./alone-readings.ts";
import { applyPollResult } from "./apply-poll-result.ts";
import { forgetAbsence } from "./believe-absence.ts";
import { filterInTurns } from "../runs/in-turns.ts";
import { deletedLately, listAgain } from "../runs/look-again.ts";
import { keepProof, marksOf, proofOf, proofWith, provedFromMs } from "./known-listings.ts";
import { mayForget, onFailureOf } from "./left-out.ts";
import type { GetTemplate, OnFailure } from "./left-out.ts";
import { endWaiting, forgetAbsent, listingOf, markUnlisted } from "./mark-unlisted.ts";
import { beginListing } from "./number-readings.ts";
import { nextReading } from "../runs/next-reading.ts";
import type { Beginning } from "./number-readings.ts";
import { readLinkedAgain, requestLinked } from "./request-linked.ts";
import { learnOfUnnamed } from "./unnamed-fields.ts";
import { keptUnreadable, rowKey } from "./same-rows.ts";

/** How many templates one transaction keeps, or work items it requests, so that nobody waits for the database longer than a page should. */
const CHUNK = 25;
/** How many templates and words of carriers one transaction compares, each of which may be a write. */
const MOST_COMPARED = 90;

/** A transaction of the caller's: a run's, which is fenced, or a plain one. */
export type Within = <T>(work: (tables: Tables) => Promise<T>) => Promise<T>;

/** Templates that pages of a listing showed, of one that may go on. */
export interface Shown {
  templates: AddressTemplate[];
  /** Before the first of these pages was asked for. */
  began: Beginning;
}

export interface Book extends Listing, Shown {
  ref: ConnectionRef;
  /** A template by its own GET. */
  get: GetTemplate;
  onFailure: OnFailure;
  /** The template whose absence the run that reads is looking into: a listing that lacks it is no news to that run. */
  missed?: string;
}

/** Reads the whole address book, all pages, and keeps it: templates, what is gone, and what the carriers say meanwhile. */
export async function readBook(
  run: Run,
  ref: ConnectionRef,
  account: ReadableAccount,
  { missed }: Pick<Book, "missed"> = {},
): Promise<Listing> {
  const began = await beginListing(run.services, ref);
  const listing = await account.listAll();
  const get: GetTemplate = (templateId) => account.get(templateId);
  const onFailure = onFailureOf(run);
  await keepBook(run.services, (work) => commit(run, work), { ref, ...listing, began, get, onFailure, missed });
  return listing;
}

/**
 * What was not there before comes first; only when all of it is kept does the book count as read. A template whose row cannot be
 * read is there: what was read of it before stays, with its age, and what the carriers said of it. One that was read by itself shortly
 * before, or meanwhile, stays as it was then, and is asked for where it stands for a location. One that the listing lacks stays too,
 * marked, until that is proved (`domain/listings.ts`) or, where it stands for a location, until its own GET says so. Requests work; the
 * caller wakes the worker.
 *
 * @throws AppError `unreadable` where the listing leaves out what is there, or one that was there and is not found for less than a minute.
 * Nothing of it is kept then.
 */
export async function keepBook(services: Services, within: Within, book: Book): Promise<void> {
  const { ref, templates, unreadable, began, get, onFailure } = book;
  const key = { shop: ref.shop, connectionId: ref.id };
  const known = new Map((await services.store.templates.list(key)).map((row) => [row.templateId, row]));
  const unread = new Set(unreadable.map(({ id }) => id).filter((id) => id !== null));
  const listed = new Set([...templates.map(({ id }) => id), ...unread]);
  const lacking = [...known.keys()].filter((templateId) => !listed.has(templateId));
  const markOf = (templateId: string) => known.get(templateId)!.unlistedSinceMs;
  const marksBefore = marksOf(services, ref);
  const anew = lacking.filter((templateId) => (markOf(templateId) ?? NaN) !== marksBefore.get(templateId));
  const before = proofOf(services, ref);
  const proof = proofWith(services, ref, listingOf(services, book, { listed, lacking, anew }));
  const proved = [...proof.absent].map((templateId) => known.get(templateId)!);
  const { clock } = services;
  const moved = await filterInTurns(clock, templates, (template) => {
    const row = known.get(template.id);
    // One that is in doubt is kept though it is the same: the listing ends the doubt.
    return !same(row?.template, template) || row?.disputedSinceMs !== null;
  });
  const lacks = new Set(lacking);
  const { forgets, doubt } = await mayForget(services, { ref, rows: proved, lacks, get, onFailure });
  if (doubt) {
    const others = moved.map(({ id }) => id).filter((id) => known.get(id)?.disputedSinceMs === null);
    if (doubt.isFirst) await within((tables) => readLinkedAgain(services, tables, { ref, templateIds: others }));
    throw doubt.error;
  }
  const absent = forgets ? [...proof.absent] : [];
  const isNew = templates.some(({ id }) => !known.has(id));
  const untold = lacking.filter((id) => !before?.last.ids.has(id) && !before?.last.lacks.has(id));
  for (const chunk of chunksOf(moved, CHUNK))
    await within((tables) => keepChunk(services, tables, { ...book, templates: chunk }));
  const looked = templates.filter(({ id }) => (known.get(id)?.reading ?? 0) <= began.lastReading);
  const words = ({ verified_carriers }: AddressTemplate) => 1 + verified_carriers.length;
  for (const chunk of chunksByWeight(looked, MOST_COMPARED, words))
    await within(async (tables) => {
      await refuseSuperseded(tables, ref);
      const read = chunk.map((template) => ({
        template,
        emptied: stillEmptied(known.get(template.id) ?? null, template),
      }));
      await applyPollResult(services, tables, { ref, read, listed: true });
    });
  const [lost = [], ...moreLost] = chunksOf(await newlyUnreadable(services, book), CHUNK);
  // Requested before the book remembers that they were told: should the process end in between, the next listing requests them again.
  for (const templateIds of moreLost) await within((tables) => requestLinked(services, tables, { ref, templateIds }));
  const newly = new Set(anew);
  const lackingElse = lacking.filter((templateId) => templateId !== book.missed);
  const told = new Set(lackingElse.filter((templateId) => !newly.has(templateId)));
  const { later, marks } = await within(async (tables) => {
    const nowMs = services.clock.nowMs();
    const connection = await tables.connections.find({ id: ref.id, version: ref.version });
    if (!connection) throw superseded("the connection has changed");
    const bookUnreadable = await keptUnreadable(tables, {
      connection,
      unreadable,
      nowMs,
      listed,
      lacking,
      untold,
      isNew,
    });
    const bookConfirmedAtMs = provedFromMs(services, proof) ?? connection.bookConfirmedAtMs;
    const reading = await nextReading(tables, ref);
    await tables.connections.update({ id: ref.id }, { bookReadAtMs: nowMs, bookConfirmedAtMs, bookUnreadable });
    // A row that was read while the pages came knows better than the pages.
    const older = { ...key, reading: { lte: began.lastReading } };
    const asTheyWere = await tables.templates.list({ ...older, templateId: { in: [...unread] } });
    await forgetAbsent(tables, { ref, older, absent, unreadable: bookUnreadable });
    await markUnlisted(tables, { older, lacking, listed, nowMs });
    await tables.templates.update(
      { ...older, unlistedSinceMs: null, disputedSinceMs: null },
      { readAtMs: nowMs, reading },
    );
    for (const rows of Map.groupBy(asTheyWere, ({ readAtMs, reading }) => `${readAtMs} ${reading}`).values()) {
      const templateId = { in: rows.map((row) => row.templateId) };
      await tables.templates.update({ ...key, templateId }, { readAtMs: rows[0]!.readAtMs, reading: rows[0]!.reading });
    }
    const [first = [], ...others] = chunksOf([...lost, ...lackingElse], CHUNK);
    await requestLinked(services, tables, { ref, templateIds: first, told });
    const isProved = proof.provedFromMs !== (before?.provedFromMs ?? null);
    await endWaiting(services, tables, { shop: ref.shop, isProved, holdsAll: lacking.length === 0 });
    return {
      later: others,
      marks: new Map(lacking.map((templateId) => [templateId, markOf(templateId) ?? nowMs])),
    };
  });
  keepProof(services, ref, { proof, marks });
  // Should the process end here, the next listing lacks them too.
  for (const templateIds of later)
    await within((tables) => requestLinked(services, tables, { ref, templateIds, told }));
}

/** Ids of the rows that cannot be read and that no reading has told of. */
async function newlyUnreadable({ store, log }: Services, { ref, unreadable }: Book): Promise<string[]> {
  const { bookUnreadable = [] } = (await store.connections.find({ id: ref.id })) ?? {};
  const told = new Set(bookUnreadable.map(rowKey));
  const news = unreadable.filter((row) => !told.has(rowKey(row)));
  for (const row of news) log.warn({ shop: ref.shop, ...row }, "a row of the address book cannot be read");
  return news.flatMap(({ id }) => (id === null ? [] : [id]));
}

async function refuseSuperseded(tables: Tables, { id, version }: ConnectionRef): Promise<void> {
  if ((await tables.connections.count({ id, version })) === 0) throw superseded("the connection has changed");
}

/**
 * What one page showed of templates, at most twenty, and what the carriers say there. It says nothing of what it lacks, and the book counts
 * as read no more than before. In the caller's transaction.
 */
export async function keepShown(
  services: Services,
  tables: Tables,
  { ref, templates, began }: Shown & { ref: ConnectionRef },
): Promise<void> {
  const key = { shop: ref.shop, connectionId: ref.id };
  const rows = await tables.templates.list({ ...key, templateId: { in: templates.map(({ id }) => id) } });
  const known = new Map(rows.map((row) => [row.templateId, row]));
  await keepChunk(services, tables, { ref, templates, began });
  const read = templates
    .filter(({ id }) => (known.get(id)?.reading ?? 0) <= began.lastReading)
    .map((template) => ({ template, emptied: stillEmptied(known.get(template.id) ?? null, template) }));
  await applyPollResult(services, tables, { ref, read, listed: true });
}

async function keepChunk(
  services: Services,
  tables: Tables,
  { ref, templates, began }: Shown & { ref: ConnectionRef },
): Promise<void> {
  const key = { shop: ref.shop, connectionId: ref.id };
  await refuseSuperseded(tables, ref);
  const moved: string[] = [];
  const disputed: string[] = [];
  const read = { readAtMs: services.clock.nowMs(), reading: await nextReading(tables, ref) };
  const rows = await tables.templates.list({ ...key, templateId: { in: templates.map(({ id }) => id) } });
  const known = new Map(rows.map((row) => [row.templateId, row]));
  for (const template of templates) {
    const before = known.get(template.id) ?? null;
    const isNews = !same(before && valuesOfTemplate(before.template), valuesOfTemplate(template));
    // Nobody knows which of two is the newer one when the template was read by itself between the listing's begin and its end.
    if (before && (before.reading > began.lastReading || isAheadOfLists(services, before, began))) {
      if (isNews) disputed.push(template.id);
      continue;
    }
    const emptied = stillEmptied(before, template);
    await learnOfUnnamed(tables, { ref, before, template, emptied, said: undefined });
    const told = { template, ...read, disputedSinceMs: null, emptied };
    if (before) await tables.templates.update({ ...key, templateId: template.id }, told);
    else {
      await tables.templates.insert(newTemplate({ ...key, template, ...read }));
      forgetAbsence(services.clock, { connectionId: ref.id, templateId: template.id });
    }
    if (isNews) moved.push(template.id);
  }
  // A list may be behind our deletion. Whoever links what it shows is to ask for it first, and a list of later tells.
  const added = templates.map(({ id }) => id).filter((id) => !known.has(id));
  disputed.push(...(await deletedLately(services, tables, { shop: ref.shop, templateIds: added })).keys());
  await listAgain(services, tables, { ref, templateIds: disputed });
  await requestLinked(services, tables, { ref, templateIds: [...moved, ...disputed] });
}

/** A list may be behind what a GET or the answer to a write showed shortly before it began. */
function isAheadOfLists({ clock, settings }: Services, row: TemplateRecord, { startedMs }: Beginning): boolean {
  if (row.aloneAtMs === null) return false;
  const sinceMs = startedMs - settings.listingsApartMs;
  // The stored time tells of another process that lives; its date may be another one, so it only ever adds to what this one counts.
  return mayBeSeenAloneSince(clock, row, sinceMs) || isYoung(clock, row.aloneAtMs, clock.monotonicMs() - sinceMs);
}

function same<T>(a: T, b: T): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
