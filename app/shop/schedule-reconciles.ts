import { NEVER_MS } from "../domain/backoff.ts";
import type { Services } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";

/** Shops come one after another, not all at once. */
const APART_MS = 1_000;
const LONGEST_SPREAD_MS = 10 * 60_000;

/**
 * At boot: whatever was missed while nobody looked is found by looking at everything. Shopify is asked at once about the shops that it
 * does not let us into: how long ago it was asked is told by the dates of another process, whose clock may have been another.
 */
export async function scheduleReconciles(services: Services): Promise<void> {
  const { store, clock, random } = services;
  const asking = { kind: { in: ["uninstall", "redact"] }, state: "active", leaseUntilMs: null } as const;
  const nowMs = clock.nowMs();
  await store.workItems.update({ ...asking, dueAtMs: { lt: NEVER_MS } }, { dueAtMs: nowMs, updatedAtMs: nowMs });
  const shops = await store.shops.list({ uninstalledAtMs: null });
  const spreadMs = Math.min(LONGEST_SPREAD_MS, (shops.length - 1) * APART_MS);
  for (const { shop } of shops) {
    const dueAtMs = clock.nowMs() + Math.round(random.next() * spreadMs);
    await store.transaction(shop, (tables) =>
      requestWork(services, tables, { shop, kind: "reconcile", key: "shop", dueAtMs }),
    );
  }
}
