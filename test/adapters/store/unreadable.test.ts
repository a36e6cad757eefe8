import { createClient } from "@libsql/client";
import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore, type PrismaStore } from "../../../app/adapters/store/store.ts";
import { revealed, Secret } from "../../../app/domain/secret.ts";
import type { Log, Services } from "../../../app/ports.ts";
import { createTokenStore } from "../../../app/account/token-store.ts";
import { forgetDisconnected } from "../../../app/account/disconnect-account.ts";
import { readSettings } from "../../../app/pages/read-settings.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { readShell } from "../../../app/pages/read-shell.ts";
import { createVirtualClock } from "../../fakes/clock.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { connectionRecord, shopRecord } from "../../fakes/records.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";
import { appKeys } from "./open-store.ts";

/** One stored value that no key opens is its shop's trouble: the app starts, the others go on, and the operator is told. */

const BAD = "bad.myshopify.com";
const WELL = "well.myshopify.com";

let database: FreshDatabase;
let store: PrismaStore | null;
let alarms: Record<string, unknown>[];
beforeEach(async () => {
  database = await freshDatabase();
  [store, alarms] = [null, []];
});
afterEach(async () => {
  await store?.close();
  await database.remove();
});

const log: Log = {
  info: () => undefined,
  warn: () => undefined,
  error: (fields) => void alarms.push(fields),
};

async function open(): Promise<PrismaStore> {
  store = await createStore({ url: database.url, keys: parseKeys(appKeys("k1")), log });
  return store;
}

async function fill(over: Parameters<typeof connectionRecord>[0] = {}): Promise<void> {
  const first = await open();
  for (const shop of [BAD, WELL]) {
    await first.shops.insert(shopRecord({ shop }));
    const secrets = { clientSecret: new Secret(`secret of ${shop}`), accessToken: new Secret("planted-token") };
    await first.connections.insert(connectionRecord({ id: `of ${shop}`, shop, ...secrets, ...over }));
    await first.sessions.storeSession(
      new Session({ id: `offline_${shop}`, shop, state: "", isOnline: false, accessToken: "shpat_planted" }),
    );
  }
  await first.close();
}

async function spoil(table: string, field: string, value: string): Promise<void> {
  const client = createClient({ url: database.url });
  await client.execute({ sql: `UPDATE "${table}" SET "${field}" = ${value} WHERE "shop" = ?`, args: [BAD] });
  client.close();
}

const ALTERED = `substr("clientSecret", 1, length("clientSecret") - 2) || 'AA'`;
const SPOILT: [string, string, string | null][] = [
  ["altered", ALTERED, "k1"],
  ["under a key that nobody ever had", `'v1.k7.AAAA.AAAA'`, "k7"],
  ["plain text", `'planted-plain'`, null],
  ["cut off", `'v1.k1.'`, "k1"],
];

test.each(SPOILT)(
  "a client secret that is %s: the app starts, and its shop alone shows it",
  async (_what, value, keyId) => {
    await fill();
    await spoil("Connection", "clientSecret", value);
    const services = {
      store: await open(),
      clock: createVirtualClock(),
      random: createRandom(),
      log,
    } as unknown as Services;
    await forgetDisconnected(services);
    const health = async (shop: string) => (await readShell(services, { shop }))!.connection.health;
    expect([await health(BAD), await health(WELL)]).toEqual(["unreadable", "ready"]);
    expect((await readSettings(services, { shop: BAD }))!.connection).toMatchObject({ unreadable: true });
    expect((await services.store.connections.list({})).map(({ clientSecret }) => revealed(clientSecret))).toEqual([
      null,
      `secret of ${WELL}`,
    ]);
    expect(alarms).toEqual([
      { alarm: "unreadable_secret", model: "Connection", field: "clientSecret", shop: BAD, row: `of ${BAD}`, keyId },
    ]);
    expect(JSON.stringify(alarms)).not.toMatch(/planted|AAAA/);
  },
);

test("it stays as it is until its owner gives it anew: nothing writes over it, and the right value brings it back", async () => {
  await fill();
  const client = createClient({ url: database.url });
  const before = (
    await client.execute({ sql: `SELECT "clientSecret" AS kept FROM "Connection" WHERE "shop" = ?`, args: [BAD] })
  ).rows[0]!.kept;
  client.close();
  await spoil("Connection", "clientSecret", `'v1.k7.AAAA.AAAA'`);
  const opened = await open();
  const connection = (await opened.connections.find({ shop: BAD }))!;
  await opened.connections.update({ shop: BAD }, { failures: 3 });
  await expect(opened.connections.update({ shop: BAD }, connection)).rejects.toMatchObject({ kind: "internal" });
  await opened.close();
  await spoil("Connection", "clientSecret", `'${String(before)}'`);
  const again = await open();
  expect((await again.connections.find({ shop: BAD }))!.clientSecret!.reveal()).toBe(`secret of ${BAD}`);
  await again.connections.update({ shop: BAD }, { clientSecret: new Secret("new") });
  expect((await again.connections.find({ shop: BAD }))!.clientSecret!.reveal()).toBe("new");
});

test("an access token that does not decrypt is fetched anew, with the secret that does", async () => {
  await fill({ tokenObtainedAtMs: 1, tokenExpiresAtMs: 2 });
  await spoil("Connection", "accessToken", `'v1.k1.x.y'`);
  const parts = { store: await open(), clock: createVirtualClock(), random: createSeededRandom(1) };
  const tokens = createTokenStore(parts);
  expect(await tokens.read(`of ${BAD}`)).toMatchObject({
    credentials: { clientSecret: `secret of ${BAD}` },
    token: null,
  });
  expect(await tokens.read(`of ${WELL}`)).toMatchObject({ token: { accessToken: "planted-token" } });
});

test("a session that does not decrypt is as good as none: the owner's next visit brings another", async () => {
  await fill();
  await spoil("Session", "accessToken", `'v1.k7.AAAA.AAAA'`);
  const { sessions } = await open();
  expect(await sessions.loadSession(`offline_${BAD}`)).toBeUndefined();
  expect((await sessions.loadSession(`offline_${WELL}`))!.accessToken).toBe("shpat_planted");
  expect(await sessions.findSessionsByShop(BAD)).toEqual([]);
  expect(alarms).toEqual([
    {
      alarm: "unreadable_secret",
      model: "Session",
      field: "accessToken",
      shop: BAD,
      row: `offline_${BAD}`,
      keyId: "k7",
    },
  ]);
  await sessions.storeSession(
    new Session({ id: `offline_${BAD}`, shop: BAD, state: "", isOnline: false, accessToken: "shpat_new" }),
  );
  expect((await sessions.loadSession(`offline_${BAD}`))!.accessToken).toBe("shpat_new");
});

test("of a disconnected account it is forgotten like any other", async () => {
  await fill({ state: "disconnected" });
  await spoil("Connection", "clientSecret", `'plain'`);
  const services = {
    store: await open(),
    clock: createVirtualClock(),
    random: createRandom(),
    log,
  } as unknown as Services;
  await forgetDisconnected(services);
  expect((await services.store.connections.list({})).map(({ clientSecret }) => clientSecret)).toEqual([null, null]);
});
