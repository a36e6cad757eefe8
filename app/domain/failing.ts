import type { TargetRecord } from "./records.ts";

/** When a target's own failures are told to its owner: what fails once or twice is tried again before anybody could look. */

const MANY_FAILURES = 5;
/** With a raise every few minutes the failures never add up to many. */
const LONG_MS = 10 * 60_000;
/** Two processes' times of day differ by what their machine's wall clock was corrected in between. */
const AHEAD_MS = 60_000;

/** Whether a target fails again and again, or was given up; it is tried again by itself all the same. */
export function keepsFailing(
  target: Pick<TargetRecord, "kind" | "state" | "failures" | "failingSinceMs" | "createdAtMs">,
  nowMs: number,
): boolean {
  const { kind, state, failures, failingSinceMs, createdAtMs } = target;
  if (state === "parked" || failures >= MANY_FAILURES) return true;
  if (failingSinceMs === null) return false;
  // A change by hand is sent once: its owner has waited since then, whatever it waited for before it failed.
  return isLong(nowMs - (kind === "template" ? Math.min(createdAtMs, failingSinceMs) : failingSinceMs));
}

/** A beginning that is still to come was dated by another clock: nobody knows for how long it has lasted, so it counts as long. */
function isLong(agoMs: number): boolean {
  return agoMs >= LONG_MS || agoMs < -AHEAD_MS;
}

/** Of several the one that has failed longest. */
export function longestFailing(targets: TargetRecord[]): TargetRecord {
  return targets.reduce((first, next) => ((next.failingSinceMs ?? 0) < (first.failingSinceMs ?? 0) ? next : first));
}
