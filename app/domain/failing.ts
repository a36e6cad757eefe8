import { NEVER_MS } from "./backoff.ts";
import type { WorkItem } from "./records.ts";

/**
 * When it is told to its owner that a work item does not come through: what fails once or twice is tried again before anybody could look.
 */

const MANY_FAILURES = 5;
/** Where it is requested again every few minutes, the failures never add up to many. */
const LONG_MS = 10 * 60_000;
/** Two processes' times of day differ by what their machine's wall clock was corrected in between. */
const AHEAD_MS = 60_000;
/** What is due and has not begun after this stands in the queue of its shop, of which Home tells how long it takes. */
const BEGINS_WITHIN_MS = 60_000;

/**
 * Whether a work item fails again and again, or was given up; it is tried again by itself all the same. One that had waited long for
 * something else before it failed the first time has kept its owner waiting as long.
 */
export function keepsFailing(
  { state, failures, failingSinceMs, pendingSinceMs }: Stands & Pick<WorkItem, "failures" | "failingSinceMs">,
  nowMs: number,
): boolean {
  if (state === "parked" || failures >= MANY_FAILURES) return true;
  return isLong(failingSinceMs, nowMs) || (failures > 0 && isLong(pendingSinceMs, nowMs));
}

/** Whether something was asked of a work item long ago that it has not come to since, for the reason that it gives. */
export function waitsLong(
  workItem: Stands & Pick<WorkItem, "generation" | "observedGeneration" | "reason" | "dueAtMs">,
  nowMs: number,
) {
  const { state, generation, observedGeneration, reason, dueAtMs, pendingSinceMs } = workItem;
  if (state !== "active" || generation <= observedGeneration || reason === null || dueAtMs >= NEVER_MS) return false;
  return dueAtMs > nowMs - BEGINS_WITHIN_MS && isLong(pendingSinceMs, nowMs);
}

type Stands = Pick<WorkItem, "state" | "pendingSinceMs">;

/** A beginning that is still to come was dated by another clock: nobody knows for how long it has lasted, so it counts as long. */
function isLong(sinceMs: number | null, nowMs: number): boolean {
  if (sinceMs === null) return false;
  const agoMs = nowMs - sinceMs;
  return agoMs >= LONG_MS || agoMs < -AHEAD_MS;
}

/** Of several the one that has failed longest, or waited. */
export function longestFailing(workItems: WorkItem[]): WorkItem {
  const sinceMs = ({ failingSinceMs, pendingSinceMs }: WorkItem) => failingSinceMs ?? pendingSinceMs ?? 0;
  return workItems.reduce((first, next) => (sinceMs(next) < sinceMs(first) ? next : first));
}
