import type { Client } from "@libsql/client";
import { PrismaClient } from "@prisma/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { databasePath, LibSql } from "../../../app/adapters/store/libsql.ts";
import { oneConnection } from "../../../app/adapters/store/one-connection.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";
import { SHOP, shopRecord } from "../../fakes/records.ts";
import { openFreshStore } from "./open-store.ts";
import { beside, runScript } from "./processes/run.ts";

describe("transactions on the one connection", () => {
  let database: FreshDatabase;
  let prisma: PrismaClient;
  beforeEach(async () => {
    database = await freshDatabase();
    prisma = new PrismaClient({ adapter: new LibSql({ url: database.url }) });
  });
  afterEach(async () => {
    await prisma.$disconnect();
    await database.remove();
  });

  const pragma = async (name: string) => {
    const [row] = await prisma.$queryRawUnsafe<Record<string, unknown>[]>(`PRAGMA ${name}`);
    return String(Object.values(row!)[0]);
  };

  test("the PRAGMAs are set and outlive transactions", async () => {
    for (const times of [0, 3]) {
      for (let index = 0; index < times; index += 1) await prisma.$transaction((client) => client.shop.count());
      const found = [
        await pragma("journal_mode"),
        await pragma("synchronous"),
        await pragma("foreign_keys"),
        await pragma("busy_timeout"),
      ];
      expect(found).toEqual(["wal", "2", "1", "5000"]);
    }
  });

  test("a commit that is refused leaves nothing open and nothing written", async () => {
    const refused = prisma.$transaction(async (client) => {
      await client.$executeRaw`PRAGMA defer_foreign_keys = ON`;
      await client.receipt.create({ data: { shop: "gone", webhookId: "1", receivedAtMs: 1n } });
    });
    await expect(refused).rejects.toMatchObject({ code: "SQLITE_CONSTRAINT_FOREIGNKEY" });
    expect(await prisma.$transaction((client) => client.receipt.count())).toBe(0);
  });

  test("a transaction takes the right to write at once, so that it never fails half-way for another writer", async () => {
    const other = new PrismaClient({ adapter: new LibSql({ url: database.url }) });
    const order: string[] = [];
    await prisma.$transaction(async (client) => {
      await client.shop.count();
      // Runs on another connection, whose BEGIN waits in SQLite itself; so it is given no time to.
      await other.$queryRawUnsafe("PRAGMA busy_timeout = 0");
      await expect(other.$transaction((theirs) => theirs.shop.count())).rejects.toMatchObject({ code: "P1008" });
      order.push("first");
    });
    await other.$transaction(async (theirs) => {
      await theirs.keyCheck.create({ data: { keyId: "a", value: "b" } });
      order.push("second");
    });
    await other.$disconnect();
    expect(order).toEqual(["first", "second"]);
  });
});

// A descriptor lost with each, or only with each that fails, would soon be one too many.
test.runIf(process.platform !== "win32")("2,000 transactions pass with 96 descriptors", async () => {
  const database = await freshDatabase();
  const script = runScript({
    script: beside("many-transactions.ts"),
    args: [database.url, "2000"],
    prefix: "ulimit -n 96",
  });
  const result = JSON.parse(await script.line('"rows"')) as {
    rows: number;
    descriptors: number | null;
    residentMb: number;
  };
  expect(await script.ended).toBe(0);
  expect(result.rows).toBe(1_800);
  expect(result.descriptors ?? 0).toBeLessThan(64);
  expect(result.residentMb).toBeLessThan(400);
  await database.remove();
});

test.each([
  ["file:.data/origen.db", ".data/origen.db"],
  ["file:/var/lib/origen.db", "/var/lib/origen.db"],
  ["file:///var/lib/origen.db?mode=rwc", "/var/lib/origen.db"],
  ["file:with%20space.db", "with space.db"],
  [":memory:", null],
  ["file::memory:", null],
])("the path of %s is %s", (url, path) => {
  expect(databasePath(url)).toBe(path);
});

test("timers have their turn while one statement follows the other", async () => {
  const { store, close } = await openFreshStore();
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 1);
  // Counted in statements: on a slow machine each takes longer, so turns come after fewer of them. Without turns none ever comes.
  const ticksOf = async (statement: () => Promise<unknown>): Promise<number> => {
    ticks = 0;
    for (let count = 0; ticks < 10 && count < 5_000; count += 1) await statement();
    return ticks;
  };
  expect(await ticksOf(() => store.shops.count({}))).toBe(10);
  expect(await store.transaction(SHOP, (tables) => ticksOf(() => tables.shops.count({})))).toBe(10);
  clearInterval(timer);
  await close();
});

test("a connection whose settings are refused is closed, not kept and not left open", async () => {
  const closed: number[] = [];
  let opened = 0;
  const client = oneConnection(() => {
    const number = (opened += 1);
    return {
      execute: async () => Promise.reject(new Error("refused")),
      close: () => void closed.push(number),
    } as unknown as Client;
  });
  await expect(client.execute("SELECT 1")).rejects.toThrow("refused");
  await expect(client.execute("SELECT 1")).rejects.toThrow("refused");
  client.close();
  expect(closed).toEqual([1, 2]);
});

describe("another shop", () => {
  const OTHER = "two.myshopify.com";
  let opened: Awaited<ReturnType<typeof openFreshStore>>;
  beforeEach(async () => void (opened = await openFreshStore()));
  afterEach(() => opened.close());

  test("waits for one transaction of a shop that has many waiting, not for all", async () => {
    const { store } = opened;
    const ended: string[] = [];
    const enter = (shop: string) =>
      store.transaction(shop, async (tables) => void (await tables.shops.count({}))).then(() => ended.push(shop));
    await Promise.all([...Array.from({ length: 10 }, () => enter(SHOP)), enter(OTHER)]);
    expect(ended.indexOf(OTHER)).toBeLessThanOrEqual(1);
  });

  test("reads while a transaction is open, and what had been committed", async () => {
    const { store } = opened;
    const [open, end] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const writing = store.transaction(SHOP, async (tables) => {
      await tables.shops.insert(shopRecord({ shop: SHOP }));
      open.resolve();
      await end.promise;
    });
    await open.promise;
    expect(await store.shops.count({})).toBe(0);
    end.resolve();
    await writing;
    expect(await store.shops.count({})).toBe(1);
  });
});
