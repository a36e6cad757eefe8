import { NEVER_MS } from "../domain/backoff.ts";
import { OPEN } from "../domain/shop-access.ts";
import type { Services, Tables } from "../ports.ts";
import { raiseTarget } from "./raise-target.ts";

/**
 * Shopify lets us in, whatever was noted: what waited is due, and everything is looked at. Inside the caller's transaction, who wakes
 * the worker after it.
 */
export async function openShop(
  services: Pick<Services, "clock" | "random">,
  tables: Tables,
  { shop }: { shop: string },
): Promise<void> {
  await tables.shops.update({ shop }, OPEN);
  await tables.targets.update(
    {
      shop,
      state: "active",
      leaseUntilMs: null,
      dueAtMs: { lt: NEVER_MS },
      kind: { in: ["location", "template", "verification"] },
    },
    { dueAtMs: services.clock.nowMs() },
  );
  await raiseTarget(services, tables, { shop, kind: "reconcile", key: "shop" });
}
