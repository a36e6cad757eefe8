import { setImmediate as nextTurn } from "node:timers/promises";
import { Session } from "@shopify/shopify-api";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createSharedRevisions } from "../../../../app/adapters/store/postgresql/shared-revisions.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { TABLE_SPECS } from "../../../../app/adapters/store/table-specs.ts";
import type { Tables } from "../../../../app/ports.ts";
import { readingOf, rememberReading } from "../../../../app/readings/remember-reading.ts";
import { locationGid, locationRecord, SHOP, shopRecord } from "../../../fakes/records.ts";
import { CHILD_NAMES, CHILD_RECORDS, fill, tableOf } from "../../../contracts/store/every-record.ts";
import { openPostgres, sharedPostgres, type SharedPostgres } from "./open-postgres.ts";

/** One process reads and remembers, another one writes. */

const OTHER = "two.myshopify.com";
let shared: SharedPostgres;
let writer: PrismaStore;
beforeAll(async () => {
  shared = await sharedPostgres();
  writer = await openPostgres(shared.database.url, { exclusive: false });
});
afterAll(async () => {
  await writer.close();
  await shared.close();
});
beforeEach(async () => {
  await writer.shops.insert(shopRecord());
});
afterEach(() => shared.empty());

const revision = (shop: string, ...tables: (keyof Tables)[]) => shared.store.revision!(shop, tables);

test.each(CHILD_NAMES)("each write of %s is seen at once, of its shop and table alone", async (name) => {
  await writer.shops.insert(shopRecord({ shop: OTHER }));
  const another = name === "receipts" ? "activity" : "receipts";
  const seen = () => Promise.all([revision(SHOP, name), revision(SHOP, another), revision(OTHER, name)]);
  const table = tableOf(writer, name);
  const keys: readonly string[] = TABLE_SPECS[name].keys[0]!;
  const changeable = Object.fromEntries(Object.entries(CHILD_RECORDS[name]).filter(([field]) => !keys.includes(field)));
  const writes = [
    () => table.insert({ ...CHILD_RECORDS[name] }),
    () => table.update({ shop: SHOP }, changeable),
    () => table.delete({ shop: SHOP }),
  ];
  for (const write of writes) {
    const [own, ...others] = await seen();
    expect(Number(await write())).toBe(1);
    const [ownNow, ...othersNow] = await seen();
    expect(ownNow).not.toBe(own);
    expect(othersNow).toEqual(others);
  }
});

test("a shop that is erased leaves no number, and one that comes again none that was there before", async () => {
  await fill(writer, OTHER);
  const full = await revision(OTHER, ...CHILD_NAMES);
  const session = new Session({ id: "one", shop: OTHER, state: "", isOnline: false, accessToken: "shpat" });
  await writer.sessions.storeSession(session);
  await writer.eraseShop(OTHER);
  const gone = await revision(OTHER, ...CHILD_NAMES);
  // Whoever read it while it was not there yet, and read its rows a moment later, has rows of a number that counts for nothing.
  expect(await revision(OTHER, ...CHILD_NAMES)).not.toBe(gone);
  await fill(writer, OTHER);
  expect([full, gone]).not.toContain(await revision(OTHER, ...CHILD_NAMES));
  await writer.sessions.storeSession(new Session({ ...session.toObject(), shop: "never.myshopify.com" }));
  await writer.sessions.deleteSession("one");
  await writer.eraseShop(OTHER);
  await writer.eraseShop(SHOP);
  await expect(shared.database.query('DO $$ BEGIN ASSERT NOT EXISTS (SELECT FROM "Revision"); END $$')).resolves.toBe(
    undefined,
  );
});

test("nobody who saved in one process sees the page of before in another", async () => {
  const reads = [0, 0];
  const kind = readingOf("locations");
  const read = () =>
    rememberReading({ store: shared.store, shop: SHOP, kind }, async () => {
      reads[0]! += 1;
      return (await shared.store.locations.list({ shop: SHOP })).map(({ name }) => name);
    });
  await writer.locations.insert(locationRecord({ locationId: locationGid(1) }));
  for (let times = 0; times < 20; times += 1) {
    await writer.locations.update({ shop: SHOP }, { name: `Bodega ${times}` });
    const all = await Promise.all([read(), read(), nextTurn().then(read)]);
    expect(all).toEqual([1, 2, 3].map(() => [`Bodega ${times}`]));
  }
  expect(reads[0]).toBe(20);
});

test("what is read while another process's transaction runs is how it ends", async () => {
  const kind = readingOf("locations");
  const read = () =>
    rememberReading({ store: shared.store, shop: SHOP, kind }, () => shared.store.locations.count({ shop: SHOP }));
  const { promise: inside, resolve: entered } = Promise.withResolvers<void>();
  const { promise: go, resolve: goOn } = Promise.withResolvers<void>();
  const writing = writer.transaction(SHOP, async (tables) => {
    await tables.locations.insert(locationRecord());
    entered();
    await go;
  });
  await inside;
  expect(await read()).toBe(0);
  goOn();
  await writing;
  expect(await read()).toBe(1);
});

test("a session that one process renewed or deleted is kept by no other", async () => {
  const session = (accessToken: string) =>
    new Session({ id: "one", shop: SHOP, state: "", isOnline: false, accessToken });
  const load = async () => (await shared.store.sessions.loadSession("one"))?.accessToken;
  for (const token of ["first", "second"]) {
    await writer.sessions.storeSession(session(token));
    expect([await load(), await load(), await load()]).toEqual([token, token, token]);
  }
  expect(await writer.sessions.replaceSession(session("second"), session("third"))).toBe(true);
  expect(await load()).toBe("third");
  await writer.transaction(SHOP, (tables) => tables.forgetSessions(SHOP));
  expect(await load()).toBe(undefined);
});

test("those who ask at once share a question, and only one that was not sent yet", async () => {
  const asked: { shops: string[]; answer: (rows: object[]) => void }[] = [];
  const query = (_sql: string, [shops]: [string[]]) =>
    new Promise((resolve) => asked.push({ shops, answer: (rows) => resolve({ rows }) }));
  const revisions = createSharedRevisions({ query } as never);
  const ask = (shop: string) => revisions.of(shop, ["Shop"]);
  const first = [ask("a"), ask("b"), ask("a")];
  await nextTurn();
  // Somebody saved: an answer under way may be of before.
  const second = [ask("a")];
  await nextTurn();
  const third = [ask("a"), ask("c")];
  await nextTurn();
  third.push(ask("a"));
  expect(asked.map(({ shops }) => shops)).toEqual([["a", "b"], ["a"]]);
  asked[1]!.answer([{ key: "a Shop", number: "2" }]);
  expect(await Promise.all(second)).toEqual(["2"]);
  await nextTurn();
  expect(asked.map(({ shops }) => shops)).toEqual([["a", "b"], ["a"], ["a", "c"]]);
  asked[0]!.answer([{ key: "a Shop", number: "1" }]);
  expect(await Promise.all(first)).toEqual(["1", "none 1", "1"]);
  asked[2]!.answer([{ key: "c Shop", number: "3" }]);
  expect(await Promise.all(third)).toEqual(["none 2", "3", "none 3"]);
});
