import { costRestMs, longestDelayMs, NEVER_MS, ownBackoffMs, PARK_AFTER_FAILURES } from "../domain/backoff.ts";
import type { WorkItemKind, WorkItemReason, WorkItem } from "../domain/records.ts";
import type { Tables } from "../ports.ts";
import type { Run } from "./run.ts";

/** Kinds of work that no page shows with a button: parked, they would never be tried again. */
const NEVER_PARKED: readonly WorkItemKind[] = ["reconcile", "job", "uninstall", "redact", "told", "flow", "move"];

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

/**
 * What was given up came through, or came to an answer that only a person can mend: what had stopped it may have stopped the shop's other
 * parked work items, too. Each is tried once and then parked again. Resolves to how many.
 */
export async function wakeParked(
  { services, item }: Run,
  tables: Pick<Tables, "workItems">,
  after: Pick<WorkItem, "failures">,
): Promise<number> {
  if (item.failures < PARK_AFTER_FAILURES || after.failures > 0) return 0;
  const nowMs = services.clock.nowMs();
  return tables.workItems.update(
    { shop: item.shop, state: "parked" },
    { state: "active", failures: PARK_AFTER_FAILURES - 1, dueAtMs: nowMs, updatedAtMs: nowMs },
  );
}
