import type { Tables } from "../ports.ts";

/**
 * Two refusals of Shopify's, a minute apart, confirm that a shop has left, and its secrets are erased. The minute is measured by one
 * process's time of day: where that begins anew or is moved, the first refusal begins anew too.
 */
export async function restartRefusals(tables: Pick<Tables, "shops">, nowMs: number): Promise<void> {
  await tables.shops.update({ refusedAtMs: { gt: 0 } }, { refusedAtMs: nowMs });
}
