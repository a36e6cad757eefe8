import { execFile } from "node:child_process";
import { readFile } from "node:fs/promises";
import { promisify } from "node:util";
import { createClient, type Client } from "@libsql/client";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { baseKind, isNullable, type TableSpec } from "../../../app/adapters/store/table-spec.ts";
import { TABLE_SPECS } from "../../../app/adapters/store/table-specs.ts";
import { BEYOND_MODELS } from "../../../scripts/postgresql-schema.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;
const PRISMA = new URL("../../../node_modules/prisma/build/index.js", import.meta.url).pathname;
const COLUMN_TYPES = { text: "TEXT", json: "TEXT", secret: "TEXT", int: "INTEGER", time: "BIGINT", boolean: "BOOLEAN" };
const SPECS = Object.values(TABLE_SPECS)
  .map((spec) => spec as unknown as TableSpec)
  .map((spec) => [spec.table ?? spec.model, spec] as const);
const columnOf = (spec: TableSpec, field: string) => spec.columns?.[field] ?? field;

let database: FreshDatabase;
let client: Client;
beforeAll(async () => {
  database = await freshDatabase();
  client = createClient({ url: database.url });
});
afterAll(async () => {
  client.close();
  await database.remove();
});

async function columnsOf(from: Client, model: string): Promise<Record<string, string>> {
  const { rows } = await from.execute(`PRAGMA table_info("${model}")`);
  return Object.fromEntries(
    rows.map((row) => [String(row.name), `${String(row.type)}${row.notnull === 1 ? "" : "?"}`]),
  );
}

/** The fields of each index, the unique ones and the primary key only when `unique`. */
async function indexesOf(from: Client, model: string, unique: boolean): Promise<string[]> {
  const { rows } = await from.execute(`PRAGMA index_list("${model}")`);
  const indexes = [];
  for (const row of rows) {
    if (unique && row.unique !== 1) continue;
    const { rows: fields } = await from.execute(`PRAGMA index_info("${String(row.name)}")`);
    indexes.push(fields.map(({ name }) => String(name)).join(", "));
  }
  return indexes.sort();
}

describe.each(SPECS)("%s", (model, spec) => {
  test("every field is a column of its type", async () => {
    const stated = Object.entries(spec.fields).map(([name, kind]) => {
      return [columnOf(spec, name), `${COLUMN_TYPES[baseKind(kind)]}${isNullable(kind) ? "?" : ""}`];
    });
    expect(await columnsOf(client, model)).toEqual(Object.fromEntries(stated));
  });

  test("its unique keys are the table's", async () => {
    const keys = [...spec.keys, ...(spec.partialKeys ?? []).map(({ key }) => key)];
    expect(await indexesOf(client, model, true)).toEqual(
      keys.map((fields) => fields.map((field) => columnOf(spec, field)).join(", ")).sort(),
    );
  });

  test.skipIf(model === "Shop")("it goes with its shop, which finds its rows by an index", async () => {
    const { rows } = await client.execute(`PRAGMA foreign_key_list("${model}")`);
    expect(rows.map((row) => [row.table, row.from, row.to, row.on_delete])).toEqual([
      ["Shop", "shop", "shop", "CASCADE"],
    ]);
    expect((await indexesOf(client, model, false)).filter((fields) => /^shop\b/.test(fields))).not.toEqual([]);
  });
});

test("the migrations make what the models say", async () => {
  const args = [PRISMA, "migrate", "diff", "--from-empty", "--to-schema-datamodel", "prisma/schema.prisma", "--script"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  const wanted = createClient({ url: ":memory:" });
  await wanted.executeMultiple(stdout + (await readFile(`${ROOT}${BEYOND_MODELS}`, "utf8")));
  const { rows } = await wanted.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  );
  // Sessions, key checks, and the two tables of postal codes, which no shop has.
  expect(rows.length).toBe(SPECS.length + 4);
  for (const { name } of rows) {
    const [model, modelled] = [String(name), await columnsOf(wanted, String(name))];
    expect([model, await columnsOf(client, model)]).toEqual([model, modelled]);
    expect([model, await indexesOf(client, model, false)]).toEqual([model, await indexesOf(wanted, model, false)]);
  }
  wanted.close();
});
