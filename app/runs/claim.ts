import type { TargetRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import type { Run } from "./run.ts";

/**
 * Takes a due target for `leaseMs`; null when it is not due, held, or somebody was faster. While it is held it is due when the
 * lease ends, so that a run that dies is found like any other work.
 */
export function claimTarget(
  services: Pick<Services, "store" | "clock" | "settings">,
  { targetId, owner }: { targetId: string; owner: string },
): Promise<TargetRecord | null> {
  return services.store.transaction(async (tables) => {
    const nowMs = services.clock.nowMs();
    const target = await tables.targets.find({ id: targetId });
    if (!target || target.state !== "active" || target.dueAtMs > nowMs) return null;
    if (target.leaseUntilMs !== null && target.leaseUntilMs > nowMs) return null;
    const untilMs = nowMs + services.settings.leaseMs;
    const claim = {
      leaseOwner: owner,
      leaseUntilMs: untilMs,
      dueAtMs: untilMs,
      fence: target.fence + 1,
      updatedAtMs: nowMs,
    };
    const taken = await tables.targets.update({ id: targetId, fence: target.fence }, claim);
    return taken === 1 ? { ...target, ...claim } : null;
  });
}

/** Takes every lease away, or one owner's. Should a run live after all, its fence stops it. */
export async function releaseAll({ store, clock }: Pick<Services, "store" | "clock">, owner?: string): Promise<void> {
  const free = { leaseOwner: null, leaseUntilMs: null, dueAtMs: clock.nowMs() };
  await store.targets.update(owner === undefined ? { leaseUntilMs: { gt: 0 } } : { leaseOwner: owner }, free);
}

/** Renews the lease at a third of its length until stopped; tells when it was lost. */
export function holdLease(run: Run, lost: () => void): () => void {
  const { services, target } = run;
  const { clock, settings, store, log } = services;
  let cancel = () => {};
  let stopped = false;
  const renew = async () => {
    const nowMs = clock.nowMs();
    const untilMs = nowMs + settings.leaseMs;
    const held = { id: target.id, fence: target.fence, leaseOwner: target.leaseOwner, leaseUntilMs: { gt: nowMs } };
    try {
      const renewed = await store.targets.update(held, { leaseUntilMs: untilMs, dueAtMs: untilMs });
      if (stopped) return;
      if (renewed === 0) return lost();
    } catch (error) {
      log.warn({ targetId: target.id, error }, "a lease could not be renewed");
    }
    if (!stopped) schedule();
  };
  const schedule = () => {
    cancel = clock.after(settings.leaseMs / 3, () => void renew());
  };
  schedule();
  return () => {
    stopped = true;
    cancel();
  };
}
