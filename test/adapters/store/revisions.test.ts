import { afterAll, beforeAll, expect, test } from "vitest";
import { readingOf, rememberReading } from "../../../app/readings/remember-reading.ts";
import { locationGid, locationRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import { openFreshStore } from "./open-store.ts";
import type { OpenedStore } from "./open-store.ts";

/** What counts as a change of a shop, for whoever keeps what was read of it. */

const OTHER = "two.myshopify.com";
let opened: OpenedStore;

beforeAll(async () => {
  opened = await openFreshStore();
  for (const shop of [SHOP, OTHER]) await opened.store.shops.insert(shopRecord({ shop }));
});

afterAll(() => opened.close());

const TABLES = ["locations", "details"] as const;
const both = (): number[] => [SHOP, OTHER].map((shop) => opened.store.revision!(shop, TABLES) as number);

test("reading changes nothing", async () => {
  const { store } = opened;
  const before = both();
  await store.shops.find({ shop: SHOP });
  await store.locations.list({ shop: SHOP });
  await store.locations.count({ shop: SHOP });
  await store.transaction(SHOP, (tables) => tables.details.list({ shop: SHOP }));
  expect(both()).toEqual(before);
});

test("each kind of write changes the shop it names, and no other", async () => {
  const { store } = opened;
  const key = { shop: SHOP, locationId: locationGid(1) };
  const writes = [
    () => store.locations.insert(locationRecord(key)),
    () => store.locations.update(key, { name: "Otra" }),
    () => store.transaction(SHOP, (tables) => tables.locations.update(key, { name: "Otra más" })),
    () => store.locations.delete(key),
    () => store.eraseShop(SHOP),
  ];
  for (const write of writes) {
    const [mine, other] = both();
    await write();
    expect(both()[0]).toBeGreaterThan(mine!);
    expect(both()[1]).toBe(other);
  }
});

test("a table changes with its own writes and with the shop's, and with no other's", async () => {
  const { store } = opened;
  const details = () => store.revision!(SHOP, ["details"]) as number;
  const before = details();
  await store.locations.insert(locationRecord({ shop: SHOP, locationId: locationGid(2) }));
  await store.workItems.update({ id: "none" }, { failures: 1 });
  expect(details()).toBe(before);
  const writes = [
    () => store.details.delete({ shop: SHOP }),
    () => store.details.delete({ locationId: "none" }),
    () => store.shops.update({ shop: SHOP }, { guideDismissedAtMs: 1 }),
    () => store.eraseShop(SHOP),
  ];
  for (const write of writes) {
    const last = details();
    await write();
    expect(details()).toBeGreaterThan(last);
  }
});

test("a write whose condition names no shop changes all", async () => {
  const of = () => [SHOP, OTHER].map((shop) => opened.store.revision!(shop, ["workItems"]));
  const before = of();
  await opened.store.workItems.update({ id: "none" }, { failures: 1 });
  expect(of().every((now, index) => now > before[index]!)).toBe(true);
});

test.each(["is kept", "is rolled back"])(
  "what is read while a transaction runs is not remembered: it %s",
  async (end) => {
    const shop = `${end.replaceAll(" ", "-")}.myshopify.com`;
    const { store } = opened;
    await store.shops.insert(shopRecord({ shop }));
    const kind = readingOf("locations");
    const read = () => rememberReading({ store, shop, kind }, () => store.locations.count({ shop }));
    expect(await read()).toBe(0);

    const [asked, told] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = store.transaction(shop, async (tables) => {
      await tables.locations.insert(locationRecord({ shop }));
      asked.resolve();
      await told.promise;
      if (end === "is rolled back") throw new Error("not after all");
    });
    await asked.promise;
    const meanwhile = await read();
    told.resolve();
    await writing.catch(() => undefined);

    const there = end === "is kept" ? 1 : 0;
    expect([meanwhile, await read(), await store.locations.count({ shop })]).toEqual([0, there, there]);
  },
);
