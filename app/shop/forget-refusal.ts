import type { Tables } from "../ports.ts";

/**
 * Shopify took the shop's token: a refusal from before does not count any more. Two that confirm each other have no answer between them.
 * Whether the shop opens again is asked by the look that is due anyhow.
 */
export async function forgetRefusal(tables: Pick<Tables, "shops">, { shop }: { shop: string }): Promise<void> {
  await tables.shops.update({ shop, refusedAtMs: { not: null } }, { refusedAtMs: null });
}
