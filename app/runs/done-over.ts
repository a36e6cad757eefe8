import type { Services } from "../ports.ts";

/**
 * How often in a row a work item's runs ended only to be done over, in this process. Kept in memory: a process that begins is a change, too,
 * and has a few tries of its own.
 */

type Clock = Services["clock"];

/** So many tries are free: what changed meanwhile is read, and mostly the next run gets through. */
const FREE_TRIES = 3;
/** The same, while somebody asks for the work item during its runs: that may be what overtakes them, but not for ever. */
const FREE_TRIES_ASKED = 10;

const rows = new WeakMap<Clock, Map<string, number>>();

/** Counts a run's end: `isDoneOver`, or one that came to something. */
export function countDoneOver(clock: Clock, workItemId: string, isDoneOver: boolean): void {
  const counts = rows.get(clock) ?? new Map<string, number>();
  rows.set(clock, counts);
  if (isDoneOver) counts.set(workItemId, (counts.get(workItemId) ?? 0) + 1);
  else counts.delete(workItemId);
}

/** Whether a work item is done over time after time, which is a failure. */
export function isTimeAfterTime(clock: Clock, workItemId: string, { asked }: { asked: boolean }): boolean {
  const tries = rows.get(clock)?.get(workItemId) ?? 0;
  return tries >= (asked ? FREE_TRIES_ASKED : FREE_TRIES);
}
