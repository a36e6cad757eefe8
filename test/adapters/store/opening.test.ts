import { execFile } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { storeFault } from "../../../app/adapters/store/faults.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { connectionRecord, SHOP, shopRecord } from "../../fakes/records.ts";
import { freshDatabase } from "./fresh-database.ts";
import { appKeys, KEYS, SILENT } from "./open-store.ts";
import { freshPostgres } from "./postgresql/fresh-postgres.ts";

const DATABASES: [string, () => Promise<{ url: string; remove(): Promise<void> }>][] = [
  ["SQLite", freshDatabase],
  ["PostgreSQL", freshPostgres],
];

describe.each(DATABASES)("%s", (_name, fresh) => {
  let database: { url: string; remove(): Promise<void> };
  beforeEach(async () => {
    database = await fresh();
  });
  afterEach(() => database.remove());

  const open = (keys: string) => createStore({ url: database.url, keys: parseKeys(keys), log: SILENT, lockWaitMs: 0 });

  async function openOnce(keys: string, withSecret: boolean): Promise<void> {
    const store = await open(keys);
    await store.shops.insert(shopRecord());
    if (withSecret) await store.connections.insert(connectionRecord());
    await store.close();
  }

  test("the same keys open the database again", async () => {
    await openOnce(appKeys("k1"), true);
    await openOnce(appKeys("k1"), false);
  });

  test("another key of the same id is refused, before any secret was written", async () => {
    await openOnce(appKeys("k1"), false);
    const other = `k1:${Buffer.alloc(32, "other").toString("base64")}`;
    await expect(open(other)).rejects.toThrow("The key k1 in APP_KEYS is not the one this database was written with.");
  });

  test("a key that secrets are under must stay, after a new one too", async () => {
    await openOnce(appKeys("k1"), true);
    await expect(open(appKeys("k2"))).rejects.toThrow(
      "Connection.clientSecret has values under the key k1, which APP_KEYS lacks.",
    );
    await openOnce(appKeys("k2", "k1"), false);
  });

  test("a key that nothing is under may go", async () => {
    await openOnce(appKeys("k1"), false);
    await openOnce(appKeys("k2"), false);
  });

  test("closing waits for what was begun; what comes later is refused and opens nothing", async () => {
    const store = await open(appKeys("k1"));
    await store.shops.insert(shopRecord());
    const begun = store.transaction(SHOP, (tables) => tables.connections.insert(connectionRecord()));
    await Promise.all([store.close(), store.close()]);
    expect(await begun).toBe(true);
    const late = [
      store.shops.find({}),
      store.transaction(SHOP, (tables) => tables.shops.count({})),
      store.transaction(SHOP, (tables) => tables.forgetSessions("one")),
      store.sessions.loadSession("one"),
      store.sessions.deleteSession("one"),
    ];
    for (const call of late) await expect(call).rejects.toMatchObject({ name: "AppError", kind: "cancelled" });
    await openOnce(appKeys("k1"), false);
  });

  test("a refusal lets the database go", async () => {
    await openOnce(appKeys("k1"), true);
    await expect(open(appKeys("k2"))).rejects.toThrow();
    await openOnce(appKeys("k1"), false);
  });
});

test("a database without tables is refused with the command that makes them", async () => {
  const directory = await mkdtemp(join(tmpdir(), "origen-empty-"));
  const url = `file:${join(directory, "deep", "er", "empty.db")}`;
  await expect(createStore({ url, keys: KEYS, log: SILENT })).rejects.toThrow("run `npm run migrate`");
  await rm(directory, { recursive: true });
});

test("the command makes the tables, offline, and again does nothing", async () => {
  const directory = await mkdtemp(join(tmpdir(), "origen-migrated-"));
  const url = `file:${join(directory, "data", "origen.db")}`;
  const prisma = new URL("../../../node_modules/prisma/build/index.js", import.meta.url).pathname;
  const cwd = new URL("../../../", import.meta.url).pathname;
  const env = {
    ...process.env,
    DATABASE_URL: url,
    HTTPS_PROXY: "http://127.0.0.1:9",
    HTTP_PROXY: "http://127.0.0.1:9",
  };
  for (const said of ["All migrations have been successfully applied.", "No pending migrations to apply."]) {
    const { stdout } = await promisify(execFile)(process.execPath, [prisma, "migrate", "deploy"], { cwd, env });
    expect(stdout).toContain(said);
  }
  const store = await createStore({ url, keys: KEYS, log: SILENT });
  expect(await store.shops.insert(shopRecord())).toBe(true);
  await store.close();
  await rm(directory, { recursive: true });
});

test("a database that cannot be opened is told by the system's own word, because Prisma's code says nothing", () => {
  const ofPrisma = (originalMessage: string) =>
    Object.assign(new Error("Raw query failed"), {
      code: "P2010",
      meta: { driverAdapterError: { cause: { kind: "sqlite", originalMessage } } },
    });
  const told = (said: string) => storeFault("opening the database", ofPrisma(said)).message;
  expect(told("EROFS: read-only file system, chmod '/data/origen.db'")).toBe(
    "store: opening the database failed with EROFS",
  );
  expect(told("SQLITE_FULL: database or disk is full")).toBe("store: opening the database failed with SQLITE_FULL");
  expect(told("anything else, and what a row holds")).toBe("store: opening the database failed with P2010");
});
