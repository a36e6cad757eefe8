import { afterAll, beforeAll, expect, test } from "vitest";
import { Secret } from "../../app/domain/secret.ts";
import type { Services } from "../../app/ports.ts";
import { changeShop } from "../../scripts/admin/change-shop.ts";
import { admin as command } from "../../scripts/commands/admin.ts";
import { appKeys, KEYS, SILENT } from "../adapters/store/open-store.ts";
import { freshDatabase, type FreshDatabase } from "../adapters/store/fresh-database.ts";
import { runHere, runTruly } from "../adapters/store/processes/run-command.ts";
import { createStore, type PrismaStore } from "../../app/adapters/store/store.ts";
import { countStatements, MOST_STATEMENTS } from "../fakes/counted-store.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import { connectionRecord, NOW_MS, pendingWriteRecord, SHOP, shopRecord, workItemRecord } from "../fakes/records.ts";

/** `npm run admin`, beside a store that is open. */

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

const environment = () => ({ DATABASE_URL: database.url, APP_KEYS: appKeys("k1") });
/** In this process; `adminTruly` is for where another one is the point. */
const admin = (...args: string[]) => runHere(command, args, environment());
const adminTruly = (...args: string[]) => runTruly("admin", args, environment());

test("it tells state, connection, work with its fault, and unclear writes, and no secret", async () => {
  const { code, said } = await admin("shop", SHOP);
  expect(code).toBe(0);
  expect(said).toMatch(/installed[\s\S]*Sync: on[\s\S]*client id …9876, active, in use[\s\S]*circuit breaker closed/);
  expect(said).toMatch(
    /location 1: parked, 20 failures; server_error: “the service's words�]52;c;cm0gLXJm���forged: �2J�line”/,
  );
  expect(said).not.toMatch(/[^\P{C}\n]/u);
  expect(said).toMatch(/Writes whose end is unclear: 1\n {2}\w+ of /);
  expect(said).not.toMatch(/planted/);
});

test("shops: those with something to look at, and how many have nothing", async () => {
  const { code, stdout, stderr } = await adminTruly("shops");
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toBe(`${SHOP}: 1 parked, 1 writes whose end is unclear\n0 of 1 shops: nothing to tell.\n`);
});

test("pause and resume: stored, told to the owner as support's, and everything is looked at", async () => {
  const { revision } = (await store.shops.find({ shop: SHOP }))!;
  expect(await adminTruly("shop", SHOP, "pause")).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/until you say resume/),
  });
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ policies: { syncOn: false }, revision: revision + 1 });
  expect(await store.activity.list({ shop: SHOP })).toMatchObject([
    { actor: "support", kind: "settings_saved", fields: [{ field: "syncOn", from: "true", to: "false" }] },
  ]);
  expect(await store.workItems.find({ shop: SHOP, kind: "reconcile", key: "shop" })).toMatchObject({ generation: 1 });
  expect((await admin("shop", SHOP)).said).toMatch(/PAUSED/);
  expect((await admin("shop", SHOP, "pause")).said).toMatch(/paused already/);
  expect(await admin("shop", SHOP, "resume")).toMatchObject({ code: 0 });
  expect(await store.shops.find({ shop: SHOP })).toMatchObject({ policies: { syncOn: true }, revision: revision + 2 });
});

test("unblock: what is parked is tried again, and nothing else", async () => {
  const before = await store.workItems.find({ id: "i-2" });
  expect((await admin("shop", SHOP, "unblock")).said).toMatch(/Tried again: 1/);
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
  expect(await admin("shop", SHOP, "look-again")).toMatchObject({ code: 0 });
  expect(await store.workItems.find(of)).toMatchObject({ generation: generation + 1 });
});

test.each([
  ["an unknown change", ["shop", SHOP, "erase"], /Usage/],
  ["no shop", ["shop"], /Usage/],
])("%s is refused with a sentence", async (_, args, sentence) => {
  expect(await admin(...args)).toMatchObject({ code: 1, stdout: "", stderr: expect.stringMatching(sentence) });
});

test("an unknown shop is refused with a sentence", async () => {
  const stderr = "No shop nobody.myshopify.com is known.\n";
  expect(await adminTruly("shop", "nobody.myshopify.com")).toMatchObject({ code: 1, stdout: "", stderr });
});
