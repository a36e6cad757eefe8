import { chunksOf } from "../domain/chunks.ts";
import type { Listing } from "../domain/listings.ts";
import type { ConnectionRef, Services, Tables, Where } from "../ports.ts";
import type { RememberedRow, WorkItemReason, TemplateRecord, UnreadableRow } from "../domain/records.ts";
import { superseded } from "../runs/run.ts";
import { beginRemembering } from "./alone-readings.ts";
import type { Beginning } from "./number-readings.ts";
import { withoutNameless } from "./same-rows.ts";

/** Which known templates a listing lacks, and which it holds again. */

/** How many rows one statement names. */
const CHUNK = 500;

export interface Compared {
  /** Every id of the listing. */
  listed: ReadonlySet<string>;
  /** Known templates that it lacks. */
  lacking: readonly string[];
}

interface ComparedAnew extends Compared {
  /** Of those, the ones whose mark is not the one that the listing before left: something has shown them since. */
  anew: readonly string[];
}

/** A listing that ended just now, as its proof needs it. */
export function listingOf(
  { clock }: Pick<Services, "clock">,
  book: { unreadable: readonly UnreadableRow[]; began: Beginning },
  { listed, lacking, anew }: ComparedAnew,
): Listing {
  // Or a process whose first reading this is could not tell what it saw before the listing from what it saw after it.
  beginRemembering(clock);
  return {
    ids: listed,
    nameless: book.unreadable.filter(({ id }) => id === null).length,
    lacks: new Set(lacking),
    lacksAnew: new Set(anew),
    startedMs: book.began.startedMs,
    endedMs: clock.monotonicMs(),
  };
}

/** `older`: rows that nobody read while the pages came. A row that lost its mark was listed again, which its own GET need not be. */
export async function markUnlisted(
  tables: Pick<Tables, "templates">,
  { listed, lacking, older, nowMs }: Compared & { older: Where<TemplateRecord>; nowMs: number },
): Promise<void> {
  const marked = await tables.templates.list({ ...older, unlistedSinceMs: { not: null } });
  const again = marked.filter(({ templateId }) => listed.has(templateId)).map(({ templateId }) => templateId);
  for (const some of chunksOf(again, CHUNK))
    await tables.templates.update({ ...older, templateId: { in: some } }, { unlistedSinceMs: null });
  for (const some of chunksOf(lacking, CHUNK)) {
    const news = { ...older, templateId: { in: some }, unlistedSinceMs: null };
    await tables.templates.update(news, { unlistedSinceMs: nowMs });
  }
}

interface Absent {
  ref: ConnectionRef;
  older: Where<TemplateRecord>;
  absent: readonly string[];
  /** As remembered with the connection. */
  unreadable: readonly RememberedRow[];
}

/**
 * Rows that are proved to be absent go, with what the carriers said: those that an earlier listing marked and nothing showed since. Not
 * what stands for a location, whose own GET tells, nor what may be a row without an id.
 */
export async function forgetAbsent(
  tables: Pick<Tables, "templates" | "verifications" | "links">,
  { ref, older, absent, unreadable }: Absent,
): Promise<void> {
  if (absent.length === 0) return;
  const key = { shop: ref.shop, connectionId: ref.id };
  for (const some of chunksOf(absent, CHUNK)) {
    const links = await tables.links.list({ ...key, templateId: { in: some } });
    const linked = new Set(links.map(({ templateId }) => templateId));
    const marked = await tables.templates.list({ ...older, templateId: { in: some }, unlistedSinceMs: { not: null } });
    const gone = withoutNameless(marked, unreadable).filter((row) => !linked.has(row.templateId));
    const which = { ...key, templateId: { in: gone.map(({ templateId }) => templateId) } };
    if (gone.length === 0) continue;
    await tables.templates.delete(which);
    await tables.verifications.delete(which);
  }
}

/** A template that is gone, with what the carriers said of it. */
export async function forgetTemplate(
  tables: Pick<Tables, "templates" | "verifications">,
  { shop, connectionId, templateId }: { shop: string; connectionId: string; templateId: string },
): Promise<void> {
  const key = { shop, connectionId, templateId };
  await tables.templates.delete(key);
  await tables.verifications.delete(key);
}

/**
 * The same for one whose own GET is believed in a transaction before this one. Somebody may have read it since, and linked it.
 *
 * @throws AppError `superseded` where something has shown it since: it stays, with what the carriers said of it.
 */
export async function forgetMissing(
  tables: Pick<Tables, "templates" | "verifications">,
  key: { shop: string; connectionId: string; templateId: string },
): Promise<void> {
  if ((await tables.templates.count({ ...key, absentSinceMs: null })) > 0)
    throw superseded("a template was believed gone, and something has shown it since");
  await forgetTemplate(tables, key);
}

const FOR_ITS_READING: readonly WorkItemReason["code"][] = ["book_unread", "book_unreadable"];

/**
 * The book was read, and perhaps proved to be whole: whoever waits for that comes now. So does whoever failed at the list, where this listing
 * holds all that is known: one that leaves something out would be what it failed of.
 */
export async function endWaiting(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "workItems">,
  { shop, isProved, holdsAll }: { shop: string; isProved: boolean; holdsAll: boolean },
): Promise<void> {
  const ended = isProved ? [...FOR_ITS_READING, "book_unconfirmed"] : FOR_ITS_READING;
  const nowMs = clock.nowMs();
  const waiting = {
    shop,
    kind: { in: ["location", "template", "verification", "move"] },
    state: "active",
    leaseUntilMs: null,
  } as const;
  const later = await tables.workItems.list({ ...waiting, dueAtMs: { gt: nowMs } });
  const isForBook = ({ code, operation }: WorkItemReason) => ended.includes(code) || (holdsAll && operation === "list");
  const forBook = later.filter(({ reason }) => reason !== null && isForBook(reason));
  for (const some of chunksOf(forBook, CHUNK))
    await tables.workItems.update(
      { shop, id: { in: some.map(({ id }) => id) }, leaseUntilMs: null },
      { dueAtMs: nowMs, updatedAtMs: nowMs },
    );
}
