import type { ConnectionRecord, UnreadableRow } from "../domain/records.ts";

/** Rows that cannot be read, told apart from one reading of the book to the next. */

type Remembered = ConnectionRecord["bookUnreadable"];

/**
 * Since when each row was there, by the rows that were remembered before; null where none of them is it. Rows that cannot be told apart
 * are counted: one more than before has come now. Of fewer the latest are taken to be left, for what was there before a create is taken
 * not to be what it made.
 */
export function sinceBefore(rows: readonly UnreadableRow[], before: Remembered): (number | null)[] {
  const since = new Map<string, number[]>();
  for (const row of before.toSorted((a, b) => a.sinceMs - b.sinceMs))
    since.set(rowKey(row), [...(since.get(rowKey(row)) ?? []), row.sinceMs]);
  return rows.map((row) => since.get(rowKey(row))?.pop() ?? null);
}

/** Rows as one client id remembers them, each with the earlier of its own time and that of another client id of the same account. */
export function asKnownToBoth(rows: Remembered, others: Remembered): Remembered {
  const since = sinceBefore(rows, others);
  return rows.map((row, index) => ({ ...row, sinceMs: Math.min(row.sinceMs, since[index] ?? row.sinceMs) }));
}

/** The same row, seen again. */
export function rowKey({ id, name, what }: UnreadableRow): string {
  return JSON.stringify([id ?? [name], what]);
}
