import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@libsql/client";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { migratePostgres } from "../../../../app/adapters/store/postgresql/migrate.ts";
import { baseKind, isNullable, type TableSpec } from "../../../../app/adapters/store/table-spec.ts";
import { TABLE_SPECS } from "../../../../app/adapters/store/table-specs.ts";
import { shapeOf } from "../../../../scripts/postgres-server.ts";
import {
  BEYOND_MODELS,
  BEYOND_MODELS_POSTGRESQL,
  collated,
  POSTGRESQL_SCHEMA,
  postgresqlSchema,
  SQLITE_SCHEMA,
} from "../../../../scripts/postgresql-schema.ts";
import { freshDatabase, type FreshDatabase } from "../fresh-database.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";

const ROOT = new URL("../../../../", import.meta.url);
const MIGRATIONS = new URL("prisma/postgresql/migrations/", ROOT);
const PRISMA = new URL("node_modules/prisma/build/index.js", ROOT).pathname;
const TYPES = { text: "text", json: "text", secret: "text", int: "integer", time: "bigint", boolean: "boolean" };
const SPECS = Object.values(TABLE_SPECS)
  .map((spec) => spec as unknown as TableSpec)
  .map((spec) => [spec.table ?? spec.model, spec] as const);

let database: FreshPostgres;
let client: pg.Client;
beforeAll(async () => {
  database = await freshPostgres();
  client = new pg.Client(database.url);
  await client.connect();
});
afterAll(async () => {
  await client.end();
  await database.remove();
});

async function emptied(): Promise<FreshPostgres> {
  const made = await freshPostgres();
  await made.query('DROP SCHEMA "public", "budget" CASCADE', 'CREATE SCHEMA "public"');
  return made;
}

test("PostgreSQL's schema is made of SQLite's", async () => {
  const [sqlite, postgresql] = await Promise.all(
    [SQLITE_SCHEMA, POSTGRESQL_SCHEMA].map((path) => readFile(new URL(path, ROOT), "utf8")),
  );
  expect(postgresql).toBe(postgresqlSchema(sqlite!));
});

test("the migrations make what the models say, every text compared byte by byte", async () => {
  const args = [PRISMA, "migrate", "diff", "--from-empty", "--to-schema-datamodel", POSTGRESQL_SCHEMA, "--script"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT.pathname });
  const modelled = await emptied();
  await modelled.query(collated(stdout));
  for (const path of [BEYOND_MODELS, BEYOND_MODELS_POSTGRESQL])
    await modelled.query(await readFile(new URL(path, ROOT), "utf8"));
  const [wanted, found] = [await shapeOf(modelled.url), await shapeOf(database.url)];
  await modelled.remove();
  expect(found).toEqual(wanted);
  expect(found.filter((line) => / text .*(YES|NO)/.test(line) && !line.endsWith(" C"))).toEqual([]);
});

describe.each(SPECS)("%s", (table, spec) => {
  test("every field is a column of its type", async () => {
    const { rows } = await client.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type || CASE is_nullable WHEN 'YES' THEN '?' ELSE '' END AS type FROM information_schema.columns WHERE table_schema = 'public' AND table_name = $1`,
      [table],
    );
    const stated = Object.entries(spec.fields).map(([field, kind]) => {
      return [spec.columns?.[field] ?? field, `${TYPES[baseKind(kind)]}${isNullable(kind) ? "?" : ""}`];
    });
    expect(Object.fromEntries(rows.map(({ name, type }) => [name, type]))).toEqual(Object.fromEntries(stated));
  });

  test.skipIf(table === "Shop")("it goes with its shop", async () => {
    const { rows } = await client.query<{ def: string }>(
      `SELECT pg_get_constraintdef(oid) AS def FROM pg_constraint WHERE contype = 'f' AND conrelid = $1::regclass`,
      [`"${table}"`],
    );
    expect(rows.map(({ def }) => def)).toEqual([
      'FOREIGN KEY (shop) REFERENCES "Shop"(shop) ON UPDATE CASCADE ON DELETE CASCADE',
    ]);
  });
});

/** Of the tables that both have. */
const OWN_INDEXES = ["Target_leased_idx", "Target_waiting_idx"];

test("each index and each default is SQLite's too", async () => {
  const sqlite: FreshDatabase = await freshDatabase();
  const theirs = createClient({ url: sqlite.url });
  const indexes = await theirs.execute("SELECT name FROM sqlite_master WHERE type = 'index' AND sql IS NOT NULL");
  const defaults = [];
  for (const [table] of SPECS) {
    const { rows } = await theirs.execute(`PRAGMA table_info("${table}")`);
    for (const row of rows) if (row.dflt_value !== null) defaults.push(`${table}.${String(row.name)}`);
  }
  theirs.close();
  await sqlite.remove();
  const own = await client.query<{ name: string }>(
    `SELECT indexname AS name FROM pg_indexes WHERE schemaname = 'public' AND indexname NOT LIKE '%\\_pkey' AND tablename NOT IN ('ShopWork')`,
  );
  const ownDefaults = await client.query<{ name: string }>(
    `SELECT table_name || '.' || column_name AS name FROM information_schema.columns WHERE table_schema = 'public' AND column_default IS NOT NULL AND table_name NOT IN ('_prisma_migrations', 'Session', 'ShopWork')`,
  );
  const both = [...indexes.rows.map(({ name }) => String(name)), ...OWN_INDEXES];
  expect(own.rows.map(({ name }) => name).sort()).toEqual(both.sort());
  expect(ownDefaults.rows.map(({ name }) => name).sort()).toEqual(defaults.sort());
});

test("an empty database gets every migration, once, also when two migrate at the same time; Prisma takes it for its own", async () => {
  const empty = await emptied();
  const both = await Promise.all([1, 2].map(() => migratePostgres({ url: empty.url, folder: MIGRATIONS })));
  const names = (await readdir(MIGRATIONS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  expect(both.flat().sort()).toEqual(names.map(({ name }) => name).sort());
  const env = { ...process.env, DATABASE_URL: empty.url, CHECKPOINT_DISABLE: "1" };
  const status = await promisify(execFile)(process.execPath, [PRISMA, "migrate", "status"], {
    cwd: ROOT.pathname,
    env,
  });
  expect(status.stdout).toContain("Database schema is up to date!");
  await empty.remove();
});

test("after back.sql the release before finds its columns, and the next release drops them again", async () => {
  const migrated = await freshPostgres();
  const dropped = "20261122211500_columns_that_decide_nothing";
  const asBefore = () =>
    migrated.query(
      `SELECT "createdAtMs" FROM "Connection"`,
      `SELECT "updatedAtMs" FROM "Details"`,
      `SELECT "createdAtMs" FROM "Target"`,
      `SELECT "topic" FROM "Receipt"`,
    );
  const shape = await shapeOf(migrated.url);
  await expect(asBefore()).rejects.toThrow("does not exist");
  await migrated.query(await readFile(new URL(`${dropped}/back.sql`, MIGRATIONS), "utf8"));
  await asBefore();
  expect(await migratePostgres({ url: migrated.url, folder: MIGRATIONS })).toEqual([dropped]);
  expect(await shapeOf(migrated.url)).toEqual(shape);
  await migrated.remove();
});

test("each back.sql leaves what the migrations before it make, and the next release applies its own again", async () => {
  const names = (await readdir(MIGRATIONS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  const all = names.map(({ name }) => name).sort();
  const first = 1 + all.findLastIndex((name) => !existsSync(new URL(`${name}/back.sql`, MIGRATIONS)));
  const directory = await mkdtemp(join(tmpdir(), "origen-back-"));
  const before = await emptied();
  const after = await freshPostgres();
  const shapes = new Map<string, string[]>();
  for (const [index, name] of all.entries()) {
    if (index >= first) shapes.set(name, await shapeOf(before.url));
    await cp(new URL(name, MIGRATIONS), join(directory, name), { recursive: true });
    await migratePostgres({ url: before.url, folder: pathToFileURL(`${directory}/`) });
  }
  expect(shapes.size).toBeGreaterThan(3);
  for (const name of all.slice(first).reverse()) {
    await after.query(await readFile(new URL(`${name}/back.sql`, MIGRATIONS), "utf8"));
    // A column that comes back to rows that are there has a default besides, which stands before a text's collation.
    const [now, was] = [await shapeOf(after.url), shapes.get(name)!];
    const isAsBefore = (line: string) =>
      was.some((one) => line === one || line.startsWith(`${one} `) || line.replace(/ \S+::text C$/, " C") === one);
    expect([name, now.length, now.filter((line) => !isAsBefore(line))]).toEqual([name, was.length, []]);
  }
  expect(await migratePostgres({ url: after.url, folder: MIGRATIONS })).toEqual(all.slice(first));
  expect(await shapeOf(after.url)).toEqual(await shapeOf(database.url));
  await rm(directory, { recursive: true });
  await Promise.all([before.remove(), after.remove()]);
});

/** A release of before could pass an unclear write over to a connection whose template had one already. */
test("what a shop has one of is made one: the latest stays, and no quarantine gets shorter", async () => {
  const before = await emptied();
  const directory = await mkdtemp(join(tmpdir(), "origen-before-"));
  const names = (await readdir(MIGRATIONS, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  for (const { name } of names)
    if (name < "20261122230000") await cp(new URL(name, MIGRATIONS), join(directory, name), { recursive: true });
  await migratePostgres({ url: before.url, folder: pathToFileURL(`${directory}/`) });
  await rm(directory, { recursive: true });
  const own = new pg.Client(before.url);
  await own.connect();
  const row = async (table: string, fields: Record<string, unknown>) => {
    const { rows } = await own.query<{ name: string; type: string }>(
      `SELECT column_name AS name, data_type AS type FROM information_schema.columns
        WHERE table_schema = 'public' AND table_name = $1 AND is_nullable = 'NO' AND column_default IS NULL`,
      [table],
    );
    const zero = ({ type }: { type: string }) => (type === "text" ? "[]" : type === "boolean" ? false : 0);
    const all = { ...Object.fromEntries(rows.map((column) => [column.name, zero(column)])), shop: "one", ...fields };
    const [keys, values] = [Object.keys(all), Object.values(all)];
    const [into, places] = [keys.map((key) => `"${key}"`).join(), keys.map((_key, index) => `$${index + 1}`).join()];
    await own.query(`INSERT INTO "${table}" (${into}) VALUES (${places})`, values);
  };
  await row("Shop", {});
  for (const [index, id] of ["a", "b"].entries()) {
    await row("Connection", { id, clientId: id, current: true, lastSuccessAtMs: index });
    await row("Job", { id, state: "running", createdAtMs: index });
    const place = { connectionId: "b", templateId: "template", locationId: "place" };
    const told = { operation: "update", payload: `{"alias_name":"${id}"}`, committedAtMs: index };
    await row("Intent", { id, targetId: id, ...place, ...told, quarantineUntilMs: 9 - index });
    if (index === 0) await row("Link", { id, ...place });
  }
  await migratePostgres({ url: before.url, folder: MIGRATIONS });
  const read = async (sql: string) => (await own.query({ text: sql, rowMode: "array" })).rows;
  expect(await read(`SELECT "id" FROM "Connection" WHERE "current"`)).toEqual([["b"]]);
  expect(await read(`SELECT "id" FROM "Job" WHERE "state" = 'running'`)).toEqual([["b"]]);
  expect(await read(`SELECT "id", "quarantineUntilMs" FROM "Intent"`)).toEqual([["b", "9"]]);
  const [[unclear]] = (await read(`SELECT "unclear" FROM "Link"`)) as [[string]];
  expect(JSON.parse(unclear)).toEqual({ operation: "update", payload: { alias_name: "a" } });
  await own.end();
  await before.remove();
});

test("nothing of a migration that fails stays, and what came before does", async () => {
  const empty = await emptied();
  const directory = await mkdtemp(join(tmpdir(), "origen-migrations-"));
  const write = async (name: string, script: string) => {
    await mkdir(join(directory, name), { recursive: true });
    await writeFile(join(directory, name, "migration.sql"), script);
  };
  await write("1_good", "CREATE TABLE one ()");
  await write("2_bad", "CREATE TABLE half ();\nSELECT nothing_there();");
  const folder = pathToFileURL(`${directory}/`);
  await expect(migratePostgres({ url: empty.url, folder })).rejects.toThrow("the migration 2_bad failed, and nothing");
  await write("2_bad", "CREATE TABLE half ()");
  expect(await migratePostgres({ url: empty.url, folder })).toEqual(["2_bad"]);
  await empty.remove();
  await rm(directory, { recursive: true });
});
