import { NEVER_MS } from "../domain/backoff.ts";
import { chunksOf } from "../domain/chunks.ts";
import type { Services } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";

/** Shops come one after another, not all at once. */
const APART_MS = 1_000;
const LONGEST_SPREAD_MS = 10 * 60_000;
/** So many are asked for in one transaction: a statement each, and one that reads. */
const TOGETHER = 40;

/**
 * At boot: whatever was missed while nobody looked is found by looking at everything. Shopify is asked at once about the shops that it
 * does not let us into: how long ago it was asked is told by the dates of another process, whose clock may have been another.
 *
 * Pages are asked for at boot as well. After each part it rests for as long as that took.
 */
export async function scheduleReconciles(services: Services): Promise<void> {
  const { store, clock, random } = services;
  const asking = { kind: { in: ["uninstall", "redact"] }, state: "active", leaseUntilMs: null } as const;
  const nowMs = clock.nowMs();
  await store.workItems.update({ ...asking, dueAtMs: { lt: NEVER_MS } }, { dueAtMs: nowMs, updatedAtMs: nowMs });
  const shops = await store.shops.list({ uninstalledAtMs: null });
  const spreadMs = Math.min(LONGEST_SPREAD_MS, (shops.length - 1) * APART_MS);
  for (const some of chunksOf(shops, TOGETHER)) {
    const beganMs = clock.monotonicMs();
    const names = some.map(({ shop }) => shop);
    await store.transaction(null, async (tables) => {
      const items = await tables.workItems.list({ shop: { in: names }, kind: "reconcile", key: "shop" });
      const known = new Map(items.map((item) => [item.shop, item]));
      for (const shop of names) {
        const dueAtMs = clock.nowMs() + Math.round(random.next() * spreadMs);
        const asked = { shop, kind: "reconcile", key: "shop", dueAtMs } as const;
        await requestWork(services, tables, { ...asked, known: known.get(shop) ?? null });
      }
    });
    const tookMs = clock.monotonicMs() - beganMs;
    if (tookMs > 0) await clock.sleep(tookMs);
  }
}
