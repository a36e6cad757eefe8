import type { TargetRecord } from "./records.ts";

/** When a target's own failures are told to its owner: what fails once or twice is tried again before anybody could look. */

const MANY_FAILURES = 5;
/** With a raise every few minutes the failures never add up to many. */
const LONG_MS = 10 * 60_000;

/** Whether a target fails again and again, or was given up; it is tried again by itself all the same. */
export function keepsFailing(
  { state, failures, failingSinceMs }: Pick<TargetRecord, "state" | "failures" | "failingSinceMs">,
  nowMs: number,
): boolean {
  if (state === "parked") return true;
  return failures >= MANY_FAILURES || (failingSinceMs !== null && nowMs - failingSinceMs >= LONG_MS);
}

/** Of several the one that has failed longest. */
export function longestFailing(targets: TargetRecord[]): TargetRecord {
  return targets.reduce((first, next) => ((next.failingSinceMs ?? 0) < (first.failingSinceMs ?? 0) ? next : first));
}
