import type { Services } from "../ports.ts";

/** How many shops are asked in turn: one of them may have no session, or may be gone. */
const SHOPS_ASKED = 5;

/**
 * Where no server was heard for long, asks Shopify for a shop's standing: its answer, whatever it says, carries a `Date`. Changes
 * nothing else, and never rejects.
 */
export async function askDate({ store, shopify, dates, random, log }: Services): Promise<void> {
  try {
    const shops = await store.shops.list({ uninstalledAtMs: null });
    const first = Math.floor(random.next() * shops.length);
    for (const { shop } of [...shops.slice(first), ...shops.slice(0, first)].slice(0, SHOPS_ASKED)) {
      if (dates.opinions().length > 0) return;
      await shopify.standing(shop);
    }
  } catch (error) {
    log.warn({ error }, "nobody could be asked for the date");
  }
}
