import type { ConnectionRecord, RememberedRow, UnreadableRow } from "../domain/records.ts";
import type { Tables } from "../ports.ts";

/** Rows that cannot be read, told apart from one reading of the book to the next, and which template a row without an id may be. */

/**
 * Since when each row was there, by the rows that were remembered before; null where none of them is it. Rows that cannot be told apart
 * are counted: one more than before has come now. Of fewer the latest are taken to be left, for what was there before a create is taken
 * not to be what it made.
 */
function sinceBefore(rows: readonly UnreadableRow[], before: readonly RememberedRow[]): (number | null)[] {
  const since = new Map<string, number[]>();
  for (const row of before.toSorted((a, b) => a.sinceMs - b.sinceMs))
    since.set(rowKey(row), [...(since.get(rowKey(row)) ?? []), row.sinceMs]);
  return rows.map((row) => since.get(rowKey(row))?.pop() ?? null);
}

/**
 * Rows as one client id remembers them, each with the earlier of its own time and that of another client id of the same account, and with what
 * either says that it may be.
 */
export function asKnownToBoth(rows: readonly RememberedRow[], others: readonly RememberedRow[]): RememberedRow[] {
  const since = sinceBefore(rows, others);
  const theirs = Map.groupBy(others, rowKey);
  return rows.map((row, index) => {
    const sinceMs = Math.min(row.sinceMs, since[index] ?? row.sinceMs);
    if (row.id !== null) return { ...row, sinceMs };
    const either = [row, ...(theirs.get(rowKey(row)) ?? [])].map(({ candidates = null }) => candidates);
    const candidates = either.includes(null) ? null : [...new Set(either.flatMap((ids) => ids!))];
    return { ...row, sinceMs, candidates };
  });
}

/** The same row, seen again. */
export function rowKey({ id, name, what }: UnreadableRow): string {
  return JSON.stringify([id ?? [name], what]);
}

/** So many templates a row remembers that it may be, and all rows of a book together. */
const MOST_CANDIDATES = 100;
const MOST_CANDIDATES_IN_ALL = 2_000;

/** What a listing showed. */
interface Shown {
  /** Every id. */
  listed: ReadonlySet<string>;
  /** Known templates that it lacks. */
  lacking: readonly string[];
  /** Of those, the ones of which no listing has told before: a row of before may be one of them. */
  untold: readonly string[];
  /** It shows templates that nobody knew: a row of before may have been one of them. */
  isNew: boolean;
}

/**
 * Rows with the templates that each of those without an id may be. A new row may be whatever the listing lacks; one that was there before, what
 * it may have been then and the listing still lacks. Rows that cannot be told apart may have changed places where there are fewer of them now,
 * or where one that they may have been is listed again, or one that nobody knew: then each may be any of theirs, or whatever is lacking.
 * `isCut`: some rows are not remembered; then those that are may be any template.
 */
export function withCandidates(
  rows: readonly RememberedRow[],
  before: readonly RememberedRow[],
  { listed, lacking, untold, isNew, isCut = false }: Shown & { isCut?: boolean },
): RememberedRow[] {
  const isNameless = ({ id }: UnreadableRow) => id === null;
  const lacks = new Set(lacking);
  const all = lacking.length > MOST_CANDIDATES ? null : [...lacking];
  const remembered = Map.groupBy(before.filter(isNameless), rowKey);
  const candidates = new Map<RememberedRow, string[] | null>();
  for (const [key, group] of Map.groupBy(rows.filter(isNameless), rowKey)) {
    const former = (remembered.get(key) ?? []).map((row) => row.candidates ?? null);
    const isBack = isNew || former.some((ids) => ids?.some((id) => listed.has(id)));
    const left = former.map((ids) =>
      isBack || ids === null ? all : [...new Set([...ids.filter((id) => lacks.has(id)), ...untold])],
    );
    const either = left.includes(null) ? null : [...new Set(left.flatMap((ids) => ids!))];
    // The earlier rows come first, as they were remembered.
    const byAge = group.toSorted((a, b) => a.sinceMs - b.sinceMs);
    for (const [index, row] of byAge.entries())
      candidates.set(row, group.length < left.length ? either : index < left.length ? left[index]! : all);
  }
  const remembers = (ids: string[] | null): ids is string[] => !isCut && ids !== null && ids.length <= MOST_CANDIDATES;
  const inAll = [...candidates.values()].reduce((sum, ids) => sum + (remembers(ids) ? ids.length : 0), 0);
  return rows.map((row) => {
    if (!isNameless(row)) return row;
    const ids = candidates.get(row)!;
    return { ...row, candidates: remembers(ids) && inAll <= MOST_CANDIDATES_IN_ALL ? ids : null };
  });
}

/** Whether a row without an id may be this template: no listing tells then whether it is gone. */
export function mayBeNameless(templateId: string, unreadable: readonly RememberedRow[]): boolean {
  return unreadable.some(({ id, candidates = null }) => id === null && (candidates?.includes(templateId) ?? true));
}

/** The same of many templates: those that no row without an id may be. */
export function withoutNameless<T extends { templateId: string }>(
  templates: readonly T[],
  unreadable: readonly RememberedRow[],
): T[] {
  const nameless = unreadable.filter(({ id }) => id === null);
  if (nameless.some(({ candidates }) => !candidates)) return [];
  const may = new Set(nameless.flatMap(({ candidates }) => candidates!));
  return templates.filter(({ templateId }) => !may.has(templateId));
}

/**
 * The same where some other templates are known to be there, each of which must be a row of its own. A row of which none is there that it may
 * have been is another template's by now, perhaps this one's.
 */
export function mayStillBe(
  templateId: string,
  { unreadable, there }: { unreadable: readonly RememberedRow[]; there: readonly string[] },
): boolean {
  const rows = unreadable.filter(({ id }) => id === null);
  const isNobodys = ({ candidates }: RememberedRow) =>
    !!candidates && candidates.length > 0 && !candidates.some((id) => there.includes(id));
  const mayBe = (row: RememberedRow) => mayBeNameless(templateId, [row]) || isNobodys(row);
  return rows.some(
    (row) =>
      mayBe(row) &&
      fit(
        there,
        rows.filter((each) => each !== row),
      ),
  );
}

/** Whether each of these templates can be a row of its own (augmenting paths). */
function fit(templateIds: readonly string[], rows: readonly RememberedRow[]): boolean {
  const takenBy = new Map<RememberedRow, string>();
  const place = (templateId: string, tried: Set<RememberedRow>): boolean => {
    for (const row of rows) {
      if (tried.has(row) || !mayBeNameless(templateId, [row])) continue;
      tried.add(row);
      const other = takenBy.get(row);
      if (other !== undefined && !place(other, tried)) continue;
      takenBy.set(row, templateId);
      return true;
    }
    return false;
  };
  return templateIds.every((templateId) => place(templateId, new Set()));
}

const MOST_UNREADABLE_KEPT = 200;

/** As they are remembered: those that stand for a location first, then one without an id, each with the time since when it is so. */
export async function keptUnreadable(
  tables: Pick<Tables, "links">,
  {
    connection,
    unreadable,
    nowMs,
    ...shown
  }: Shown & { connection: ConnectionRecord; unreadable: UnreadableRow[]; nowMs: number },
): Promise<RememberedRow[]> {
  if (unreadable.length === 0) return [];
  const { shop, id: connectionId } = connection;
  const ids = unreadable.flatMap(({ id }) => (id === null ? [] : [id]));
  const links = await tables.links.list({ shop, connectionId, templateId: { in: ids } });
  const linked = new Set<string | null>(links.map(({ templateId }) => templateId));
  const inOrder = unreadable.toSorted((a, b) => Number(linked.has(b.id)) - Number(linked.has(a.id)));
  const rows = inOrder.slice(0, MOST_UNREADABLE_KEPT);
  const cut = inOrder.slice(MOST_UNREADABLE_KEPT).find(({ id }) => id === null);
  // One at least is remembered, which says that any template may be among the others.
  if (cut && !rows.some(({ id }) => id === null)) rows.splice(-1, 1, cut);
  const since = sinceBefore(rows, connection.bookUnreadable);
  const remembered = rows.map((row, index) => ({ ...row, sinceMs: since[index] ?? nowMs }));
  return withCandidates(remembered, connection.bookUnreadable, { ...shown, isCut: cut !== undefined });
}
