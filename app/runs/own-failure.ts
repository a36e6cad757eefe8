import {
  CALLS_AT_FIRST,
  CALLS_WHERE_UNSURE,
  costRestMs,
  longestDelayMs,
  NEVER_MS,
  ownBackoffMs,
  PARK_AFTER_FAILURES,
} from "../domain/backoff.ts";
import { isWaitReason } from "../domain/reason-places.ts";
import type { WorkItemKind, WorkItemReason, WorkItem } from "../domain/records.ts";

/** Kinds of work that no page shows with a button: parked, they would never be tried again. */
const NEVER_PARKED: readonly WorkItemKind[] = ["reconcile", "uninstall", "redact"];

export type AfterFailure = Pick<WorkItem, "failures" | "failingSinceMs" | "state" | "reason" | "dueAtMs">;

/**
 * A work item after one more failure of its own: it rests longer each time, and the longer the more calls that cost, and is parked in the end.
 * What the failures before it cost is not known: as much as this one. Where the last of them was of another kind, passing troubles may have
 * cost a call each and be over, so more is let through before it rests for its cost.
 */
export function afterOwnFailure(
  workItem: Pick<WorkItem, "kind" | "failures" | "failingSinceMs" | "reason">,
  { reason, chance, nowMs, calls = 1 }: { reason: WorkItemReason; chance: number; nowMs: number; calls?: number },
): AfterFailure {
  const failures = workItem.failures + 1;
  const after = { failures, failingSinceMs: workItem.failingSinceMs ?? nowMs, reason };
  if (failures >= PARK_AFTER_FAILURES && !NEVER_PARKED.includes(workItem.kind))
    return { ...after, state: "parked", dueAtMs: NEVER_MS };
  const atFirst = failsAnew(workItem, reason) ? CALLS_WHERE_UNSURE : CALLS_AT_FIRST;
  const costMs = Math.min(costRestMs(failures, calls, atFirst), longestDelayMs(workItem.kind, failures));
  return { ...after, state: "active", dueAtMs: nowMs + Math.max(ownBackoffMs(failures, chance), costMs) };
}

/** Whether the failure before this one was of another kind. What the work item waited for in between tells nothing. */
function failsAnew({ reason: before }: Pick<WorkItem, "reason">, { code }: WorkItemReason): boolean {
  return before !== null && before.code !== code && !isWaitReason(before.code);
}
