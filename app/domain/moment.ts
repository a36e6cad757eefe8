/**
 * How long ago something was, although a machine may have slept or somebody may have set its wall clock: the two clocks give a lower and an
 * upper bound. The lower bound is the monotonic clock's; it decides whether something has lasted long enough (a quarantine, somebody's
 * lease). The upper bound decides whether something is still young (a reading, a plan, an announcement).
 */

/** A moment by both clocks of the machine. It means something in this process's memory only, so it never goes into the store. */
export interface Moment {
  machineMs: number;
  monotonicMs: number;
}

/**
 * What the time of day may be corrected by meanwhile, as it is where several processes go by one clock. Taking another date over moves it by
 * more than five seconds (`domain/dates.ts`).
 */
const MAY_CORRECT_MS = 1_000;

interface Clocks {
  machineMs(): number;
  monotonicMs(): number;
}

export function momentOf(clock: Clocks): Moment {
  return { machineMs: clock.machineMs(), monotonicMs: clock.monotonicMs() };
}

/** Upper bound of the milliseconds since then: a sleep counts, and so does a wall clock that was set ahead. */
export function atMostAgoMs(clock: Clocks, then: Moment): number {
  return Math.max(clock.machineMs() - then.machineMs, clock.monotonicMs() - then.monotonicMs);
}

/**
 * Whether something stored with this time of day is at most so old. The age of something dated in the future is unknown, so that is not
 * young.
 */
export function isYoung(clock: { nowMs(): number }, atMs: number, withinMs: number): boolean {
  const agoMs = clock.nowMs() - atMs;
  return agoMs >= 0 && agoMs <= withinMs;
}

/** Whether the time of day has run evenly since then: the process has not adopted another date. */
export function isSameDay(clock: Clocks & { nowMs(): number }, then: Moment & { nowMs: number }): boolean {
  const lastedMs = clock.monotonicMs() - then.monotonicMs;
  return Math.abs(clock.nowMs() - then.nowMs - lastedMs) <= MAY_CORRECT_MS;
}

/** How much more the wall clock has advanced than the monotonic one since then: the machine slept, or somebody set the wall clock. */
export function gainedMs(clock: Clocks, then: Moment): number {
  return clock.machineMs() - then.machineMs - (clock.monotonicMs() - then.monotonicMs);
}
