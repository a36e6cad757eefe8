import type { ShopRecord } from "../domain/records.ts";
import type { Store, Tables } from "../ports.ts";
import { superseded } from "../runs/run.ts";

/** How many rows one transaction deletes: a few milliseconds. */
const AT_ONCE = 500;
/** Each carrier's rows are a statement of their own, and carriers may have any name. */
const VERDICTS_AT_ONCE = 100;

/** Deletes some rows of the shop. @returns how many there were. */
type Erase = (tables: Tables, shop: string) => Promise<number>;

/**
 * What a shop has without end: its lines, receipts and jobs, and what was read of its address book. What stands for its locations is little
 * and goes with the shop.
 */
const ERASES: Erase[] = [
  async ({ activity }, shop) => {
    const rows = await activity.list({ shop }, { limit: AT_ONCE });
    await activity.delete({ shop, id: { in: rows.map(({ id }) => id) } });
    return rows.length;
  },
  async ({ receipts }, shop) => {
    const rows = await receipts.list({ shop }, { limit: AT_ONCE });
    await receipts.delete({ shop, webhookId: { in: rows.map(({ webhookId }) => webhookId) } });
    return rows.length;
  },
  async ({ jobItems }, shop) => {
    const rows = await jobItems.list({ shop }, { limit: AT_ONCE });
    for (const [jobId, items] of Map.groupBy(rows, (row) => row.jobId))
      await jobItems.delete({ shop, jobId, locationId: { in: items.map(({ locationId }) => locationId) } });
    return rows.length;
  },
  async ({ verifications }, shop) => {
    const rows = await verifications.list({ shop }, { limit: VERDICTS_AT_ONCE });
    for (const [carrier, some] of Map.groupBy(rows, (row) => row.carrier))
      await verifications.delete({ shop, carrier, templateId: { in: some.map(({ templateId }) => templateId) } });
    return rows.length;
  },
  async ({ templates }, shop) => {
    const rows = await templates.list({ shop }, { limit: AT_ONCE });
    await templates.delete({ shop, templateId: { in: rows.map(({ templateId }) => templateId) } });
    return rows.length;
  },
];

/**
 * Erases most of a shop that has left, some rows at a time, because nobody else is served while many go at once. Where the process ends in
 * between, the request to erase the shop still stands and is carried out anew.
 *
 * @throws AppError `superseded` as soon as the shop is back.
 */
export async function eraseRows(
  store: Store,
  { shop, uninstalledAtMs }: Pick<ShopRecord, "shop" | "uninstalledAtMs">,
): Promise<void> {
  for (const erase of ERASES)
    for (let gone = -1; gone !== 0;)
      gone = await store.transaction(shop, async (tables) => {
        if ((await tables.shops.count({ shop, uninstalledAtMs })) === 0) throw superseded("the shop is back");
        return erase(tables, shop);
      });
}
