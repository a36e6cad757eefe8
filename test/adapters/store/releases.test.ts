import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import pg from "pg";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { migratePostgres } from "../../../app/adapters/store/postgresql/migrate.ts";
import { noteRelease, THIS_RELEASE, type Ask, type Release } from "../../../app/adapters/store/releases/release.ts";
import { createStore } from "../../../app/adapters/store/store.ts";
import { expectWhole } from "../../fixtures/expect-whole.ts";
import { FIXTURE_KEYS } from "../../fixtures/keys.ts";
import { freshDatabase } from "./fresh-database.ts";
import { KEYS, SILENT } from "./open-store.ts";
import { freshPostgres, type FreshPostgres } from "./postgresql/fresh-postgres.ts";

/** What went out stays as it was: migrations of releases, the databases that they left, and which release may run on whose tables. */

const PROJECT = join(import.meta.dirname, "../../..");
const FIXTURES = join(PROJECT, "test/fixtures");
const PROVIDERS = {
  database: join(PROJECT, "prisma/migrations"),
  postgresql: join(PROJECT, "prisma/postgresql/migrations"),
} as const;
type Provider = keyof typeof PROVIDERS;

const fixturesOf = (provider: Provider) =>
  readdirSync(FIXTURES)
    .filter((name) => name.startsWith(`${provider}-`) && name.endsWith(".sql"))
    .sort();
const read = (name: string) => readFileSync(join(FIXTURES, name), "utf8");

interface Applied {
  name: string;
  checksum: string;
}

/** SQLite's text has Prisma's own table, PostgreSQL's begins with what was in it. */
const APPLIED = {
  database: /INSERT INTO "_prisma_migrations" .* VALUES \('[^']*', '(?<checksum>[0-9a-f]{64})', [^,]*, '(?<name>\w+)'/g,
  postgresql: /^-- (?<name>\w+) (?<checksum>[0-9a-f]{64})$/gm,
} as const;

const appliedIn = (provider: Provider, fixture: string): Applied[] =>
  [...read(fixture).matchAll(APPLIED[provider])].map(({ groups }) => groups as unknown as Applied);

describe.each(Object.keys(PROVIDERS) as Provider[])("the migrations of releases (%s)", (provider) => {
  const folder = PROVIDERS[provider];
  const script = (name: string) => join(folder, name, "migration.sql");

  test.each(fixturesOf(provider))("that made %s are as they were", (fixture) => {
    const applied = appliedIn(provider, fixture);
    expect(applied.length).toBeGreaterThan(5);
    const changed = applied.filter(({ name, checksum }) => {
      if (!existsSync(script(name))) return true;
      return (
        createHash("sha256")
          .update(readFileSync(script(name)))
          .digest("hex") !== checksum
      );
    });
    expect(changed).toEqual([]);
  });

  test("are followed by none that takes away what the last release reads, unless it says that nobody does", () => {
    const last = new Set(appliedIn(provider, fixturesOf(provider).at(-1)!).map(({ name }) => name));
    const later = readdirSync(folder, { withFileTypes: true }).filter(
      (one) => one.isDirectory() && !last.has(one.name),
    );
    const contracts = later
      .map(({ name }) => ({ name, sql: readFileSync(script(name), "utf8") }))
      .filter(({ sql }) => CONTRACTS.test(sql) && !/^-- Contracts: /m.test(sql));
    expect(contracts.map(({ name }) => name)).toEqual([]);
  });
});

/** SQLite makes a table anew to change a column, and then drops the old one. */
const CONTRACTS = /\bDROP (TABLE|COLUMN)\b|\bRENAME (TO|COLUMN)\b|\bSET NOT NULL\b/i;

test.each([
  [`ALTER TABLE "Shop" DROP COLUMN "x"`, true],
  [`ALTER TABLE "Shop" RENAME COLUMN "x" TO "y"`, true],
  [`ALTER TABLE "Shop" ADD COLUMN "x" TEXT`, false],
  [`DROP INDEX "x"`, false],
])("what takes something away is told from what adds: %s", (sql, contracts) => {
  expect(CONTRACTS.test(sql)).toBe(contracts);
});

describe("on PostgreSQL", () => {
  let database: FreshPostgres;
  beforeEach(async () => void (database = await freshPostgres()));
  afterEach(() => database.remove());

  test.each(fixturesOf("postgresql"))("%s opens with the code of today, and no row is lost", async (fixture) => {
    await database.query(`DROP SCHEMA "public" CASCADE`, `DROP SCHEMA "budget" CASCADE`, `CREATE SCHEMA "public"`);
    const client = new pg.Client(database.url);
    await client.connect();
    const applied = appliedIn("postgresql", fixture);
    for (const { name } of applied)
      await client.query(readFileSync(join(PROVIDERS.postgresql, name, "migration.sql"), "utf8"));
    await client.query(`CREATE TABLE "_prisma_migrations" ("id" VARCHAR(36) PRIMARY KEY NOT NULL, "checksum" VARCHAR(64) NOT NULL,
      "finished_at" TIMESTAMPTZ, "migration_name" VARCHAR(255) NOT NULL, "logs" TEXT, "rolled_back_at" TIMESTAMPTZ,
      "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(), "applied_steps_count" INTEGER NOT NULL DEFAULT 0)`);
    for (const { name, checksum } of applied)
      await client.query(
        `INSERT INTO "_prisma_migrations" ("id", "checksum", "finished_at", "migration_name") VALUES (gen_random_uuid(), $1, now(), $2)`,
        [checksum, name],
      );
    // The triggers have written their own rows, which are in the file.
    await client.query("SET session_replication_role = replica");
    await client.query(read(fixture));
    await client.end();
    await migratePostgres({ url: database.url, folder: new URL(`file://${PROVIDERS.postgresql}/`) });
    const store = await createStore({ url: database.url, keys: parseKeys(FIXTURE_KEYS), log: SILENT, lockWaitMs: 0 });
    await expectWhole(store).finally(() => store.close());
  });

  test("tables of a release that is more than one version newer are refused", async () => {
    const client = new pg.Client(database.url);
    await client.connect();
    await refusesNewer(database.url, async (text, values) => (await client.query<object>(text, values)).rows);
    await client.end();
  });
});

test("on SQLite tables of a release that is more than one version newer are refused", async () => {
  const database = await freshDatabase();
  const client = createClient({ url: database.url });
  await refusesNewer(database.url, async (text, args = []) => (await client.execute({ sql: text, args })).rows);
  client.close();
  await database.remove();
});

test("the release that is noted is package.json's", () => {
  const { version } = JSON.parse(readFileSync(join(PROJECT, "package.json"), "utf8")) as { version: string };
  expect(THIS_RELEASE.version).toBe(version);
});

const NEXT: Release = { version: "0.10.0", oldest: THIS_RELEASE.version };
const AFTER_NEXT: Release = { version: "0.11.0", oldest: "0.10.0" };

async function refusesNewer(url: string, ask: Ask): Promise<void> {
  const opens = async () => (await createStore({ url, keys: KEYS, log: SILENT, lockWaitMs: 0 })).close();
  await opens();
  await noteRelease(ask, url);
  await opens();
  await noteRelease(ask, url, NEXT);
  await opens();
  // An older one that migrates afterwards does not make the tables older.
  await noteRelease(ask, url);
  await noteRelease(ask, url, AFTER_NEXT);
  await noteRelease(ask, url);
  await expect(opens()).rejects.toThrow(
    `This is release ${THIS_RELEASE.version}, and the database was migrated by 0.11.0, on which no release before 0.10.0 runs. Start 0.10.0 or newer`,
  );
}

test("the command that migrates notes its release, and leaves the tables of one alone that is too new", async () => {
  const folder = mkdtempSync(join(tmpdir(), "origen-release-"));
  const url = `file:${join(folder, "origen.db")}`;
  const migrate = () =>
    promisify(execFile)(process.execPath, [join(PROJECT, "scripts/migrate.ts")], {
      env: { ...process.env, DATABASE_URL: url, CHECKPOINT_DISABLE: "1" },
    });
  await migrate();
  const client = createClient({ url });
  const ask: Ask = async (text, args = []) => (await client.execute({ sql: text, args })).rows;
  expect(await ask(`SELECT "version", "oldest" FROM "_origen_release"`)).toMatchObject([THIS_RELEASE]);
  await noteRelease(ask, url, AFTER_NEXT);
  await expect(migrate()).rejects.toMatchObject({ stderr: expect.stringMatching(/Start 0\.10\.0 or newer/) });
  client.close();
  rmSync(folder, { recursive: true });
});
