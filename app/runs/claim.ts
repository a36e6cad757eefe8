import type { WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import type { Run } from "./run.ts";

/**
 * Takes a due work item for `leaseMs`; null when it is not due, held, or somebody was faster. While it is held it is due when the
 * lease ends, so that a run that dies is found like any other work.
 */
export function claimWorkItem(
  services: Pick<Services, "store" | "clock" | "settings">,
  { workItemId, shop, owner }: { workItemId: string; shop: string; owner: string },
): Promise<WorkItem | null> {
  return services.store.transaction(shop, async (tables) => {
    const nowMs = services.clock.nowMs();
    const item = await tables.workItems.find({ id: workItemId, shop });
    if (!item || item.state !== "active" || item.dueAtMs > nowMs) return null;
    if (item.leaseUntilMs !== null && item.leaseUntilMs > nowMs) return null;
    const untilMs = nowMs + services.settings.leaseMs;
    const claim = {
      leaseOwner: owner,
      leaseUntilMs: untilMs,
      dueAtMs: untilMs,
      fence: item.fence + 1,
      updatedAtMs: nowMs,
    };
    const taken = await tables.workItems.update({ id: workItemId, fence: item.fence }, claim);
    return taken === 1 ? { ...item, ...claim } : null;
  });
}

/** Takes every lease away, or one owner's. Should the run still go on, its next write finds another fence and stops. */
export async function releaseAll({ store, clock }: Pick<Services, "store" | "clock">, owner?: string): Promise<void> {
  const free = { leaseOwner: null, leaseUntilMs: null, dueAtMs: clock.nowMs() };
  await store.workItems.update(owner === undefined ? { leaseUntilMs: { gt: 0 } } : { leaseOwner: owner }, free);
}

/** Renews the lease at a third of its length until stopped; tells when it was lost. */
export function holdLease(run: Run, lost: () => void): () => void {
  const { services, item } = run;
  const { clock, settings, store, log } = services;
  let cancel = () => {};
  let stopped = false;
  const renew = async () => {
    const nowMs = clock.nowMs();
    const untilMs = nowMs + settings.leaseMs;
    const held = {
      id: item.id,
      shop: item.shop,
      fence: item.fence,
      leaseOwner: item.leaseOwner,
      leaseUntilMs: { gt: nowMs },
    };
    try {
      const renewed = await store.workItems.update(held, { leaseUntilMs: untilMs, dueAtMs: untilMs });
      if (stopped) return;
      if (renewed === 0) return lost();
    } catch (error) {
      log.warn({ workItemId: item.id, error }, "a lease could not be renewed");
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
