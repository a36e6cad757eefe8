import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import { keepsFailing } from "../domain/failing.ts";
import type { WorkItemReason, WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { claimWorkItem } from "./claim.ts";

export type RunProgress =
  | { kind: "done" }
  | { kind: "under_way" }
  | { kind: "blocked"; reason: WorkItemReason }
  | { kind: "failed"; reason: WorkItemReason };

/** A change was stored, and its run has come as far as `progress` says. */
export type Changed = { kind: "done"; progress: RunProgress };
/** There is nothing of this id in this shop. */
export type NotFound = { kind: "not_found" };

const LOOK_AGAIN_MS = 100;

/**
 * Runs a requested work item there and then, at interactive priority, and tells how far it came after `interactiveWaitMs` at most; the
 * run itself goes on. Where another run holds the work item, that one is waited for.
 */
export async function runNow(
  services: Services,
  input: { shop: string; workItemId: string; generation: number; waitMs?: number },
): Promise<RunProgress> {
  const { shop, workItemId, generation, waitMs = services.settings.interactiveWaitMs } = input;
  const { clock, random, store } = services;
  const untilMs = clock.monotonicMs() + waitMs;
  const owner = `now-${random.id()}`;
  let ran = false;
  for (;;) {
    const item = await store.workItems.find({ id: workItemId, shop });
    const soFar = progressOf(item, generation, clock.nowMs());
    const leftMs = untilMs - clock.monotonicMs();
    if (!item || soFar.kind !== "under_way" || leftMs <= 0) return soFar;
    const rests = item.leaseUntilMs === null && item.dueAtMs > clock.nowMs() + leftMs;
    if (rests) return soFar;
    // A run that came to no end, as in a process that stops, leaves its work item due at once.
    if (ran) await clock.sleep(Math.min(LOOK_AGAIN_MS, leftMs));
    const claimed = await claimWorkItem(services, { workItemId, shop, owner });
    ran = claimed !== null;
    // The worker rests until what it knew to be due: it must hear when this run makes the work item due again.
    if (claimed)
      await within(
        services,
        leftMs,
        services.runWorkItem(services, { item: claimed, priority: "interactive" }).finally(services.wake),
      );
    else await clock.sleep(Math.min(LOOK_AGAIN_MS, leftMs));
  }
}

/**
 * Begins a requested work item there and then, and waits for no end of it. Where it is held or not due, the worker's line has it as any
 * other.
 */
export async function beginNow(
  services: Services,
  { shop, workItemId }: { shop: string; workItemId: string },
): Promise<void> {
  const owner = `now-${services.random.id()}`;
  const item = await claimWorkItem(services, { workItemId, shop, owner });
  if (item) void services.runWorkItem(services, { item }).finally(services.wake);
}

async function within({ clock }: Services, ms: number, work: Promise<void>): Promise<void> {
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([work, timeout]);
  cancel();
}

/** How far a work item has come with a generation; one that is gone has nothing left to do. */
function progressOf(item: WorkItem | null, generation: number, nowMs: number): RunProgress {
  if (!item) return { kind: "done" };
  if (item.observedGeneration >= generation)
    return item.state === "blocked" && item.reason ? { kind: "blocked", reason: item.reason } : { kind: "done" };
  const failed = item.failures > 0 && (keepsFailing(item, nowMs) || !isAboutService(item.reason));
  return failed && item.reason ? { kind: "failed", reason: item.reason } : { kind: "under_way" };
}

/** Failures that are over in a moment: the call is made again, or the quarantine of its unclear write ends. */
function isAboutService(reason: WorkItemReason | null): boolean {
  return FAULTS[reason?.code as FaultKind]?.connectionWide ?? false;
}
