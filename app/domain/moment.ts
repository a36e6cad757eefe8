/**
 * How long ago something was, where a machine may have slept or its wall clock may have been set: the two clocks give a least and a
 * most. What must have lasted (a quarantine, somebody's lease) is measured by the monotonic clock, which is the least; what must not
 * be old (a reading, a plan, an announcement) by the most.
 */

/** A moment by both clocks of the machine; for keeping in memory, never in the store. */
export interface Moment {
  machineMs: number;
  monotonicMs: number;
}

const ROUNDING_MS = 2;

interface Clocks {
  machineMs(): number;
  monotonicMs(): number;
}

export function momentOf(clock: Clocks): Moment {
  return { machineMs: clock.machineMs(), monotonicMs: clock.monotonicMs() };
}

/** Milliseconds since then at most: a sleep counts, and so does a wall clock that was set ahead. */
export function atMostAgoMs(clock: Clocks, then: Moment): number {
  return Math.max(clock.machineMs() - then.machineMs, clock.monotonicMs() - then.monotonicMs);
}

/** Whether what is kept with this time of day is at most so old; what is dated later than now is of no age that anybody knows. */
export function isYoung(clock: { nowMs(): number }, atMs: number, withinMs: number): boolean {
  const agoMs = clock.nowMs() - atMs;
  return agoMs >= 0 && agoMs <= withinMs;
}

/** Whether the time of day has gone on evenly since then: nobody took another date over. */
export function isSameDay(clock: Clocks & { nowMs(): number }, then: Moment & { nowMs: number }): boolean {
  const lastedMs = clock.monotonicMs() - then.monotonicMs;
  return Math.abs(clock.nowMs() - then.nowMs - lastedMs) <= ROUNDING_MS;
}

/** What the wall clock has gained on the monotonic one since then: by a sleep of the machine, or because it was set. */
export function gainedMs(clock: Clocks, then: Moment): number {
  return clock.machineMs() - then.machineMs - (clock.monotonicMs() - then.monotonicMs);
}
