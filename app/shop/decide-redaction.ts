import type { Services } from "../ports.ts";
import { requestWork } from "../runs/request-work.ts";
import { ERASE_WITHIN_MS } from "./redact-shop.ts";

/** Shopify's requests to erase a shop that are still open, for the operator's command (`npm run redactions`). */

export interface OpenRedaction {
  shop: string;
  toldAtMs: number;
  /** What the law and Shopify give. */
  eraseByMs: number;
  /** What Shopify last said when it was asked whether the shop is gone; null when it was not asked yet. */
  said: string | null;
  decision: "erase" | "keep" | null;
}

export async function readRedactions({ store }: Pick<Services, "store">): Promise<OpenRedaction[]> {
  const shops = await store.shops.list({ redactToldAtMs: { gt: 0 } }, { orderBy: { redactToldAtMs: "asc" } });
  const workItems = await store.workItems.list({ kind: "redact" });
  const saidOf = new Map(workItems.map(({ shop, reason }) => [shop, reason?.message ?? null]));
  return shops.map(({ shop, redactToldAtMs, redactDecision }) => ({
    shop,
    toldAtMs: redactToldAtMs!,
    eraseByMs: redactToldAtMs! + ERASE_WITHIN_MS,
    said: saidOf.get(shop) ?? null,
    decision: redactDecision,
  }));
}

/** Writes a person's decision down; the app carries it out. False when no request for the shop is open. */
export function decideRedaction(
  services: Pick<Services, "store" | "clock" | "random">,
  { shop, decision }: { shop: string; decision: "erase" | "keep" },
): Promise<boolean> {
  return services.store.transaction(shop, async (tables) => {
    const open = { shop, redactToldAtMs: { gt: 0 } };
    if ((await tables.shops.update(open, { redactDecision: decision })) === 0) return false;
    await requestWork(services, tables, { shop, kind: "redact", key: "shop" });
    return true;
  });
}
