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

type Needs = Pick<Services, "store" | "clock">;

/**
 * Takes every lease away, where no other process lives. Should a run still go on, its next write finds another fence and stops.
 */
export async function releaseAll({ store, clock }: Needs): Promise<void> {
  await store.workItems.update({ leaseUntilMs: { gt: 0 } }, freeAt(clock.nowMs()));
}

/** Takes one owner's leases away, shop after shop, so that nobody else's work waits for that. */
export async function releaseOwn({ store, clock }: Needs, owner: string): Promise<void> {
  const leased = await store.workItems.list({ leaseOwner: owner });
  for (const shop of new Set(leased.map((item) => item.shop)))
    await store.workItems.update({ shop, leaseOwner: owner }, freeAt(clock.nowMs()));
}

function freeAt(nowMs: number): Partial<WorkItem> {
  return { leaseOwner: null, leaseUntilMs: null, dueAtMs: nowMs };
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
