import type { WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";

/**
 * How often in a row a work item's runs ended only to be done over, in this process. Kept in memory: a process that begins is a change, too,
 * and has a few tries of its own. Where a run of another process came through meanwhile, the row has another observed generation, and the
 * count begins anew.
 */

type Clock = Services["clock"];
type Item = Pick<WorkItem, "id" | "observedGeneration">;

interface Count {
  times: number;
  observedGeneration: number;
}

/** So many tries are free: what changed meanwhile is read, and mostly the next run gets through. */
const FREE_TRIES = 3;
/** The same, while somebody asks for the work item during its runs: that may be what overtakes them, but not for ever. */
const FREE_TRIES_ASKED = 10;

const rows = new WeakMap<Clock, Map<string, Count>>();

function timesOf(clock: Clock, { id, observedGeneration }: Item): number {
  const known = rows.get(clock)?.get(id);
  return known?.observedGeneration === observedGeneration ? known.times : 0;
}

/** Counts a run's end: `isDoneOver`, or one that came to something. `item` is as it was claimed. */
export function countDoneOver(clock: Clock, item: Item, isDoneOver: boolean): void {
  const counts = rows.get(clock) ?? new Map<string, Count>();
  rows.set(clock, counts);
  const { id, observedGeneration } = item;
  if (isDoneOver) counts.set(id, { times: timesOf(clock, item) + 1, observedGeneration });
  else counts.delete(id);
}

/** Whether a work item is done over time after time, which is a failure. */
export function isTimeAfterTime(clock: Clock, item: Item, { asked }: { asked: boolean }): boolean {
  return timesOf(clock, item) >= (asked ? FREE_TRIES_ASKED : FREE_TRIES);
}
