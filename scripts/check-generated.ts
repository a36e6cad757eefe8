import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createClient } from "@libsql/client";
import { migratePostgres } from "../app/adapters/store/postgresql/migrate.ts";
import { onServer, shapeOf, startEmbedded, withDatabase } from "./postgres-server.ts";
import {
  BEYOND_MODELS,
  BEYOND_MODELS_POSTGRESQL,
  collated,
  POSTGRESQL_SCHEMA,
  postgresqlSchema,
  SQLITE_SCHEMA,
} from "./postgresql-schema.ts";

/** Checks that every derived file still follows from its source. Each check names the command that mends it. */

const root = join(import.meta.dirname, "..");
const prismaCli = join(root, "node_modules/prisma/build/index.js");
mkdirSync(join(root, "build"), { recursive: true });
const scratch = mkdtempSync(join(root, "build", "check-"));

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}

function prisma(args: string[], database: string): string {
  const result = spawnSync(process.execPath, [prismaCli, ...args], {
    cwd: root,
    encoding: "utf8",
    env: { ...process.env, DATABASE_URL: `file:${join(scratch, database)}` },
  });
  if (result.status !== 0) throw new Error(`prisma ${args.join(" ")} failed:\n${result.stdout}\n${result.stderr}`);
  return result.stdout;
}

/** Tables and indexes of a database, as one normalised line each, because SQLite formats an added column differently from the others. */
async function sqliteShapeOf(database: string): Promise<string[]> {
  const client = createClient({ url: `file:${join(scratch, database)}` });
  const rows = await client.execute(
    "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND tbl_name NOT IN ('_prisma_migrations', 'sqlite_sequence') ORDER BY name",
  );
  client.close();
  return rows.rows.map((row) =>
    String(row.sql)
      .replace(/\s+/g, " ")
      .replace(/ (?=[,)])/g, ""),
  );
}

/** Checks that the migrations, applied in turn, make exactly the tables of the models. */
async function migrationsFollowModels(): Promise<string | null> {
  prisma(["migrate", "deploy"], "migrated.db");
  const script = prisma(
    ["migrate", "diff", "--from-empty", "--to-schema-datamodel", "prisma/schema.prisma", "--script"],
    "unused.db",
  );
  const fresh = createClient({ url: `file:${join(scratch, "modelled.db")}` });
  await fresh.executeMultiple(script + read(BEYOND_MODELS));
  fresh.close();
  return differences(await sqliteShapeOf("migrated.db"), await sqliteShapeOf("modelled.db"), "prisma/migrations");
}

function differences(migrated: string[], modelled: string[], folder: string): string | null {
  const differing = [
    ...modelled.filter((line) => !migrated.includes(line)).map((line) => `  missing in the migrations: ${line}`),
    ...migrated.filter((line) => !modelled.includes(line)).map((line) => `  only in the migrations: ${line}`),
  ];
  if (differing.length === 0) return null;
  return `${folder} no longer makes what prisma/schema.prisma and beyond-models.sql say; write a migration with prisma migrate diff --script.\n${differing.join("\n")}`;
}

/** PostgreSQL's schema is made of SQLite's, and its migrations, applied in turn, make just what that says. */
async function postgresqlFollowsModels(): Promise<string | null> {
  if (postgresqlSchema(read(SQLITE_SCHEMA)) !== read(POSTGRESQL_SCHEMA))
    return `${POSTGRESQL_SCHEMA} is old; run node scripts/generate.ts.`;
  const diff = ["migrate", "diff", "--from-empty", "--to-schema-datamodel", POSTGRESQL_SCHEMA, "--script"];
  const script = collated(prisma(diff, "unused.db"));
  const server = await startEmbedded();
  try {
    const [migrated, modelled] = ["migrated", "modelled"].map((name) => withDatabase(server.url, name));
    await onServer(server.url, "CREATE DATABASE migrated", "CREATE DATABASE modelled");
    await migratePostgres({ url: migrated!, folder: new URL("../prisma/postgresql/migrations/", import.meta.url) });
    await onServer(modelled!, script, read(BEYOND_MODELS), read(BEYOND_MODELS_POSTGRESQL));
    return differences(await shapeOf(migrated!), await shapeOf(modelled!), "prisma/postgresql/migrations");
  } finally {
    await server.stop();
  }
}

/** Checks that the lock file fits package.json and holds no download URL, and that every version is exact. */
function lockFollowsPackage(): string | null {
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<
    string,
    Record<string, string>
  >;
  const lock = readFileSync(join(root, "package-lock.json"), "utf8");
  const locked = (JSON.parse(lock) as { packages: Record<string, Record<string, unknown>> }).packages[""] ?? {};
  if (/"resolved"/.test(lock))
    return "package-lock.json names download addresses; run npm install with this project's .npmrc.";
  for (const kind of ["dependencies", "devDependencies", "optionalDependencies"]) {
    const wanted = manifest[kind] ?? {};
    const loose = Object.entries(wanted).filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version));
    if (loose.length > 0)
      return `package.json has versions that are not exact: ${loose.map(([name]) => name).join(", ")}.`;
    if (JSON.stringify(locked[kind] ?? {}) !== JSON.stringify(wanted))
      return `package-lock.json does not fit package.json's ${kind}; run npm install.`;
  }
  return null;
}

try {
  const checks: [string, () => Promise<string | null> | string | null][] = [
    ["the migrations make what the models say", migrationsFollowModels],
    ["PostgreSQL's schema and migrations make it too", postgresqlFollowsModels],
    ["the lock file fits package.json and names no address", lockFollowsPackage],
  ];
  let failed = 0;
  for (const [title, check] of checks) {
    const fault = await check();
    console.log(`${fault ? "FAILED" : "ok    "}  ${title}`);
    if (fault) console.error(fault);
    if (fault) failed += 1;
  }
  process.exitCode = failed === 0 ? 0 : 1;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
