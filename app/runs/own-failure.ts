import { costRestMs, longestDelayMs, NEVER_MS, ownBackoffMs, PARK_AFTER_FAILURES } from "../domain/backoff.ts";
import type { WorkItemKind, WorkItemReason, WorkItem } from "../domain/records.ts";

/** Kinds of work that no page shows with a button: parked, they would never be tried again. */
const NEVER_PARKED: readonly WorkItemKind[] = ["reconcile", "job", "uninstall", "redact", "told", "flow"];

/** How long a work item rests at most that failed at something, and was asked for since that run began: what was said may mend it. */
const ASKED_REST_MS = 60_000;

export type AfterFailure = Pick<WorkItem, "failures" | "failingSinceMs" | "state" | "reason" | "dueAtMs">;

interface Failure {
  reason: WorkItemReason;
  chance: number;
  nowMs: number;
  calls?: number;
  /** Somebody has asked for it since what failed began. */
  isAskedAgain?: boolean;
}

/**
 * A work item after one more failure of its own: it rests longer each time, and the longer the more calls that cost, and is parked in the end.
 * Its reason says what all of them cost, of whatever kind they were. Where it says so no more, those before cost as much as this one.
 */
export function afterOwnFailure(
  workItem: Pick<WorkItem, "kind" | "failures" | "failingSinceMs" | "reason">,
  { reason, chance, nowMs, calls = 1, isAskedAgain = false }: Failure,
): AfterFailure {
  const failures = workItem.failures + 1;
  const inAll = calls + (workItem.failures === 0 ? 0 : (workItem.reason?.calls ?? workItem.failures * calls));
  const failingSinceMs = workItem.failingSinceMs ?? nowMs;
  const after = { failures, failingSinceMs, reason: { ...reason, calls: inAll } };
  if (failures >= PARK_AFTER_FAILURES && !NEVER_PARKED.includes(workItem.kind))
    return { ...after, state: "parked", dueAtMs: NEVER_MS };
  const costMs = Math.min(
    costRestMs(failures, { calls, inAll, failingForMs: nowMs - failingSinceMs }),
    longestDelayMs(workItem.kind, failures),
  );
  const restMs = Math.max(ownBackoffMs(failures, chance), costMs);
  return { ...after, state: "active", dueAtMs: nowMs + (isAskedAgain ? Math.min(restMs, ASKED_REST_MS) : restMs) };
}
