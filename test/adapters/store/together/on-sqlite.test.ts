import { statSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Transaction } from "../../../../app/ports.ts";
import { locationGid, receiptRecord, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { openFreshStore, type OpenedStore } from "../open-store.ts";

/** Small works share transactions on SQLite, too; what they promise anywhere is in the store's contract. */

const SHOPS = [SHOP, ...Array.from({ length: 9 }, (_, index) => `more-${index}.myshopify.com`)];
const KEY = locationGid(1);
const PAGE = 4_096;

let opened: OpenedStore;
beforeEach(async () => {
  opened = await openFreshStore();
  for (const shop of SHOPS) await opened.store.shops.insert(shopRecord({ shop }));
  await opened.store.workItems.insert(workItemRecord({ generation: 0 }));
});
afterEach(() => opened.close());

const small = <T>(webhookId: string, work: (tables: Transaction) => Promise<T>) => ({
  rows: { receipts: [{ webhookId }], locations: [], workItems: [{ kind: "location", key: KEY } as const] },
  work,
});

const receive = (shop: string, webhookId: string) =>
  opened.store.together!(
    shop,
    small(webhookId, (tables) => tables.receipts.insert(receiptRecord({ shop, webhookId }))),
  );

/** Each commit writes the pages that it changed anew. */
const pagesWritten = () => statSync(`${opened.database.path}-wal`).size / PAGE;

test("webhooks of ten shops that come at once are a few commits", async () => {
  const before = pagesWritten();
  const all = Array.from({ length: 200 }, (_, index) => receive(SHOPS[index % 10]!, `webhook ${index}`));
  expect(await Promise.all(all)).toEqual(all.map(() => true));
  expect(await opened.store.receipts.count({})).toBe(200);
  expect(pagesWritten() - before).toBeLessThan(200);
});

test("what was read of the shop before is known to be old, from the moment at which one is answered", async () => {
  const { store } = opened;
  const before = store.revision!(SHOP, ["workItems"]);
  await store.together!(
    SHOP,
    small("w", (tables) => tables.workItems.update({ id: "target-1" }, { generation: 1 })),
  );
  expect(store.revision!(SHOP, ["workItems"])).not.toBe(before);
  const others = store.revision!(SHOPS[1]!, ["workItems"]);
  await receive(SHOP, "another");
  expect(store.revision!(SHOPS[1]!, ["workItems"])).toBe(others);
});
