import { FAULTS } from "../domain/errors.ts";
import type { FaultKind } from "../domain/errors.ts";
import { keepsFailing } from "../domain/failing.ts";
import type { TargetReason, TargetRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { claimTarget } from "./claim.ts";

export type RunProgress =
  | { kind: "done" }
  | { kind: "under_way" }
  | { kind: "blocked"; reason: TargetReason }
  | { kind: "failed"; reason: TargetReason };

/** A change was written down, and its run came so far. */
export type Changed = { kind: "done"; progress: RunProgress };
/** There is nothing of this id in this shop. */
export type NotFound = { kind: "not_found" };

const LOOK_AGAIN_MS = 100;

/**
 * Runs a raised target there and then, at interactive priority, and tells how far it came after `interactiveWaitMs` at most; the
 * run itself goes on. Where another run holds the target, that one is waited for.
 */
export async function runNow(
  services: Services,
  input: { shop: string; targetId: string; generation: number; waitMs?: number },
): Promise<RunProgress> {
  const { shop, targetId, generation, waitMs = services.settings.interactiveWaitMs } = input;
  const { clock, random, store } = services;
  const untilMs = clock.monotonicMs() + waitMs;
  const owner = `now-${random.id()}`;
  let ran = false;
  for (;;) {
    const target = await store.targets.find({ id: targetId, shop });
    const soFar = progressOf(target, generation, clock.nowMs());
    const leftMs = untilMs - clock.monotonicMs();
    if (!target || soFar.kind !== "under_way" || leftMs <= 0) return soFar;
    const rests = target.leaseUntilMs === null && target.dueAtMs > clock.nowMs() + leftMs;
    if (rests) return soFar;
    // A run that came to no end, as in a process that stops, leaves its target due at once.
    if (ran) await clock.sleep(Math.min(LOOK_AGAIN_MS, leftMs));
    const claimed = await claimTarget(services, { targetId, owner });
    ran = claimed !== null;
    // The worker rests until what it knew to be due: it must hear when this run makes the target due again.
    if (claimed)
      await within(
        services,
        leftMs,
        services.runTarget(services, { target: claimed, priority: "interactive" }).finally(services.wake),
      );
    else await clock.sleep(Math.min(LOOK_AGAIN_MS, leftMs));
  }
}

async function within({ clock }: Services, ms: number, work: Promise<void>): Promise<void> {
  let cancel = () => {};
  const timeout = new Promise<void>((resolve) => {
    cancel = clock.after(ms, resolve);
  });
  await Promise.race([work, timeout]);
  cancel();
}

/** How far a target has come with a generation; one that is gone has nothing left to do. */
function progressOf(target: TargetRecord | null, generation: number, nowMs: number): RunProgress {
  if (!target) return { kind: "done" };
  if (target.seen >= generation)
    return target.state === "blocked" && target.reason ? { kind: "blocked", reason: target.reason } : { kind: "done" };
  const failed = target.failures > 0 && (keepsFailing(target, nowMs) || !isAboutService(target.reason));
  return failed && target.reason ? { kind: "failed", reason: target.reason } : { kind: "under_way" };
}

/** A call that failed is made again in a moment, or its unclear end is waited out. */
function isAboutService(reason: TargetReason | null): boolean {
  return FAULTS[reason?.code as FaultKind]?.connectionWide ?? false;
}
