import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Secret } from "../../app/domain/secret.ts";
import type { Services } from "../../app/ports.ts";
import { changeShop } from "../../scripts/admin/change-shop.ts";
import { appKeys, KEYS, SILENT } from "../adapters/store/open-store.ts";
import { freshDatabase, type FreshDatabase } from "../adapters/store/fresh-database.ts";
import { createStore, type PrismaStore } from "../../app/adapters/store/store.ts";
import { countStatements, MOST_STATEMENTS } from "../fakes/counted-store.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import { connectionRecord, NOW_MS, pendingWriteRecord, SHOP, shopRecord, workItemRecord } from "../fakes/records.ts";

/** `npm run admin` as a process, beside a store that is open. */

let database: FreshDatabase;
let store: PrismaStore;

const reason = {
  code: "server_error",
  // What a terminal would obey: write into the clipboard, clear the line, begin another, turn the writing round.
  message: "the service's words\u001b]52;c;cm0gLXJm\u0007\r\nforged: \u009b2J\u202eline",
  fields: null,
  requestId: "r-1",
  atMs: NOW_MS,
} as const;

beforeAll(async () => {
  database = await freshDatabase();
  store = await createStore({ url: database.url, keys: KEYS, log: SILENT });
  await store.shops.insert(shopRecord());
  const secrets = { clientSecret: new Secret("planted-secret"), accessToken: new Secret("planted-token") };
  await store.connections.insert(connectionRecord({ ...secrets, current: true, clientId: "planted-client-9876" }));
  await store.workItems.insert(workItemRecord({ id: "i-1", key: "1", state: "parked", failures: 20, reason }));
  await store.workItems.insert(workItemRecord({ id: "i-2", key: "2", state: "active" }));
  await store.pendingWrites.insert(pendingWriteRecord({ workItemId: "i-2" }));
});

afterAll(async () => {
  await store.close();
  await database.remove();
});

function admin(...args: string[]): { status: number | null; said: string } {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(import.meta.dirname, "../../scripts/admin.ts"), ...args],
    { env: { ...process.env, DATABASE_URL: database.url, APP_KEYS: appKeys("k1") }, encoding: "utf8" },
  );
  return { status, said: `${stdout}${stderr}` };
}

test("it tells state, connection, work with its fault, and unclear writes, and no secret", () => {
  const { status, said } = admin("shop", SHOP);
  expect(status).toBe(0);
  expect(said).toMatch(/installed[\s\S]*Sync: on[\s\S]*client id …9876, active, in use[\s\S]*circuit breaker closed/);
  expect(said).toMatch(
    /location 1: parked, 20 failures; server_error: “the service's words�]52;c;cm0gLXJm���forged: �2J�line”/,
  );
  expect(said).not.toMatch(/[^\P{C}\n]/u);
  expect(said).toMatch(/Writes whose end is unclear: 1\n {2}\w+ of /);
  expect(said).not.toMatch(/planted/);
});

test("shops: those with something to look at, and how many have nothing", () => {
  const { status, said } = admin("shops");
  expect(status).toBe(0);
  expect(said).toBe(`${SHOP}: 1 parked, 1 writes whose end is unclear\n0 of 1 shops: nothing to tell.\n`);
});

test("pause and resume: stored, told to the owner as support's, and everything is looked at", async () => {
  const { revision } = (await store.shops.find({ shop: SHOP }))!;
  expect(admin("shop", SHOP, "pause")).toMatchObject({
    status: 0,
    said: expect.stringMatching(/until you say resume/),
  });
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ policies: { syncOn: false }, revision: revision + 1 });
  expect(await store.activity.list({ shop: SHOP })).toMatchObject([
    { actor: "support", kind: "settings_saved", fields: [{ field: "syncOn", from: "true", to: "false" }] },
  ]);
  expect(await store.workItems.find({ shop: SHOP, kind: "reconcile", key: "shop" })).toMatchObject({ generation: 1 });
  expect(admin("shop", SHOP).said).toMatch(/PAUSED/);
  expect(admin("shop", SHOP, "pause").said).toMatch(/paused already/);
  expect(admin("shop", SHOP, "resume").status).toBe(0);
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ policies: { syncOn: true }, revision: revision + 2 });
});

test("unblock: what is parked is tried again, and nothing else", async () => {
  const before = await store.workItems.find({ id: "i-2" });
  expect(admin("shop", SHOP, "unblock").said).toMatch(/Tried again: 1/);
  expect(await store.workItems.find({ id: "i-1" })).toMatchObject({ state: "active", failures: 0, reason: null });
  expect(await store.workItems.find({ id: "i-2" })).toEqual(before);
});

test("unblock of thousands holds nobody up: each transaction asks for some", async () => {
  const [many, counted] = [1_000, countStatements(createMemoryStore())];
  await counted.store.shops.insert(shopRecord());
  for (let number = 0; number < many; number += 1)
    await counted.store.workItems.insert(workItemRecord({ id: `i-${number}`, key: `${number}`, state: "parked" }));
  const services = { store: counted.store, clock: { nowMs: () => NOW_MS }, random: { id: () => "new" } } as Services;
  counted.begin();
  expect(await changeShop(services, { shop: SHOP, change: "unblock" })).toMatch(/Tried again: 1000/);
  expect(counted.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);
  expect(await counted.store.workItems.count({ shop: SHOP, state: "active" })).toBe(many);
});

test("look-again asks for a reconcile", async () => {
  const of = { shop: SHOP, kind: "reconcile", key: "shop" } as const;
  const { generation } = (await store.workItems.find(of))!;
  expect(admin("shop", SHOP, "look-again").status).toBe(0);
  expect(await store.workItems.find(of)).toMatchObject({ generation: generation + 1 });
});

test.each([
  ["an unknown shop", ["shop", "nobody.myshopify.com"], /No shop nobody\.myshopify\.com is known/],
  ["an unknown change", ["shop", SHOP, "erase"], /Usage/],
  ["no shop", ["shop"], /Usage/],
])("%s is refused with a sentence", (_, args, sentence) => {
  expect(admin(...args)).toMatchObject({ status: 1, said: expect.stringMatching(sentence) });
});
