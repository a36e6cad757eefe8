import { NEVER_MS } from "./backoff.ts";
import type { WorkItem } from "./records.ts";

/** How many failures are shown to the owner: one or two are retried before the owner could look. */

const MANY_FAILURES = 5;
/** How long failures last until they are shown whatever their number: a work item that is requested every few minutes never counts many. */
const LONG_MS = 10 * 60_000;
/**
 * A time that lies ahead by less than this is normal: two processes' times of day differ by what the wall clock was corrected in between.
 */
const AHEAD_MS = 60_000;
/** A due work item that has not begun after this waits in the shop's queue; Home tells how long that takes. */
const BEGINS_WITHIN_MS = 60_000;

/**
 * Whether a work item fails again and again, or is parked; both are still tried again. The time that it waited for something else before
 * its first failure counts, because its owner has waited as long.
 */
export function keepsFailing(
  { state, failures, failingSinceMs, pendingSinceMs }: Stands & Pick<WorkItem, "failures" | "failingSinceMs">,
  nowMs: number,
): boolean {
  if (state === "parked" || failures >= MANY_FAILURES) return true;
  return isLong(failingSinceMs, nowMs) || (failures > 0 && isLong(pendingSinceMs, nowMs));
}

/** Whether a work item has waited long for the reason that it gives, while something was asked of it that no run has seen. */
export function waitsLong(
  workItem: Stands & Pick<WorkItem, "generation" | "observedGeneration" | "reason" | "dueAtMs">,
  nowMs: number,
) {
  const { state, generation, observedGeneration, reason, dueAtMs, pendingSinceMs } = workItem;
  if (state !== "active" || generation <= observedGeneration || reason === null || dueAtMs >= NEVER_MS) return false;
  return dueAtMs > nowMs - BEGINS_WITHIN_MS && isLong(pendingSinceMs, nowMs);
}

type Stands = Pick<WorkItem, "state" | "pendingSinceMs">;

/** Whether something has lasted long. A beginning in the future was written by another clock, so its age is unknown and counts as long. */
function isLong(sinceMs: number | null, nowMs: number): boolean {
  if (sinceMs === null) return false;
  const agoMs = nowMs - sinceMs;
  return agoMs >= LONG_MS || agoMs < -AHEAD_MS;
}

/** Of several work items, the one that has failed or waited longest. */
export function longestFailing(workItems: WorkItem[]): WorkItem {
  const sinceMs = ({ failingSinceMs, pendingSinceMs }: WorkItem) => failingSinceMs ?? pendingSinceMs ?? 0;
  return workItems.reduce((first, next) => (sinceMs(next) < sinceMs(first) ? next : first));
}
