import pg from "pg";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { NEVER_MS } from "../../../../app/domain/backoff.ts";
import type { WorkItem } from "../../../../app/domain/records.ts";
import type { SharedWork } from "../../../../app/ports.ts";
import { NOW_MS, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

/** The line of shops that all processes on a database claim their work from. */

const LEASE_MS = 60_000;
let shared: SharedPostgres;
let line: SharedWork;
beforeAll(async () => {
  shared = await sharedPostgres();
  line = shared.store.shared!;
});
afterAll(() => shared.close());
beforeEach(() => shared.empty());

async function put(shop: string, count: number, over: Partial<WorkItem> = {}): Promise<void> {
  await shared.store.shops.insert(shopRecord({ shop }));
  await shared.store.transaction(shop, async ({ workItems }) => {
    for (let index = 0; index < count; index += 1) {
      const id = `${shop} ${String(index).padStart(4, "0")}`;
      await workItems.insert(workItemRecord({ id, shop, key: id, fence: 0, dueAtMs: NOW_MS - 1_000, ...over }));
    }
  });
}

const claim = (room: number, { owner = "me", nowMs = NOW_MS } = {}) =>
  line.claim({ owner, nowMs, leaseMs: LEASE_MS, room });

const end = ({ id, shop, fence }: WorkItem, dueAtMs = NEVER_MS) =>
  shared.store.workItems.update({ id, shop, fence }, { leaseOwner: null, leaseUntilMs: null, dueAtMs });

const shopsOf = (items: WorkItem[]) => items.map(({ shop }) => shop).sort();

test("what is claimed is the record as it is stored, under a lease and a higher fence", async () => {
  await put(SHOP, 1, { fence: 6, generation: 4, observedGeneration: 3, pendingSinceMs: 5 });
  const [item] = await claim(10);
  const leased = { leaseOwner: "me", leaseUntilMs: NOW_MS + LEASE_MS, dueAtMs: NOW_MS + LEASE_MS, fence: 7 };
  expect(item).toMatchObject({ ...leased, generation: 4, observedGeneration: 3, pendingSinceMs: 5 });
  expect(item).toEqual(await shared.store.workItems.find({ id: item!.id }));
  expect(await claim(10, { owner: "another" })).toEqual([]);
});

test.each<[string, Partial<WorkItem>]>([
  ["is due later", { dueAtMs: NOW_MS + 1 }],
  ["is never due", { dueAtMs: NEVER_MS }],
  ["is blocked", { state: "blocked" }],
  ["is leased", { leaseOwner: "another", leaseUntilMs: NOW_MS + 1, dueAtMs: NOW_MS + 1 }],
])("what %s is not claimed", async (_what, over) => {
  await put(SHOP, 1, over);
  expect(await claim(10)).toEqual([]);
});

test("a lease of a dead process is taken over when it ends", async () => {
  await put(SHOP, 1);
  await claim(10, { owner: "dead" });
  expect(await line.nextDueAtMs()).toBe(NOW_MS + LEASE_MS);
  expect(await claim(10, { nowMs: NOW_MS + LEASE_MS - 1 })).toEqual([]);
  const [over] = await claim(10, { nowMs: NOW_MS + LEASE_MS + 500 });
  expect(over).toMatchObject({ leaseOwner: "me", fence: 2 });
});

test("a shop has four runs at once, over all who claim, and another one when one of them ends", async () => {
  await put(SHOP, 20);
  const first = [...(await claim(3, { owner: "one" })), ...(await claim(100, { owner: "two", nowMs: NOW_MS + 500 }))];
  expect(first.map(({ leaseOwner }) => leaseOwner)).toEqual(["one", "one", "one", "two"]);
  const later = { nowMs: NOW_MS + 2_000 };
  expect(await claim(100, later)).toEqual([]);
  await end(first[0]!);
  expect(await claim(100, later)).toHaveLength(1);
});

test("the first of each shop comes before the second of any", async () => {
  await put("a", 10);
  await put("b", 10);
  await put("c", 1);
  expect(shopsOf(await claim(3))).toEqual(["a", "b", "c"]);
  expect(shopsOf(await claim(4))).toEqual(["a", "a", "b", "b"]);
});

test("shops with much to do take turns, and a new one waits for none of them", async () => {
  const busy = Array.from({ length: 6 }, (_, index) => `busy ${index}`);
  for (const shop of busy) await put(shop, 20);
  const served: string[] = [];
  let nowMs = NOW_MS;
  const serveOne = async () => {
    const [item] = await claim(1, { nowMs: (nowMs += 1) });
    served.push(item!.shop);
    await end(item!);
  };
  for (let times = 0; times < 12; times += 1) await serveOne();
  expect(served.slice(0, 6).toSorted()).toEqual(busy);
  expect(served.slice(6)).toEqual(served.slice(0, 6));
  await put("quiet", 1, { dueAtMs: nowMs });
  served.length = 0;
  for (let times = 0; times < 2; times += 1) await serveOne();
  expect(served).toContain("quiet");
});

test("a shop stays with who served it last, and another one helps when it has waited for half a second", async () => {
  await put(SHOP, 1);
  const [first] = await claim(9, { owner: "one" });
  await end(first!, NOW_MS + 1_000);
  const at = (owner: string, ms: number) => claim(9, { owner, nowMs: NOW_MS + ms });
  expect(await at("two", 1_000)).toEqual([]);
  expect(await at("two", 1_499)).toEqual([]);
  const [again] = await at("one", 1_499);
  await end(again!, NOW_MS + 2_000);
  expect(await at("two", 2_500)).toHaveLength(1);
});

test("what came last and what has waited longest are served alike, whoever comes on and on", async () => {
  await put("old", 1, { dueAtMs: NOW_MS - 100_000 });
  for (let index = 0; index < 6; index += 1) await put(`new ${index}`, 1, { dueAtMs: NOW_MS - 10 + index });
  expect(shopsOf(await claim(2))).toEqual(["new 5", "old"]);
});

test("a shop in the middle of a transaction is left out, and so is everything while one of every shop runs", async () => {
  await put("a", 1);
  await put("b", 1);
  const claimed: string[] = [];
  // Another connection, for the store refuses what comes out of a transaction of its own.
  const client = new pg.Client(shared.database.url);
  await client.connect();
  const beside = async () => {
    const sql = "SELECT shop FROM claim_work('beside', $1, 60000, 9, true)";
    claimed.push(...(await client.query<{ shop: string }>(sql, [NOW_MS])).rows.map(({ shop }) => shop));
  };
  await shared.store.transaction(null, beside);
  expect(claimed).toEqual([]);
  await shared.store.transaction("a", beside);
  expect(claimed).toEqual(["b"]);
  await client.end();
  expect(shopsOf(await claim(9))).toEqual(["a"]);
});

test("its place in line follows whatever is written", async () => {
  expect(await line.nextDueAtMs()).toBe(null);
  await put(SHOP, 1, { dueAtMs: NOW_MS + 5 });
  expect(await line.nextDueAtMs()).toBe(NOW_MS + 5);
  const { workItems } = shared.store;
  await workItems.update({ shop: SHOP }, { dueAtMs: NOW_MS + 3 });
  expect(await line.nextDueAtMs()).toBe(NOW_MS + 3);
  await workItems.update({ shop: SHOP }, { state: "blocked" });
  expect(await line.nextDueAtMs()).toBe(null);
  await workItems.update({ shop: SHOP }, { state: "active", dueAtMs: NOW_MS + 9 });
  expect(await line.nextDueAtMs()).toBe(NOW_MS + 9);
  await workItems.delete({ shop: SHOP });
  expect(await line.nextDueAtMs()).toBe(null);
  await put("two", 1);
  await shared.store.eraseShop("two");
  expect(await line.nextDueAtMs()).toBe(null);
});

test("a place that was lost is found again, and nothing else is moved", async () => {
  for (const shop of ["gone", "late", "well"]) await put(shop, 1);
  await shared.database.query(`DELETE FROM "ShopWork" WHERE "shop" = 'gone'`);
  await shared.database.query(`UPDATE "ShopWork" SET "dueAtMs" = ${NEVER_MS} WHERE "shop" = 'late'`);
  expect(await line.mend(NOW_MS - 2_000)).toBe(0);
  expect(await line.mend(NOW_MS)).toBe(2);
  expect(shopsOf(await claim(9))).toEqual(["gone", "late", "well"]);
  expect(await line.mend(NOW_MS)).toBe(0);
});

test("a place is not looked for while one of every shop holds all turns", async () => {
  await put(SHOP, 1);
  await shared.database.query(`DELETE FROM "ShopWork"`);
  await shared.store.transaction(null, async () => expect(await line.mend(NOW_MS)).toBe(0));
  expect(await line.mend(NOW_MS)).toBe(1);
});

test("a chore that took too long and was begun by another is not the first one's to end or to go on with", async () => {
  const first = (await line.begin("renewing", 60_000))!;
  expect(await line.begin("renewing", 60_000)).toBe(null);
  await shared.database.query(`UPDATE "Chore" SET "begunAtMs" = "begunAtMs" - 61000`);
  const second = (await line.begin("renewing", 60_000))!;
  expect(await first.goesOn()).toBe(false);
  await first.over();
  expect(await line.begin("renewing", 60_000)).toBe(null);
  expect(await second.goesOn()).toBe(true);
  await second.over();
  expect(await line.begin("renewing", 60_000)).not.toBe(null);
});

test("a chore that goes on counts as begun just now", async () => {
  const chore = (await line.begin("dropping", 0))!;
  const goOn = async () => {
    await expect.poll(() => line.wasBegun("dropping", 1)).toBe(false);
    return chore.goesOn();
  };
  expect([await goOn(), await goOn()]).toEqual([true, true]);
  expect(await line.begin("dropping", 60_000)).toBe(null);
  await chore.over();
  expect(await line.wasBegun("dropping", 60_000)).toBe(false);
});

test("a chore is one process's, until it is time again", async () => {
  const chore = (everyMs: number) => line.isOurs("sweeping", everyMs);
  expect(await Promise.all([1, 2, 3].map(() => chore(60_000)))).toEqual(expect.arrayContaining([true, false, false]));
  expect([await chore(60_000), await line.isOurs("another", 60_000), await chore(0)]).toEqual([false, true, true]);
  await shared.database.query(`UPDATE "Chore" SET "begunAtMs" = "begunAtMs" + 3600000`);
  expect(await chore(60_000)).toBe(true);
});

test("a shop that was served before the server's clock was set back is put back in line", async () => {
  await put(SHOP, 20);
  const ended = await claim(10, { nowMs: NOW_MS + 3_600_000 });
  for (const item of ended) await end(item);
  await line.mend(NOW_MS - 30_000);
  expect(await claim(10)).toEqual([]);
  await shared.store.workItems.update({ shop: SHOP, dueAtMs: { lt: NEVER_MS } }, { dueAtMs: NOW_MS - 60_000 });
  await line.mend(NOW_MS - 30_000);
  expect(await claim(10)).toHaveLength(4);
});

test("a chore that a clock begun which was set back since is no chore under way", async () => {
  await line.isOurs("looking", 0);
  expect(await line.wasBegun("looking", 60_000)).toBe(true);
  await shared.database.query(`UPDATE "Chore" SET "begunAtMs" = "begunAtMs" + 3600000`);
  expect(await line.wasBegun("looking", 60_000)).toBe(false);
});
