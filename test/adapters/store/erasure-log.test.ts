import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { openErasureLog, readErasureLogs } from "../../../app/adapters/store/copies/erasure-log.ts";
import { SHOP, shopRecord } from "../../fakes/records.ts";
import { appKeys, KEYS, openFreshStore, type OpenedStore } from "./open-store.ts";

/** The log of erasures: written before a shop's rows go, and read by a restore. */

const OTHER = "another.myshopify.com";
let folder: string;
let path: string;
const opened: OpenedStore[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "origen-erasures-"));
  path = join(folder, "erasures.jsonl");
});
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
  rmSync(folder, { recursive: true });
});

async function openStore() {
  const one = await openFreshStore({ erasureLog: path });
  opened.push(one);
  await one.store.shops.insert(shopRecord());
  await one.store.shops.insert(shopRecord({ shop: OTHER }));
  return one;
}

const erasedAtMs = async (shop: string, keys = KEYS) => (await readErasureLogs([path], keys))(shop);

test("says which shop was erased to whoever has the keys, and nobody else can read it there", async () => {
  const { store } = await openStore();
  const beforeMs = Date.now();
  expect(await store.eraseShop(SHOP)).toBe(true);
  expect(await erasedAtMs(SHOP)).toBeGreaterThanOrEqual(beforeMs);
  expect(await erasedAtMs(OTHER)).toBeNull();
  const text = readFileSync(path, "utf8");
  expect(text).not.toContain(SHOP.split(".")[0]);
  expect(statSync(path).mode & 0o077).toBe(0);
  const another = parseKeys(`k1:${Buffer.alloc(32, "no").toString("base64")}`);
  expect(await erasedAtMs(SHOP, another)).toBeNull();
});

test("a shop that was not erased does not stand in it", async () => {
  const { store } = await openStore();
  expect(await store.eraseShop(SHOP, { uninstalledAtMs: 4 })).toBe(false);
  expect(await store.eraseShop("never-seen.myshopify.com")).toBe(false);
  expect(readFileSync(path, "utf8")).toBe("");
});

test("where nothing can be appended nothing is erased, and a store is not opened", async () => {
  const { store } = await openStore();
  rmSync(path);
  mkdirSync(path);
  await expect(store.eraseShop(SHOP)).rejects.toThrow("Nothing can be appended to the log of erasures");
  expect(await store.shops.count({ shop: SHOP })).toBe(1);
  await expect(openFreshStore({ erasureLog: path })).rejects.toThrow(/ERASURE_LOG/);
});

test("an erasure that the database then refused is taken back, and one that follows counts", async () => {
  const { store, database } = await openStore();
  const { createClient } = await import("@libsql/client");
  const client = createClient({ url: database.url });
  await client.execute(`CREATE TRIGGER "refuses" BEFORE DELETE ON "Shop" BEGIN SELECT RAISE(ABORT, 'not now'); END`);
  await expect(store.eraseShop(SHOP)).rejects.toThrow();
  expect(readFileSync(path, "utf8")).toContain('"what":"kept"');
  expect(await erasedAtMs(SHOP)).toBeNull();
  await client.execute(`DROP TRIGGER "refuses"`);
  client.close();
  await store.eraseShop(SHOP);
  expect(await erasedAtMs(SHOP)).not.toBeNull();
});

test("the keys of before are needed as long as the log has lines of theirs", async () => {
  const first = await openErasureLog(path, parseKeys(appKeys("k1")));
  await first.erased(SHOP);
  const second = await openErasureLog(path, parseKeys(appKeys("k2", "k1")));
  await second.erased(OTHER);
  const both = parseKeys(appKeys("k3", "k2", "k1"));
  expect([await erasedAtMs(SHOP, both), await erasedAtMs(OTHER, both)]).toEqual([
    expect.any(Number),
    expect.any(Number),
  ]);
  await expect(readErasureLogs([path], parseKeys(appKeys("k2")))).rejects.toThrow("the keys k1, which APP_KEYS lacks");
});

test("several files are read as one; a line that is none is named, and so is a file that is not there", async () => {
  const log = await openErasureLog(path, KEYS);
  await log.erased(SHOP);
  const second = join(folder, "second.jsonl");
  await (await openErasureLog(second, KEYS)).erased(OTHER);
  const erased = await readErasureLogs([path, second], KEYS);
  expect([erased(SHOP), erased(OTHER)]).toEqual([expect.any(Number), expect.any(Number)]);
  appendFileSync(path, '{"at":"2026-');
  await log.erased(OTHER);
  await expect(readErasureLogs([path], KEYS)).rejects.toThrow(`line 3 of ${path} is no erasure`);
  await expect(readErasureLogs([join(folder, "none")], KEYS)).rejects.toThrow("cannot be read");
});
