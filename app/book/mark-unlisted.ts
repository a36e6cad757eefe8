import type { Listing } from "../domain/listings.ts";
import type { ConnectionRef, Services, Tables, Where } from "../ports.ts";
import type { ConnectionRecord, WorkItemReason, TemplateRecord, UnreadableRow } from "../domain/records.ts";
import { superseded } from "../runs/run.ts";
import type { Beginning } from "./number-readings.ts";

/** Which known templates a listing lacks, and which it holds again. */

export interface Compared {
  /** Every id of the listing. */
  listed: ReadonlySet<string>;
  /** Known templates that it lacks. */
  lacking: readonly string[];
}

interface ComparedAnew extends Compared {
  /** Of those, the ones that are not marked: something has shown them since the listing before. */
  anew: readonly string[];
}

/** A listing that ended just now, as its proof needs it. */
export function listingOf(
  { clock }: Pick<Services, "clock">,
  book: { unreadable: readonly UnreadableRow[]; began: Beginning },
  { listed, lacking, anew }: ComparedAnew,
): Listing {
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
  for (const row of await tables.templates.list({ ...older, unlistedSinceMs: { not: null } })) {
    const { connectionId, templateId } = row;
    if (listed.has(templateId)) await tables.templates.update({ connectionId, templateId }, { unlistedSinceMs: null });
  }
  const news = { ...older, templateId: { in: lacking }, unlistedSinceMs: null };
  await tables.templates.update(news, { unlistedSinceMs: nowMs });
}

interface Absent {
  ref: ConnectionRef;
  older: Where<TemplateRecord>;
  absent: readonly string[];
  /** As remembered with the connection. */
  unreadable: ConnectionRecord["bookUnreadable"];
}

/**
 * Rows that are proved to be absent go, with what the carriers said: those that an earlier listing marked and nothing showed since. Not
 * what stands for a location, whose own GET tells, nor what may be a row without an id that came when it went.
 */
export async function forgetAbsent(
  tables: Pick<Tables, "templates" | "verifications" | "links">,
  { ref, older, absent, unreadable }: Absent,
): Promise<void> {
  if (absent.length === 0) return;
  const key = { shop: ref.shop, connectionId: ref.id };
  const linked = new Set((await tables.links.list(key)).map(({ templateId }) => templateId));
  const marked = { ...older, templateId: { in: absent }, unlistedSinceMs: { not: null } };
  for (const row of await tables.templates.list(marked)) {
    const { templateId } = row;
    if (!linked.has(templateId) && !mayBeNameless(row, unreadable))
      await forgetTemplate(tables, { ...key, templateId });
  }
}

/** Whether a row without an id came when this template went, so that no listing tells whether it is gone. */
export function mayBeNameless(
  { unlistedSinceMs }: Pick<TemplateRecord, "unlistedSinceMs">,
  unreadable: ConnectionRecord["bookUnreadable"],
): boolean {
  return unlistedSinceMs !== null && unreadable.some(({ id, sinceMs }) => id === null && sinceMs >= unlistedSinceMs);
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

const FOR_THE_BOOK: readonly WorkItemReason["code"][] = ["book_unread", "book_unconfirmed", "book_unreadable"];

/** The book is proved to be whole: whoever waits for that comes now. */
export async function endWaiting(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "workItems">,
  shop: string,
): Promise<void> {
  const nowMs = clock.nowMs();
  const waiting = { shop, kind: { in: ["location", "template"] }, state: "active", leaseUntilMs: null } as const;
  for (const { id, reason } of await tables.workItems.list({ ...waiting, dueAtMs: { gt: nowMs } })) {
    if (reason !== null && FOR_THE_BOOK.includes(reason.code))
      await tables.workItems.update({ id, leaseUntilMs: null }, { dueAtMs: nowMs });
  }
}
