import { NEVER_MS } from "../domain/backoff.ts";
import { isShutReason, OPEN } from "../domain/shop-access.ts";
import type { Services, Tables } from "../ports.ts";
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
  await tables.shops.update({ shop }, OPEN);
  await tables.workItems.update(
    {
      shop,
      state: "active",
      leaseUntilMs: null,
      dueAtMs: { lt: NEVER_MS },
      kind: { in: ["location", "template", "verification"] },
    },
    { dueAtMs: services.clock.nowMs() },
  );
  // The look reads the whole address book first, which may take long: until then they would tell a reason that is none any more.
  for (const { kind, key, reason } of await tables.workItems.list({ shop, state: "blocked" }))
    if (isShutReason(reason)) await requestWork(services, tables, { shop, kind, key, unchanged: true });
  await requestWork(services, tables, { shop, kind: "reconcile", key: "shop" });
}
