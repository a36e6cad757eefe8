import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import pg from "pg";
import { databasePath } from "../app/adapters/store/libsql.ts";
import { connectionConfig } from "../app/adapters/store/postgresql/connection.ts";
import { isPostgres } from "../app/adapters/store/postgresql/is-postgres.ts";
import { migratePostgres } from "../app/adapters/store/postgresql/migrate.ts";
import { noteRelease, refuseNewer, type Ask } from "../app/adapters/store/releases/release.ts";

// Creates or updates the tables of DATABASE_URL. SQLite's by Prisma's command; PostgreSQL's by our own, which keeps the same history. It
// leaves the tables of a release alone that is too new for this one, and notes whose tables they are now.
const root = join(import.meta.dirname, "..");
const url = process.env.DATABASE_URL;

try {
  await (url && isPostgres(url) ? onPostgres(url) : onSqlite(url));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function onPostgres(address: string): Promise<void> {
  const client = new pg.Client(connectionConfig(address));
  await client.connect();
  const ask: Ask = async (text, values) => (await client.query<object>(text, values)).rows;
  try {
    await refuseNewer(ask, address);
    const folder = new URL("../prisma/postgresql/migrations/", import.meta.url);
    const applied = await migratePostgres({ url: address, folder });
    // The role of an app that finds nothing to do need not be allowed to make tables.
    if (applied.length > 0) await noteRelease(ask, address);
    console.log(applied.length > 0 ? `Applied: ${applied.join(", ")}` : "No migration was missing.");
  } finally {
    await client.end();
  }
}

async function onSqlite(address = ""): Promise<void> {
  const path = databasePath(address);
  if (path && existsSync(path)) await withFile(address, (ask) => refuseNewer(ask, address));
  const args = [join(root, "node_modules/prisma/build/index.js"), "migrate", "deploy"];
  const { status } = spawnSync(process.execPath, args, { cwd: root, stdio: "inherit" });
  if (status !== 0) process.exitCode = status ?? 1;
  else if (path) await withFile(address, (ask) => noteRelease(ask, address));
}

async function withFile(address: string, work: (ask: Ask) => Promise<void>): Promise<void> {
  const client = createClient({ url: address });
  try {
    await client.execute("PRAGMA busy_timeout = 5000");
    await work(async (text, values = []) => (await client.execute({ sql: text, args: values })).rows);
  } finally {
    client.close();
  }
}
