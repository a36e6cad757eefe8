import { existsSync, readFileSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createClient } from "@libsql/client";
import { Session } from "@shopify/shopify-api";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { copyDatabase } from "../../../app/adapters/store/copies/copy.ts";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { rotateKeys } from "../../../scripts/commands/rotate-keys.ts";
import { connectionRecord, shopRecord } from "../../fakes/records.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";
import { appKeys, SILENT } from "./open-store.ts";
import { runScript } from "./processes/run.ts";
import { runHere, runTruly } from "./processes/run-command.ts";

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
const environment = (keys: string) => ({ DATABASE_URL: database.url, APP_KEYS: keys });
/** In this process; `start` is for where another one is the point. */
const rotate = (keys: string) => runHere(rotateKeys, [], environment(keys));
const start = (keys: string) => runScript({ script: SCRIPT, env: environment(keys) });
const shopOf = (index: number) => `shop-${index}.myshopify.com`;

/**
 * Two secrets of the service's and two of Shopify's for each shop, under the key old, the refresh token of the service never given. All are
 * written once for the file's tests: what a test gets is a copy, without the shops that it does not want.
 */
async function fill(shops: number): Promise<void> {
  const template = await (filled ??= writeAll());
  await copyFile(template, database.path);
  const client = createClient({ url: database.url });
  const kept = Array.from({ length: shops }, (_, index) => `'${shopOf(index)}'`).join();
  // As the app's own connections have it: what was deleted is overwritten, also where a row has moved.
  await client.execute("PRAGMA secure_delete = ON");
  for (const table of ["Session", "Connection", "Shop"])
    await client.execute(`DELETE FROM "${table}" WHERE "shop" NOT IN (${kept})`);
  await client.execute("VACUUM");
  await client.execute("PRAGMA journal_mode = WAL");
  client.close();
}

let filled: Promise<string> | null = null;
afterAll(async () => {
  if (filled) await rm(dirname(await filled), { recursive: true });
});

async function writeAll(): Promise<string> {
  const own = await freshDatabase();
  const store = await createStore({ url: own.url, keys: parseKeys(appKeys("old")), log: SILENT });
  await store.transaction(null, async (tables) => {
    for (let index = 0; index < SHOPS; index += 1) {
      const shop = shopOf(index);
      await tables.shops.insert(shopRecord({ shop }));
      const secrets = { clientSecret: new Secret(`client-${index}`), accessToken: new Secret(`access-${index}`) };
      await tables.connections.insert(connectionRecord({ id: `connection-${index}`, shop, ...secrets }));
    }
  });
  for (let index = 0; index < SHOPS; index += 1) {
    const tokens = { accessToken: `shpat-${index}`, refreshToken: `shprt-${index}` };
    await store.sessions.storeSession(
      new Session({ id: `offline-${index}`, shop: shopOf(index), state: "", isOnline: false, ...tokens }),
    );
  }
  await store.close();
  const template = join(await mkdtemp(join(tmpdir(), "origen-filled-")), "filled.db");
  await copyDatabase(own.url, template);
  await own.remove();
  return template;
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
  await fill(SHOPS);
  const first = start(appKeys("new", "old"));
  await first.line("Connection.accessToken: 100 re-encrypted");
  first.child.kill("SIGKILL");
  expect(await first.ended).toBeNull();
  const done = await countUnder("new");
  expect(done).toBeGreaterThanOrEqual(SHOPS + 100);
  expect(done).toBeLessThan(SECRETS);
  expect(await countUnder("old")).toBe(SECRETS - done);
  await expectAllReadable(appKeys("new", "old"), SHOPS);

  const second = await runTruly("rotate-keys", [], environment(appKeys("new", "old")));
  expect([second.code, second.stderr]).toEqual([0, ""]);
  const lines = second.stdout.split("\n");
  expect(lines).toContain(`${SECRETS - done} re-encrypted. Every secret is under the key new.`);
  expect(lines).toContain("APP_KEYS no longer needs: old.");
  expect(await countUnder("old")).toBe(0);
  await expectAllReadable(appKeys("new"), SHOPS);
});

test("it runs beside the app once the app has the new key, and not before", async () => {
  await fill(FEWER_SHOPS);
  const older = await open(appKeys("old"));
  const refused = await runTruly("rotate-keys", [], environment(appKeys("new", "old")));
  expect([refused.code, refused.stdout]).toEqual([1, ""]);
  expect(refused.stderr).toContain("The app is running without the key new. Start it again with this APP_KEYS");
  expect(await countUnder("new")).toBe(0);
  await older.close();

  const app = await open(appKeys("new", "old"));
  const beside = start(appKeys("new", "old"));
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
  await fill(2);
  const writer = createClient({ url: database.url });
  await writer.execute("BEGIN IMMEDIATE");
  const run = start(appKeys("new", "old"));
  await run.line("The database is busy");
  await writer.execute("COMMIT");
  writer.close();
  expect(await run.ended).toBe(0);
  expect(await countUnder("new")).toBe(8);
});

test("a value that no key opens is named, left alone, and fails the run", async () => {
  await fill(2);
  const client = createClient({ url: database.url });
  await client.execute(`UPDATE "Session" SET "accessToken" = "refreshToken" WHERE "id" = 'offline-1'`);
  client.close();
  const { code, stderr } = await rotate(appKeys("new", "old"));
  expect(code).toBe(1);
  expect(stderr).toMatch(/keep every key of APP_KEYS.*\n  Session\.accessToken of offline-1/);
  expect(await countUnder("new")).toBe(7);
});

test("a missing variable, a wrong key and nothing to do are said plainly", async () => {
  await fill(1);
  const unset = await runHere(rotateKeys, [], { DATABASE_URL: "", APP_KEYS: appKeys("new") });
  expect(unset).toMatchObject({ code: 1, said: expect.stringMatching(/^DATABASE_URL is missing.*\n$/) });
  const keyless = await rotate("");
  expect(keyless).toMatchObject({ code: 1, said: expect.stringMatching(/^APP_KEYS is missing.*\n$/) });
  const without = await rotate(appKeys("new"));
  expect(without.code).toBe(1);
  expect(without.said).toContain("has values under the key old, which APP_KEYS lacks");
  const idle = await rotate(appKeys("old"));
  expect(idle).toMatchObject({ code: 0, said: "0 re-encrypted. Every secret is under the key old.\n" });
});

test("nothing that was written under the old key stays in the files", async () => {
  await fill(60);
  // What a release left that did not overwrite what it deleted.
  const client = createClient({ url: database.url });
  await client.execute("PRAGMA secure_delete = OFF");
  await client.execute(`DELETE FROM "Session" WHERE "id" LIKE 'offline-1%'`);
  client.close();
  expect(countInFiles("v1.old.")).toBeGreaterThan(0);
  expect(await rotate(appKeys("new", "old"))).toMatchObject({ code: 0 });
  expect(countInFiles("v1.new.")).toBeGreaterThan(0);
  expect(countInFiles("v1.old.")).toBe(0);
});

test("and beside the app nothing of what was rotated", async () => {
  await fill(60);
  const app = await open(appKeys("new", "old"));
  expect(await start(appKeys("new", "old")).ended).toBe(0);
  expect(countInFiles("v1.old.")).toBe(0);
  await app.close();
});
