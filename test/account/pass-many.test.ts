import { beforeEach, describe, expect, test } from "vitest";
import { confirmAccount } from "../../app/account/confirm-account.ts";
import type { Store } from "../../app/ports.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";
import { countStatements, MOST_STATEMENTS } from "../fakes/counted-store.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import {
  addressTemplate,
  connectionRecord,
  linkRecord,
  locationGid,
  SHOP,
  shopRecord,
  templateRecord,
  verificationRecord,
} from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";

/** A shop with many links enters another client id of the same account: nobody else waits for it, and it may end half-way. */

const MANY = 100;
const CARRIERS = ["dhl", "estafeta", "fedex"];
const STORES: [string, () => Promise<{ store: Store; close: () => Promise<void> }>][] = [
  ["in memory", async () => ({ store: createMemoryStore(), close: async () => undefined })],
  ["on SQLite", () => openFreshStore()],
];

async function fill(store: Store): Promise<void> {
  await store.shops.insert(shopRecord());
  await store.connections.insert(connectionRecord({ id: "old", clientId: "client-1", current: false, state: "aside" }));
  await store.connections.insert(connectionRecord({ id: "new", clientId: "client-2", state: "unconfirmed" }));
  for (let number = 1; number <= MANY; number += 1) {
    const of = { connectionId: "old", templateId: `template-${number}` };
    await store.links.insert(linkRecord({ id: `link-${number}`, locationId: locationGid(number), ...of }));
    await store.templates.insert(templateRecord({ ...of, template: addressTemplate({ id: of.templateId }) }));
    for (const carrier of CARRIERS) await store.verifications.insert(verificationRecord({ ...of, carrier }));
  }
}

describe.each(STORES)("many links, %s", (_where, open) => {
  let store: Store;
  let close: () => Promise<void>;
  let services: Awaited<ReturnType<typeof createWorld>>["services"];
  const linksOf = (connectionId: string) => store.links.count({ shop: SHOP, connectionId });

  beforeEach(async () => {
    ({ store, close } = await open());
    ({ services } = await createWorld({ connected: false }));
    await fill(store);
    return () => close();
  });

  const allHavePassed = async () => {
    expect([await linksOf("old"), await linksOf("new")]).toEqual([0, MANY]);
    const verdicts = { shop: SHOP, connectionId: "new" };
    expect(await store.verifications.count(verdicts)).toBe(MANY * CARRIERS.length);
    expect(await store.templates.count(verdicts)).toBe(MANY);
    expect(await store.connections.find({ id: "new" })).toMatchObject({ state: "active" });
  };

  test("pass over some at a time", async () => {
    const counted = countStatements(store);
    expect(await confirmAccount({ ...services, store: counted.store }, { shop: SHOP, same: true })).toBe(true);
    expect(counted.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
    await allHavePassed();
  });

  test("where the process ends half-way nothing is in use yet, and the next answer passes the rest", async () => {
    let left = 5;
    const dying: Store = {
      ...store,
      transaction: (shop, work) => {
        if (left-- === 0) throw new Error("the process ended");
        return store.transaction(shop, work);
      },
    };
    await expect(confirmAccount({ ...services, store: dying }, { shop: SHOP, same: true })).rejects.toThrow("ended");
    expect(await linksOf("new")).toBeGreaterThan(0);
    expect(await linksOf("old")).toBeGreaterThan(0);
    expect(await store.connections.find({ id: "new" })).toMatchObject({ state: "unconfirmed" });
    expect(await confirmAccount({ ...services, store }, { shop: SHOP, same: true })).toBe(true);
    await allHavePassed();
  });

  test("where another client id is entered half-way the rest stays", async () => {
    let count = 0;
    const other: Store = {
      ...store,
      async transaction(shop, work) {
        if (++count === 4)
          await store.connections.update({ id: "new" }, { current: false, state: "aside", version: 9 });
        return store.transaction(shop, work);
      },
    };
    expect(await confirmAccount({ ...services, store: other }, { shop: SHOP, same: true })).toBe(false);
    expect((await linksOf("new")) + (await linksOf("old"))).toBe(MANY);
    expect(await linksOf("old")).toBeGreaterThan(0);
  });
});
