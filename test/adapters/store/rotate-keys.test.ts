import { existsSync, readFileSync } from "node:fs";
import { createClient } from "@libsql/client";
import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { connectionRecord, shopRecord } from "../../fakes/records.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";
import { appKeys, SILENT } from "./open-store.ts";
import { runScript } from "./processes/run.ts";

const SCRIPT = new URL("../../../scripts/rotate-keys.ts", import.meta.url).pathname;
const SHOPS = 300;
const SECRETS = SHOPS * 4;
/** Several batches of each column, which is enough where nothing has to be killed half-way. */
const FEWER_SHOPS = 150;

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.remove());

const open = (keys: string) => createStore({ url: database.url, keys: parseKeys(keys), log: SILENT });
const rotate = (keys: string) => runScript({ script: SCRIPT, env: { DATABASE_URL: database.url, APP_KEYS: keys } });
const shopOf = (index: number) => `shop-${index}.myshopify.com`;

/** Two secrets of the service's and two of Shopify's for each shop, the refresh token of the service never given. */
async function fill(keys: string, shops: number): Promise<void> {
  const store = await open(keys);
  await store.transaction(null, async (tables) => {
    for (let index = 0; index < shops; index += 1) {
      const shop = shopOf(index);
      await tables.shops.insert(shopRecord({ shop }));
      const secrets = { clientSecret: new Secret(`client-${index}`), accessToken: new Secret(`access-${index}`) };
      await tables.connections.insert(connectionRecord({ id: `connection-${index}`, shop, ...secrets }));
    }
  });
  for (let index = 0; index < shops; index += 1) {
    const tokens = { accessToken: `shpat-${index}`, refreshToken: `shprt-${index}` };
    await store.sessions.storeSession(
      new Session({ id: `offline-${index}`, shop: shopOf(index), state: "", isOnline: false, ...tokens }),
    );
  }
  await store.close();
}

async function expectAllReadable(keys: string, shops: number): Promise<void> {
  const store = await open(keys);
  const connections = new Map((await store.connections.list({})).map((each) => [each.id, each]));
  for (let index = 0; index < shops; index += 1) {
    const connection = connections.get(`connection-${index}`);
    const session = await store.sessions.loadSession(`offline-${index}`);
    const found = [
      connection!.clientSecret!.reveal(),
      connection!.accessToken!.reveal(),
      session!.accessToken,
      session!.refreshToken,
    ];
    expect(found).toEqual([`client-${index}`, `access-${index}`, `shpat-${index}`, `shprt-${index}`]);
  }
  await store.close();
}

/** How often a text stands in the database's files. */
function countInFiles(text: string): number {
  const files = ["", "-wal"].map((suffix) => `${database.path}${suffix}`).filter((path) => existsSync(path));
  return files.reduce((sum, path) => sum + readFileSync(path, "latin1").split(text).length - 1, 0);
}

async function countUnder(keyId: string): Promise<number> {
  const client = createClient({ url: database.url });
  const columns = ["clientSecret", "accessToken", "refreshToken"].map(
    (field) => `SELECT "${field}" AS value FROM "Connection"`,
  );
  columns.push(...["accessToken", "refreshToken"].map((field) => `SELECT "${field}" AS value FROM "Session"`));
  const { rows } = await client.execute(
    `SELECT COUNT(*) AS n FROM (${columns.join(" UNION ALL ")}) WHERE value LIKE 'v1.${keyId}.%'`,
  );
  client.close();
  return Number(rows[0]!.n);
}

test("killed half-way it leaves everything readable, and run again it finishes; then the old key may go", async () => {
  await fill(appKeys("old"), SHOPS);
  const first = rotate(appKeys("new", "old"));
  await first.line("Connection.accessToken: 100 re-encrypted");
  first.child.kill("SIGKILL");
  expect(await first.ended).toBeNull();
  const done = await countUnder("new");
  expect(done).toBeGreaterThanOrEqual(SHOPS + 100);
  expect(done).toBeLessThan(SECRETS);
  expect(await countUnder("old")).toBe(SECRETS - done);
  await expectAllReadable(appKeys("new", "old"), SHOPS);

  const second = rotate(appKeys("new", "old"));
  expect(await second.ended).toBe(0);
  expect(second.lines).toContain(`${SECRETS - done} re-encrypted. Every secret is under the key new.`);
  expect(second.lines).toContain("APP_KEYS no longer needs: old.");
  expect(await countUnder("old")).toBe(0);
  await expectAllReadable(appKeys("new"), SHOPS);
});

test("it runs beside the app once the app has the new key, and not before", async () => {
  await fill(appKeys("old"), FEWER_SHOPS);
  const older = await open(appKeys("old"));
  const refused = rotate(appKeys("new", "old"));
  expect(await refused.ended).toBe(1);
  expect(refused.lines.join("\n")).toContain(
    "The app is running without the key new. Start it again with this APP_KEYS",
  );
  expect(await countUnder("new")).toBe(0);
  await older.close();

  const app = await open(appKeys("new", "old"));
  const beside = rotate(appKeys("new", "old"));
  const latest = new Map<string, string>();
  for (let turn = 0; beside.child.exitCode === null; turn += 1) {
    const [id, token] = [`connection-${turn % FEWER_SHOPS}`, `later-${turn}`];
    expect(await app.connections.update({ id }, { accessToken: new Secret(token) })).toBe(1);
    latest.set(id, token);
  }
  expect(await beside.ended).toBe(0);
  const connections = await app.connections.list({});
  const found = connections.map(({ id, accessToken }) => [id, accessToken!.reveal()]);
  expect(found).toEqual(connections.map(({ id }) => [id, latest.get(id) ?? id.replace("connection", "access")]));
  await app.close();
  expect(await countUnder("new")).toBe(FEWER_SHOPS * 4);
});

test("it outlasts somebody who writes for longer than a statement waits", async () => {
  await fill(appKeys("old"), 2);
  const writer = createClient({ url: database.url });
  await writer.execute("BEGIN IMMEDIATE");
  const run = rotate(appKeys("new", "old"));
  await run.line("The database is busy");
  await writer.execute("COMMIT");
  writer.close();
  expect(await run.ended).toBe(0);
  expect(await countUnder("new")).toBe(8);
});

test("a value that no key opens is named, left alone, and fails the run", async () => {
  await fill(appKeys("old"), 2);
  const client = createClient({ url: database.url });
  await client.execute(`UPDATE "Session" SET "accessToken" = "refreshToken" WHERE "id" = 'offline-1'`);
  client.close();
  const run = rotate(appKeys("new", "old"));
  expect(await run.ended).toBe(1);
  expect(run.lines.join("\n")).toMatch(/keep every key of APP_KEYS.*\n  Session\.accessToken of offline-1/);
  expect(await countUnder("new")).toBe(7);
});

test("a missing variable, a wrong key and nothing to do are said plainly", async () => {
  await fill(appKeys("old"), 1);
  const unset = runScript({ script: SCRIPT, env: { DATABASE_URL: "", APP_KEYS: appKeys("new") } });
  expect(await unset.ended).toBe(1);
  expect(unset.lines).toEqual([expect.stringMatching(/^DATABASE_URL is missing/)]);
  const keyless = rotate("");
  expect(await keyless.ended).toBe(1);
  expect(keyless.lines).toEqual([expect.stringMatching(/^APP_KEYS is missing/)]);
  const without = rotate(appKeys("new"));
  expect(await without.ended).toBe(1);
  expect(without.lines.join()).toContain("has values under the key old, which APP_KEYS lacks");
  const idle = rotate(appKeys("old"));
  expect(await idle.ended).toBe(0);
  expect(idle.lines).toEqual(["0 re-encrypted. Every secret is under the key old."]);
});

test("nothing that was written under the old key stays in the files", async () => {
  await fill(appKeys("old"), 60);
  // What a release left that did not overwrite what it deleted.
  const client = createClient({ url: database.url });
  await client.execute("PRAGMA secure_delete = OFF");
  await client.execute(`DELETE FROM "Session" WHERE "id" LIKE 'offline-1%'`);
  client.close();
  expect(countInFiles("v1.old.")).toBeGreaterThan(0);
  expect(await rotate(appKeys("new", "old")).ended).toBe(0);
  expect(countInFiles("v1.new.")).toBeGreaterThan(0);
  expect(countInFiles("v1.old.")).toBe(0);
});

test("and beside the app nothing of what was rotated", async () => {
  await fill(appKeys("old"), 60);
  const app = await open(appKeys("new", "old"));
  expect(await rotate(appKeys("new", "old")).ended).toBe(0);
  expect(countInFiles("v1.old.")).toBe(0);
  await app.close();
});
