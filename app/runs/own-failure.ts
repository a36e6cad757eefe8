import { costRestMs, longestDelayMs, NEVER_MS, ownBackoffMs, PARK_AFTER_FAILURES } from "../domain/backoff.ts";
import type { WorkItemKind, WorkItemReason, WorkItem } from "../domain/records.ts";

/** Kinds of work that no page shows with a button: parked, they would never be tried again. */
const NEVER_PARKED: readonly WorkItemKind[] = ["reconcile", "uninstall", "redact"];

export type AfterFailure = Pick<WorkItem, "failures" | "failingSinceMs" | "state" | "reason" | "dueAtMs">;

/** A work item after one more failure of its own: it rests longer each time, and the longer the more calls that cost, and is parked in the end. */
export function afterOwnFailure(
  workItem: Pick<WorkItem, "kind" | "failures" | "failingSinceMs">,
  { reason, chance, nowMs, calls = 1 }: { reason: WorkItemReason; chance: number; nowMs: number; calls?: number },
): AfterFailure {
  const failures = workItem.failures + 1;
  const after = { failures, failingSinceMs: workItem.failingSinceMs ?? nowMs, reason };
  if (failures >= PARK_AFTER_FAILURES && !NEVER_PARKED.includes(workItem.kind))
    return { ...after, state: "parked", dueAtMs: NEVER_MS };
  const costMs = Math.min(costRestMs(failures, calls), longestDelayMs(workItem.kind, failures));
  return { ...after, state: "active", dueAtMs: nowMs + Math.max(ownBackoffMs(failures, chance), costMs) };
}
