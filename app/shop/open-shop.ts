import { NEVER_MS } from "../domain/backoff.ts";
import { isShutReason, OPEN } from "../domain/shop-access.ts";
import type { WorkItem } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { afterOwnFailure } from "../runs/own-failure.ts";
import { requestWork } from "../runs/request-work.ts";

/**
 * Shopify lets us in, whatever was noted: what waited is due, what that had stopped goes on, and everything is looked at. Inside the
 * caller's transaction, who wakes the worker after it.
 */
export async function openShop(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { shop }: { shop: string },
): Promise<void> {
  const nowMs = services.clock.nowMs();
  await tables.shops.update({ shop }, OPEN);
  await tables.workItems.update(
    {
      shop,
      state: "active",
      leaseUntilMs: null,
      dueAtMs: { lt: NEVER_MS },
      kind: { in: ["location", "template", "verification", "flow", "move"] },
    },
    // Another process's clock may be behind this one's: by `updatedAtMs` it sees that `dueAtMs` lies ahead (`worker/redate.ts`).
    { dueAtMs: nowMs, updatedAtMs: nowMs },
  );
  // The look reads the whole address book first, which may take long: until then they would tell a reason that is none any more.
  for (const { kind, key } of await heldBack(tables, shop))
    await requestWork(services, tables, { shop, kind, key, unchanged: true });
  await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
}

/** The work items that stopped because Shopify did not let us in. */
async function heldBack(tables: Pick<Tables, "workItems">, shop: string): Promise<WorkItem[]> {
  return (await tables.workItems.list({ shop, state: "blocked" })).filter(({ reason }) => isShutReason(reason));
}

/**
 * Shopify lets us in, and the shop was never shut: what it refused may have been refused alone, for good perhaps, as where a scope is
 * missing. It is tried again and counts as having failed by itself. Without that it would be asked about, and tried, without end. What
 * waited for Shopify to let us in lacks a look at everything. Inside the caller's transaction, who wakes the worker after it.
 */
export async function chargeHeldBack(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { shop }: { shop: string },
): Promise<void> {
  const held = await heldBack(tables, shop);
  if (held.length === 0) return;
  const nowMs = services.clock.nowMs();
  for (const item of held) {
    const { id, kind, key, reason } = item;
    await requestWork(services, tables, { shop, kind, key, unchanged: true });
    const after = afterOwnFailure(item, { reason: reason!, chance: services.random.next(), nowMs });
    await tables.workItems.update({ id, shop }, after);
  }
  await requestWork(services, tables, { shop, kind: "reconcile", key: "shop", unchanged: true });
}
