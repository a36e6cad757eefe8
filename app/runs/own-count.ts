import type { Services } from "../ports.ts";

/**
 * How long this process has known of something, by its monotonic clock. What must have lasted before something is erased or sent again is
 * measured so too, and not only by the time that is stored: a process beside this one may take the date for another one. Kept in memory,
 * for a process that begins has waited for nothing.
 */

type Clock = Services["clock"];

interface Known {
  /** What it was then; something else under the same key is counted anew. */
  mark: number;
  sinceMs: number;
}

const known = new WeakMap<Clock, Map<string, Known>>();

function countsOf(clock: Clock): Map<string, Known> {
  const counts = known.get(clock) ?? new Map<string, Known>();
  known.set(clock, counts);
  return counts;
}

/** Milliseconds; none where this process had not known of it before. */
export function knownForMs(clock: Clock, key: string, mark = 0): number {
  const found = countsOf(clock).get(key);
  if (found?.mark === mark) return clock.monotonicMs() - found.sinceMs;
  countsOf(clock).set(key, { mark, sinceMs: clock.monotonicMs() });
  return 0;
}

/** Counts as if the process had known of it for so long already. */
export function countAsKnown(clock: Clock, key: string, forMs: number): void {
  countsOf(clock).set(key, { mark: 0, sinceMs: clock.monotonicMs() - forMs });
}

/** Forgets all keys with this beginning but those given, which were read at `readMs` of the monotonic clock: later ones stay. */
export function keepKnown(clock: Clock, beginning: string, { keys, readMs }: { keys: string[]; readMs: number }): void {
  const counts = countsOf(clock);
  const there = new Set(keys);
  for (const [key, { sinceMs }] of counts)
    if (key.startsWith(beginning) && sinceMs < readMs && !there.has(key)) counts.delete(key);
}
