import { beforeEach, describe, expect, test } from "vitest";
import type { Store } from "../../app/ports.ts";
import { eraseRows } from "../../app/shop/erase-rows.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";
import { countStatements, MOST_STATEMENTS } from "../fakes/counted-store.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import {
  activityRecord,
  addressTemplate,
  connectionRecord,
  NOW_MS,
  SHOP,
  shopRecord,
  templateRecord,
  verificationRecord,
} from "../fakes/records.ts";

/** Most of a shop that has left goes some rows at a time, again where the process ended, and no further once the shop is back. */

const LINES = 1_200;
const TEMPLATES = 150;
const OTHER = "two.myshopify.com";
const STORES: [string, () => Promise<{ store: Store; close: () => Promise<void> }>][] = [
  ["in memory", async () => ({ store: createMemoryStore(), close: async () => undefined })],
  ["on SQLite", () => openFreshStore()],
];

async function fill(store: Store, shop: string): Promise<void> {
  await store.shops.insert(shopRecord({ shop, uninstalledAtMs: NOW_MS }));
  const connectionId = `connection of ${shop}`;
  await store.connections.insert(connectionRecord({ id: connectionId, shop }));
  await store.transaction(shop, async (tables) => {
    for (let line = 0; line < LINES; line += 1)
      await tables.activity.insert(activityRecord({ shop, id: `${shop} ${line}` }));
    for (let number = 0; number < TEMPLATES; number += 1) {
      const templateId = `${shop} ${number}`;
      await tables.templates.insert(
        templateRecord({ shop, connectionId, templateId, template: addressTemplate({ id: templateId }) }),
      );
      for (const carrier of ["dhl", `own-${number}`])
        await tables.verifications.insert(verificationRecord({ shop, connectionId, templateId, carrier }));
    }
  });
}

describe.each(STORES)("what a shop has without end, %s", (_where, open) => {
  let store: Store;
  const left = async (shop: string) => [
    await store.activity.count({ shop }),
    await store.templates.count({ shop }),
    await store.verifications.count({ shop }),
  ];
  const ALL = [LINES, TEMPLATES, 2 * TEMPLATES];
  const erase = (over: Store) => eraseRows(over, { shop: SHOP, uninstalledAtMs: NOW_MS });

  beforeEach(async () => {
    const opened = await open();
    store = opened.store;
    await fill(store, SHOP);
    return () => opened.close();
  });

  test("goes in short transactions, and nothing of another shop does", async () => {
    await fill(store, OTHER);
    const counted = countStatements(store);
    await erase(counted.store);
    expect(await left(SHOP)).toEqual([0, 0, 0]);
    expect(await left(OTHER)).toEqual(ALL);
    expect(counted.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
    expect(counted.transactions()).toBeGreaterThan(6);
  });

  test("goes the next time, where the process ended half-way", async () => {
    let transactions = 2;
    const dying: Store = {
      ...store,
      transaction: (shop, work) => {
        if (transactions-- === 0) throw new Error("the process ended");
        return store.transaction(shop, work);
      },
    };
    await expect(erase(dying)).rejects.toThrow("ended");
    expect((await left(SHOP))[0]).toBeGreaterThan(0);
    expect((await left(SHOP))[0]).toBeLessThan(LINES);
    await erase(store);
    expect(await left(SHOP)).toEqual([0, 0, 0]);
  });

  test("stays from the moment that the shop is back", async () => {
    let transactions = 0;
    const returning: Store = {
      ...store,
      async transaction(shop, work) {
        if (++transactions === 2) await store.shops.update({ shop: SHOP }, { uninstalledAtMs: null });
        return store.transaction(shop, work);
      },
    };
    await expect(erase(returning)).rejects.toMatchObject({ kind: "superseded" });
    expect((await left(SHOP))[0]).toBeGreaterThan(0);
    expect((await left(SHOP)).slice(1)).toEqual(ALL.slice(1));
  });
});
