import { execFile } from "node:child_process";
import { copyFile, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { parseKeys } from "../../../../app/adapters/store/encryption.ts";
import { moveDatabase, type MoveInput } from "../../../../app/adapters/store/move.ts";
import { createStore, type PrismaStore } from "../../../../app/adapters/store/store.ts";
import { TABLE_SPECS, type TableName } from "../../../../app/adapters/store/table-specs.ts";
import { isSecret } from "../../../../app/domain/secret.ts";
import { move as command } from "../../../../scripts/commands/move.ts";
import { FIXTURE_KEYS } from "../../../fixtures/keys.ts";
import { SHOP } from "../../../fakes/records.ts";
import { appKeys, SILENT } from "../open-store.ts";
import { runHere, runTruly } from "../processes/run-command.ts";
import { runScript } from "../processes/run.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/**
 * The move from SQLite to PostgreSQL, from a database that has rows in every table.
 * Long, because each thing that may be wrong is refused with a sentence of its own.
 */

const PROJECT = join(import.meta.dirname, "../../../..");
const KEYS = parseKeys(FIXTURE_KEYS);
/** More than one batch. */
const MANY = 1_203;
const SCRIPT = join(PROJECT, "scripts/move.ts");
const LEASED = "leased by a process that has ended";

let directory: string;
let full: string;
let from: string;
let target: FreshPostgres;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), "origen-move-"));
  full = join(directory, "full.db");
  const client = createClient({ url: `file:${full}` });
  await client.executeMultiple(await readFile(join(PROJECT, "test/fixtures/database-2026-11-22.sql"), "utf8"));
  const env = { ...process.env, DATABASE_URL: `file:${full}`, CHECKPOINT_DISABLE: "1" };
  const prisma = join(PROJECT, "node_modules/prisma/build/index.js");
  await promisify(execFile)(process.execPath, [prisma, "migrate", "deploy"], { cwd: PROJECT, env });
  await client.execute(
    `UPDATE "Target" SET "leaseOwner" = '${LEASED}', "leaseUntilMs" = 4000000000000, "dueAtMs" = 4000000000000`,
  );
  await client.execute(`INSERT INTO "Location" ("shop", "locationId", "name", "isActive", "isFulfillmentService", "fulfillsOnlineOrders", "address", "readAtMs")
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
    SELECT '${SHOP}', 'many-' || i, 'Ñandú ' || char(0) || i, true, false, true, '{}', 1700000000000 + i FROM n`);
  await client.executeMultiple(`INSERT INTO "PostalEdition" VALUES (3, 'table', 'current', 1700000000000, ${MANY}, ${MANY});
    INSERT INTO "PostalCode" ("edition", "code", "state", "settlements")
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
    SELECT 3, 10000 + i, 'Jalisco', 'Ñandú ' || i || char(9) || 'Colonia' FROM n`);
  await client.executeMultiple(`INSERT INTO "FlowOrigin" VALUES ('${SHOP}', 'many-1', '{}');
    INSERT INTO "FlowEvent" VALUES ('event', '${SHOP}', 1, 'origin-ready', NULL, '{}', 1700000000000);
    INSERT INTO "Move" ("shop", "locationId", "connectionId", "marker", "place", "keepFormer", "state", "formerDefault")
      VALUES ('${SHOP}', 'many-1', 'connection-1', '0000M0VE', '{}', true, 'coming', false);`);
  await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  client.close();
});
afterAll(() => rm(directory, { recursive: true, force: true }));

beforeEach(async () => {
  const path = join(directory, "moving.db");
  await copyFile(full, path);
  from = `file:${path}`;
  target = await freshPostgres();
});
afterEach(async () => {
  await target.remove();
  for (const end of ["", "-wal", "-shm", "-lock"]) await rm(join(directory, `moving.db${end}`), { force: true });
});

const move = (over: Partial<MoveInput> = {}) =>
  moveDatabase({
    from,
    to: target.url,
    keyring: KEYS,
    log: SILENT,
    slotsRestMs: 18_000,
    migrations: {
      from: new URL("../../../../prisma/migrations/", import.meta.url),
      to: new URL("../../../../prisma/postgresql/migrations/", import.meta.url),
    },
    ...over,
  });

const openSource = (url = from) => createStore({ url, keys: KEYS, log: SILENT, lockWaitMs: 0 });

async function rowsOf(store: PrismaStore): Promise<Record<string, unknown[]>> {
  const opened = (row: object) =>
    Object.entries(row).map(([field, value]) => [field, isSecret(value) ? `secret ${value.reveal()}` : value]);
  const rows = Object.keys(TABLE_SPECS).map(async (name) => {
    const found = await store[name as TableName].list({}, { limit: 1_000_000 });
    return [name, found.map((row) => JSON.stringify(opened(row))).toSorted()] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function targetRows(): Promise<Record<string, unknown[]>> {
  const store = await openPostgres(target.url, { keys: KEYS });
  return await rowsOf(store).finally(() => store.close());
}

const isEmpty = (rows: Record<string, unknown[]>) => Object.values(rows).every((found) => found.length === 0);

test("every row arrives as it was, secrets and sessions included, and leases are free", async () => {
  const moved: Record<string, number> = {};
  expect(await move({ onModel: (model, rows) => void (moved[model] = rows) })).toMatchObject({ movedNow: true });
  expect(Object.values(moved).every((rows) => rows > 0)).toBe(true);
  expect(moved.Location).toBeGreaterThan(MANY);

  const client = createClient({ url: from });
  await client.execute('DROP TABLE "_origen_moved"');
  client.close();
  const source = await openSource();
  const before = await rowsOf(source);
  await source.close();
  const after = await targetRows();
  const plain = (rows: unknown[]) => rows.map((row) => String(row).replaceAll(String.raw`\u0000`, "")).toSorted();
  for (const name of Object.keys(before)) expect(after[name]!.toSorted(), name).toEqual(plain(before[name]!));
  expect(after.connections!.join()).toContain("secret the client's secret");
  expect(after.workItems!.join()).not.toContain(LEASED);

  const store = await openPostgres(target.url, { keys: KEYS });
  expect((await store.sessions.loadSession(`offline_${SHOP}`))!.accessToken).toBe("Shopify's access token");
  expect((await store.postalCodes.find("11203"))!.settlements).toEqual([{ name: "Ñandú 1203", kind: "Colonia" }]);
  await store.close();
});

test("a second call says that it is done, and changes nothing", async () => {
  await move();
  const first = await targetRows();
  expect(await move()).toMatchObject({ movedNow: false });
  expect(await targetRows()).toEqual(first);
});

/** For how long nothing is sent on the target. */
async function closedFor(seconds: number): Promise<boolean> {
  const client = new pg.Client(target.url);
  await client.connect();
  const { rows } = await client.query<{ waits: boolean }>(
    'SELECT "opens_at" - clock_timestamp() > $1 * interval \'1 s\' AS "waits" FROM budget.epoch',
    [seconds],
  );
  await client.end();
  return rows[0]!.waits;
}

test("nothing is sent on PostgreSQL before whatever an app on SQLite had under way has arrived", async () => {
  await move({ slotsRestMs: 76_000 });
  expect(await closedFor(60)).toBe(true);
});

test("a call that was stopped between the commit and the mark is completed by the next", async () => {
  await move();
  const client = createClient({ url: from });
  await client.execute('DROP TABLE "_origen_moved"');
  client.close();
  expect(await move()).toMatchObject({ movedNow: false });
  await expect(openSource()).rejects.toThrow("was moved to");
});

test("no app starts on the database that was moved, nor is it moved elsewhere", async () => {
  await move();
  await expect(openSource()).rejects.toThrow(/^This database was moved to .* at .*Z\. Set DATABASE_URL to that one/);
  const other = await freshPostgres();
  await expect(move({ to: other.url })).rejects.toThrow("Nothing was moved");
  await other.remove();
});

test("a move that is killed half-way leaves nothing, and the next one moves everything", async () => {
  const args = ["--from", from, "--to", target.url];
  const killed = runScript({ script: SCRIPT, args, env: { APP_KEYS: FIXTURE_KEYS } });
  await killed.line("Location: ");
  killed.child.kill("SIGKILL");
  expect(await killed.ended).toBe(null);
  expect(isEmpty(await targetRows())).toBe(true);
  expect(await move()).toMatchObject({ movedNow: true });
});

describe("refused, with a sentence, and nothing moved:", () => {
  test("an app that runs on the SQLite database", async () => {
    const app = await openSource();
    await expect(move()).rejects.toThrow("is in use by");
    await app.close();
  });

  test("an app that runs on the PostgreSQL database", async () => {
    const app = await openPostgres(target.url, { keys: KEYS });
    await expect(move()).rejects.toThrow("is in use by");
    await app.close();
  });

  test("a target that is not empty", async () => {
    await target.query(
      `INSERT INTO "Session" ("id", "shop", "state", "accessToken") VALUES ('another', 'another.myshopify.com', '', '')`,
    );
    await expect(move()).rejects.toThrow("is not empty: there are rows of Session");
  });

  test("a target without its tables", async () => {
    await target.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
    await expect(move()).rejects.toThrow(/lacks \d+ of \d+ migrations\. Run `npm run migrate`/);
  });

  test("a SQLite database of an older release", async () => {
    const client = createClient({ url: from });
    await client.execute(
      'DELETE FROM "_prisma_migrations" WHERE "migration_name" = (SELECT max("migration_name") FROM "_prisma_migrations")',
    );
    client.close();
    await expect(move()).rejects.toThrow(/lacks 1 of \d+ migrations/);
  });

  test("a target that cannot be asked, which is not called unmigrated", async () => {
    await target.query('ALTER TABLE "_prisma_migrations" RENAME COLUMN "finished_at" TO "ended_at"');
    await expect(move()).rejects.toThrow(/^store: moving the database failed/);
  });

  test("a wrong key, and a missing one", async () => {
    const wrong = `fixture:${Buffer.alloc(32, "another").toString("base64")}`;
    await expect(move({ keyring: parseKeys(wrong) })).rejects.toThrow("is not the one this database was written with");
    await expect(move({ keyring: parseKeys(appKeys("k9")) })).rejects.toThrow("which APP_KEYS lacks");
    expect(isEmpty(await targetRows())).toBe(true);
  });

  test("a file that is not there, and addresses of the wrong kind", async () => {
    const absent = `file:${join(directory, "absent.db")}`;
    await expect(move({ from: absent })).rejects.toThrow("there is no database at");
    await expect(move({ from: target.url })).rejects.toThrow("--from is no SQLite database");
    await expect(move({ to: from })).rejects.toThrow("--to is no PostgreSQL database");
  });
});

test("the command says what it did and quotes no password", async () => {
  const env = { APP_KEYS: FIXTURE_KEYS, BUDGET_GRACE_MS: "600000" };
  const to = new URL(target.url);
  to.password = "never-shown";
  const moving = await runTruly("move", ["--from", from, "--to", to.href], env);
  expect([moving.code, moving.stderr]).toEqual([0, ""]);
  expect(moving.stdout).toContain("Location: ");
  expect(moving.stdout).toMatch(/\nEverything was moved\. Set DATABASE_URL to .*\n$/);
  expect(await closedFor(500)).toBe(true);
  const again = await runHere(command, ["--from", from, "--to", to.href], env);
  expect(again).toMatchObject({ code: 0, said: expect.stringMatching(/^Everything had been moved already\..*\n$/) });
  expect(moving.said + again.said).not.toContain("never-shown");
  const usage = await runTruly("move", ["--from", from], env);
  expect(usage).toMatchObject({ code: 1, stdout: "", stderr: expect.stringContaining("Usage: npm run move") });
});
