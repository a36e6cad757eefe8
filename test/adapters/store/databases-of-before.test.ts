import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import type { Client } from "@libsql/client";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import type { PrismaStore } from "../../../app/adapters/store/store.ts";
import { expectWhole } from "../../fixtures/expect-whole.ts";
import { FIXTURE_KEYS } from "../../fixtures/keys.ts";
import { SHOP } from "../../fakes/records.ts";
import { SILENT } from "./open-store.ts";

/** Databases that releases of before have left (`test/fixtures/make-database.ts`), opened with the code of today. */

const PROJECT = join(import.meta.dirname, "../../..");
const FIXTURES = join(PROJECT, "test/fixtures");
const MIGRATIONS = join(PROJECT, "prisma/migrations");

let directory: string;
let url: string;
let client: Client;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "origen-before-"));
  url = `file:${join(directory, "origen.db")}`;
  client = createClient({ url });
});
afterEach(async () => {
  client.close();
  await rm(directory, { recursive: true });
});

const load = async (name: string) => client.executeMultiple(await readFile(join(FIXTURES, name), "utf8"));

/** As `npm start` does. */
async function migrateTruly(): Promise<void> {
  const command = join(PROJECT, "node_modules/prisma/build/index.js");
  const env = { ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: "1" };
  await promisify(execFile)(process.execPath, [command, "migrate", "deploy"], { cwd: PROJECT, env });
}

/** The same migrations, in this process: Prisma's command takes longer to start than to apply them. */
async function migrate(): Promise<void> {
  const { rows } = await client.execute(`SELECT "migration_name" AS "name" FROM "_prisma_migrations"`);
  const applied = new Set(rows.map(({ name }) => name));
  const folders = (await readdir(MIGRATIONS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const missing = folders.map(({ name }) => name).filter((name) => !applied.has(name));
  expect(missing.length).toBeGreaterThan(0);
  await apart(async (other) => {
    for (const name of missing.sort()) {
      const sql = await readFile(join(MIGRATIONS, name, "migration.sql"), "utf8");
      await other.executeMultiple(sql);
      const checksum = createHash("sha256").update(sql).digest("hex");
      await other.execute({
        sql: `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name", "applied_steps_count")
          VALUES (?, ?, ?, ?, 1)`,
        args: [randomUUID(), checksum, Date.now(), name],
      });
    }
  });
}

/** A connection of its own, which saw nothing of the database's change, as a tool that a person calls. */
async function apart(use: (other: Client) => Promise<unknown>): Promise<void> {
  const other = createClient({ url });
  await use(other).finally(() => other.close());
}

async function opened<T>(look: (store: PrismaStore) => Promise<T>): Promise<T> {
  const store = await createStore({ url, keys: parseKeys(FIXTURE_KEYS), log: SILENT, lockWaitMs: 0 });
  return await look(store).finally(() => store.close());
}

const databases = (await readdir(FIXTURES)).filter((name) => /^database-.*\.sql$/.test(name));

describe.each(databases)("%s", (name) => {
  test("opens: secrets decrypt, links, drafts and unclear writes are whole, and no row is lost", async () => {
    await load(name);
    const before = await rowCounts();
    expect(Object.values(before).every((count) => count > 0)).toBe(true);
    await migrateTruly();
    expect(await rowCounts()).toMatchObject(before);
    await opened(expectWhole);
  });
});

/** But for Prisma's own table. */
async function rowCounts(): Promise<Record<string, number>> {
  const { rows } = await client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_%' ESCAPE '\\'",
  );
  const counts: [string, number][] = [];
  for (const { name } of rows) {
    const { rows: counted } = await client.execute(`SELECT count(*) AS count FROM "${String(name)}"`);
    counts.push([String(name), Number(counted[0]!.count)]);
  }
  return Object.fromEntries(counts);
}

/** What the release before each migration asks and inserts. */
const ASKED_BEFORE: [migration: string, statements: string[]][] = [
  [
    "20261122170000_columns_that_nobody_reads",
    [
      `SELECT "displayName" FROM "Shop"`,
      `INSERT INTO "Intent" ("id", "shop", "connectionId", "connectionVersion", "targetId", "operation", "committedAtMs",
        "quarantineUntilMs") VALUES ('intent-2', '${SHOP}', 'connection-1', 1, 'target-2', 'create', 1, 2)`,
    ],
  ],
  [
    "20261122211500_columns_that_decide_nothing",
    [
      `SELECT "createdAtMs" FROM "Connection"`,
      `UPDATE "Details" SET "updatedAtMs" = 1`,
      `INSERT INTO "Receipt" ("shop", "webhookId", "topic", "receivedAtMs") VALUES ('${SHOP}', 'webhook-2', 'locations/update', 1)`,
      `INSERT INTO "Target" ("id", "shop", "kind", "key", "wanted", "seen", "dueAtMs", "fence", "failures", "state", "createdAtMs",
        "updatedAtMs") VALUES ('target-2', '${SHOP}', 'location', 'another', 1, 0, 1, 0, 0, 'active', 1, 1)`,
    ],
  ],
  [
    "20261122233000_what_is_not_named",
    [
      `SELECT "sendWhole" FROM "Link"`,
      `INSERT INTO "Link" ("id", "shop", "connectionId", "environment", "locationId", "templateId", "how", "differences", "choices",
        "accepted", "sendWhole") VALUES ('link-2', '${SHOP}', 'connection-1', 'test', 'location-2', 'template-2', 'created', '[]', '[]',
        '[]', true)`,
    ],
  ],
];

describe.each(ASKED_BEFORE)("%s drops columns", (dropped, statements) => {
  const back = join(MIGRATIONS, dropped, "back.sql");
  const goBack = () => apart(async (other) => other.executeMultiple(await readFile(back, "utf8")));
  const asBefore = () => apart((other) => other.batch(statements));

  test("leaves the release before unable to ask, until the columns are put back; the next release drops them again", async () => {
    await load("database-2026-11-22.sql");
    const before = await rowCounts();
    await migrate();
    await expect(asBefore()).rejects.toThrow("no such column");
    await goBack();
    // Tables that came later stay.
    expect(await rowCounts()).toMatchObject(before);
    await asBefore();
    const used = await rowCounts();
    expect(used).not.toMatchObject(before);
    await migrateTruly();
    await expect(asBefore()).rejects.toThrow("no such column");
    expect(await rowCounts()).toEqual(used);
    await opened((store) => store.workItems.list({ shop: SHOP }));
  });
});

/** A release of before could pass an unclear write over to a connection whose template had one already. */
test("of two running jobs the latest goes on, and of two unclear writes to one template, for as long as either would have", async () => {
  await load("database-2026-11-22.sql");
  const again = (table: string, id: string, over: string) =>
    client.executeMultiple(`CREATE TEMP TABLE "again" AS SELECT * FROM "${table}" LIMIT 1;
      UPDATE "again" SET "id" = '${id}', ${over}; INSERT INTO "${table}" SELECT * FROM "again"; DROP TABLE "again";`);
  const later = `"committedAtMs" = "committedAtMs" + 1, "quarantineUntilMs" = "quarantineUntilMs" - 1`;
  await again("Intent", "intent-2", `"targetId" = 'target-2', ${later}`);
  await again("Job", "job-2", `"createdAtMs" = "createdAtMs" + 1`);
  await again("Connection", "connection-2", `"clientId" = 'client-2', "lastSuccessAtMs" = 1`);
  await migrate();
  await opened(async (store) => {
    const [pending, ...others] = await store.pendingWrites.list({ shop: SHOP });
    expect([pending!.id, pending!.quarantineUntilMs, others]).toEqual(["intent-2", 1_800_000_090_000, []]);
    const { unclear } = (await store.links.find({ shop: SHOP }))!;
    expect(unclear).toEqual({ operation: "update", payload: pending!.payload });
    const ids = async (rows: Promise<{ id: string }[]>) => (await rows).map(({ id }) => id);
    expect(await ids(store.jobs.list({ shop: SHOP, state: "running" }))).toEqual(["job-2"]);
    expect(await ids(store.connections.list({ shop: SHOP, current: true }))).toEqual(["connection-2"]);
  });
});

test("of a connection's last fault only the service's words stay", async () => {
  await load("database-2026-11-22.sql");
  const words = () => opened(async (store) => (await store.connections.find({ shop: SHOP }))!.lastFaultMessage);
  await client.execute(`UPDATE "Connection" SET "lastFaultMessage" = 'the call timed out'`);
  await migrate();
  expect(await words()).toBeNull();
});

test("a link that was sent whole tells that its account's service empties what is not named", async () => {
  await load("database-2026-11-22.sql");
  const unnamed = () =>
    opened(async (store) => (await store.connections.list({ shop: SHOP })).map((each) => each.unnamed));
  await client.execute(`UPDATE "Link" SET "sendWhole" = true`);
  await migrate();
  expect(await unnamed()).toContain("emptied");
});
