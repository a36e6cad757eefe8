import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { POSTGRESQL_SCHEMA, postgresqlSchema, SQLITE_SCHEMA } from "./postgresql-schema.ts";

/**
 * Writes PostgreSQL's schema and generates Prisma's client for each database, side by side. With `--if-stale` only a client that is
 * missing, or was made from other models.
 */

const root = join(import.meta.dirname, "..");
const prismaCli = join(root, "node_modules/prisma/build/index.js");
const ifStale = process.argv.includes("--if-stale");

/** Where each client's copy of its schema stands: `npm ci` takes the clients away. */
const CLIENTS = [
  { schema: SQLITE_SCHEMA, copy: "node_modules/.prisma/client/schema.prisma" },
  { schema: POSTGRESQL_SCHEMA, copy: "node_modules/@origen/prisma-postgresql/schema.prisma" },
];

const wanted = postgresqlSchema(readFileSync(join(root, SQLITE_SCHEMA), "utf8"));
const path = join(root, POSTGRESQL_SCHEMA);
if (!existsSync(path) || readFileSync(path, "utf8") !== wanted) writeFileSync(path, wanted);

const stale = CLIENTS.filter(({ schema, copy }) => !(ifStale && isCopy(join(root, copy), join(root, schema))));
const codes = await Promise.all(stale.map(({ schema }) => generate(schema)));
process.exitCode = Math.max(0, ...codes);

function isCopy(copy: string, of: string): boolean {
  return existsSync(copy) && readFileSync(copy, "utf8") === readFileSync(of, "utf8");
}

async function generate(schema: string): Promise<number> {
  const args = [prismaCli, "generate", "--no-hints", "--schema", schema];
  const [code] = (await once(spawn(process.execPath, args, { cwd: root, stdio: "inherit" }), "exit")) as [
    number | null,
  ];
  return code ?? 1;
}
