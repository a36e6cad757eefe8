import { createHash, randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import pg from "pg";
import { AppError } from "../../../domain/errors.ts";
import { connectionConfig } from "./connection.ts";

/** Prisma's own: whoever migrates with its command waits for us, and we for him. */
const MIGRATION_LOCK = 72_707_369;
const LOCK_TIMEOUT_MS = 30_000;

/** As Prisma makes it. */
const HISTORY = `CREATE TABLE IF NOT EXISTS "_prisma_migrations" (
  "id" VARCHAR(36) PRIMARY KEY NOT NULL,
  "checksum" VARCHAR(64) NOT NULL,
  "finished_at" TIMESTAMPTZ,
  "migration_name" VARCHAR(255) NOT NULL,
  "logs" TEXT,
  "rolled_back_at" TIMESTAMPTZ,
  "started_at" TIMESTAMPTZ NOT NULL DEFAULT now(),
  "applied_steps_count" INTEGER NOT NULL DEFAULT 0
)`;

/**
 * Applies the folder's migrations that the database lacks, each in a transaction: one that fails leaves nothing. It keeps Prisma's
 * history, so that Prisma's commands go on from here; its own `migrate deploy` ends ten seconds after its work. Gives the names of
 * what it applied.
 */
export async function migratePostgres({ url, folder }: { url: string; folder: URL }): Promise<string[]> {
  const client = new pg.Client({ ...connectionConfig(url), statement_timeout: 0, query_timeout: 0 });
  await client.connect();
  try {
    // The role of the app need not be allowed to change tables; it asks so at each start.
    if ((await hasHistory(client)) && (await missingOf(client, folder)).length === 0) return [];
    await client.query(`SET lock_timeout = ${LOCK_TIMEOUT_MS}`);
    await client.query("SELECT pg_advisory_lock($1)", [MIGRATION_LOCK]);
    await client.query(HISTORY).catch((cause: unknown) => Promise.reject(mayNot(cause)));
    const missing = await missingOf(client, folder);
    for (const name of missing) await apply(client, { name, folder });
    return missing;
  } finally {
    await client.end();
  }
}

async function hasHistory(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('"_prisma_migrations"') IS NOT NULL AS "there"`,
  );
  return rows[0]!.there;
}

/** In the order in which they are applied. */
async function missingOf(client: pg.Client, folder: URL): Promise<string[]> {
  const applied = await readHistory(client);
  const names = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return names
    .map(({ name }) => name)
    .filter((name) => !applied.has(name))
    .sort();
}

async function readHistory(client: pg.Client): Promise<Set<string>> {
  const { rows } = await client.query<{ name: string; finished: boolean }>(
    `SELECT "migration_name" AS "name", "finished_at" IS NOT NULL AS "finished" FROM "_prisma_migrations" WHERE "rolled_back_at" IS NULL`,
  );
  const failed = rows.find(({ finished }) => !finished);
  if (failed) throw refused(`the migration ${failed.name} failed before; see \`prisma migrate resolve\``);
  return new Set(rows.map(({ name }) => name));
}

async function apply(client: pg.Client, { name, folder }: { name: string; folder: URL }): Promise<void> {
  const script = await readFile(new URL(`${name}/migration.sql`, folder), "utf8");
  const checksum = createHash("sha256").update(script).digest("hex");
  await client.query("BEGIN");
  try {
    await client.query(script);
    await client.query(
      `INSERT INTO "_prisma_migrations" ("id", "checksum", "migration_name", "finished_at", "applied_steps_count") VALUES ($1, $2, $3, now(), 1)`,
      [randomUUID(), checksum, name],
    );
    await client.query("COMMIT");
  } catch (cause) {
    await client.query("ROLLBACK").catch(() => undefined);
    throw refused(`the migration ${name} failed, and nothing of it stays: ${String(cause)}`);
  }
}

/** PostgreSQL's code for a role that may not. */
const INSUFFICIENT_PRIVILEGE = "42501";

function mayNot(cause: unknown): unknown {
  const code = cause instanceof Error && "code" in cause ? cause.code : null;
  if (code !== INSUFFICIENT_PRIVILEGE) return cause;
  return refused("its role may not make tables. Run `npm run migrate` with a DATABASE_URL whose role may");
}

function refused(why: string): AppError {
  return new AppError({ kind: "internal", message: `The database was not migrated: ${why}` });
}
