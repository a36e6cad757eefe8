import { existsSync, linkSync, renameSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { resolve } from "node:path";
import { createClient } from "@libsql/client";
import pg from "pg";
import { AppError } from "../../../domain/errors.ts";
import type { Log } from "../../../ports.ts";
import { copyDatabase, isWhole } from "./copy.ts";
import { checkDatabase, lockDatabase, openPrisma } from "../database.ts";
import type { Keyring } from "../encryption.ts";
import type { ErasedAtMs } from "./erasure-log.ts";
import { storeFault } from "../faults.ts";
import { readHistory } from "../releases/history.ts";
import { databasePath } from "../libsql.ts";
import { connectionConfig, placeOf } from "../postgresql/connection.ts";
import { isPostgres } from "../postgresql/is-postgres.ts";
import { markRestored } from "./restored.ts";
import { createStore } from "../store.ts";

/** Puts an earlier state of the database in the place of today's, and carries out what must not be undone by that. */

export interface RestoreInput {
  url: string;
  /** PostgreSQL's own address, where `url` is a pooler's. */
  directUrl?: string | undefined;
  /** SQLite: the copy. PostgreSQL's own commands have put it back before. */
  from: string | null;
  keyring: Keyring;
  erasedAtMs: ErasedAtMs;
  /** The folder of this release's migrations for the database's kind. */
  migrations: URL;
  log: Log;
}

export interface RestoreResult {
  shops: number;
  /** Shops of the copy that were erased since. */
  erasedAgain: number;
  /** Where the database of before is now; null where there was none, and on PostgreSQL. */
  aside: string | null;
}

/**
 * Nothing of the database in use is changed until the copy is ready. Secrets stay encrypted. Afterwards the app sends nothing for a quarantine,
 * believes no listing of before, and looks at everything.
 * @throws an `AppError` that says what to do when an app runs, when the copy is damaged, lacks migrations or is of a newer release, or when a
 * key is wrong or missing.
 */
export async function restoreDatabase(input: RestoreInput): Promise<RestoreResult> {
  const { url, directUrl = url, log, from } = input;
  const lock = await lockDatabase({ url: directUrl, waitMs: 0, log, alone: true });
  try {
    if (isPostgres(url)) return { ...(await onPostgres(input)), aside: null };
    return await fromFile(input, { from: resolve(from!), path: resolve(databasePath(url)!) });
  } catch (error) {
    throw storeFault("restoring the database", error);
  } finally {
    await lock.release();
  }
}

async function onPostgres(input: RestoreInput): Promise<Omit<RestoreResult, "aside">> {
  const { url, directUrl = url } = input;
  await checkDatabase(url);
  await checkMigrated(input, { url, place: placeOf(url) });
  // First: whatever stops the rest, the app takes nothing of it for the last word.
  const client = new pg.Client(connectionConfig(directUrl));
  await client.connect();
  try {
    await client.query(`UPDATE "budget"."server" SET "lineage" = 'restored', "owes_reconciles" = false`);
  } finally {
    await client.end();
  }
  return eraseAgain(input, url);
}

async function fromFile(input: RestoreInput, { from, path }: { from: string; path: string }): Promise<RestoreResult> {
  if (from === path) throw refused(`${from} is the database in use: name a copy`);
  if (!existsSync(from)) throw refused(`there is no copy at ${from}`);
  const [part, ready] = [`${path}.restoring`, `${path}.restored`];
  removeFiles(part);
  removeFiles(ready);
  try {
    const made = `file:${part}`;
    await copyDatabase(`file:${from}`, part).catch((cause: unknown) => {
      throw refused(`${from} is no database, or is damaged`, cause);
    });
    if (!(await isWhole(made))) throw refused(`${from} is damaged`);
    await checkMigrated(input, { url: made, place: from });
    const done = await eraseAgain(input, made);
    const prisma = await openPrisma(made);
    await markRestored(prisma).finally(() => prisma.$disconnect());
    // One file without a log, and without what is left of erased rows in parts that nothing uses.
    await copyDatabase(made, ready);
    const file = await open(ready, "r");
    await file.sync().finally(() => file.close());
    // Its log is written back, so that it is whole by itself; where it is damaged that fails, and the log goes with it.
    if (existsSync(path)) await checkpoint(path).catch(() => undefined);
    return { ...done, aside: exchange(path, ready) };
  } finally {
    removeFiles(part);
    removeFiles(ready);
  }
}

async function checkMigrated(
  { migrations }: RestoreInput,
  { url, place }: { url: string; place: string },
): Promise<void> {
  const prisma = await openPrisma(url);
  try {
    const { missing, unknown, all } = await readHistory(prisma, { url, folder: migrations });
    if (missing.length === all) throw refused(`${place} is no database of Origen's`);
    if (unknown.length > 0)
      throw refused(
        `${place} is of a newer release: it has ${unknown.join(", ")}, which this one does not know. Restore it with that release`,
      );
    if (missing.length > 0)
      throw refused(
        `${place} is of an older release: it lacks ${missing.length} of ${all} migrations. Run \`npm run migrate\` with DATABASE_URL set to it, or to a copy of it`,
      );
  } finally {
    await prisma.$disconnect();
  }
}

/** Also checks the keys. What was erased before the copy's row was made was another life of the shop. */
async function eraseAgain(
  { keyring, log, erasedAtMs, directUrl }: RestoreInput,
  url: string,
): Promise<Omit<RestoreResult, "aside">> {
  const store = await createStore({ url, directUrl, keys: keyring, log, exclusive: false });
  try {
    let erasedAgain = 0;
    for (const { shop, installedAtMs } of await store.shops.list({})) {
      const atMs = erasedAtMs(shop);
      if (atMs !== null && atMs >= installedAtMs && (await store.eraseShop(shop))) erasedAgain += 1;
    }
    return { shops: await store.shops.count({}), erasedAgain };
  } finally {
    await store.close();
  }
}

async function checkpoint(path: string): Promise<void> {
  const client = createClient({ url: `file:${path}` });
  try {
    await client.execute("PRAGMA wal_checkpoint(TRUNCATE)");
  } finally {
    client.close();
  }
}

/**
 * Nothing of the old database's log may be found beside the new one. Where the file system can, there is a database at every moment, for the
 * app would make an empty one.
 */
function exchange(path: string, ready: string): string | null {
  const aside = `${path}.before-${new Date().toISOString().replaceAll(/[:.]/g, "-")}`;
  const isThere = existsSync(path);
  if (isThere) linkOrMove(path, aside);
  // A log may also be there alone, where somebody has removed the database.
  for (const end of ["-wal", "-shm"]) if (existsSync(`${path}${end}`)) renameSync(`${path}${end}`, `${aside}${end}`);
  renameSync(ready, path);
  return isThere ? aside : null;
}

function linkOrMove(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    // A file system without a second name for a file.
    renameSync(path, aside);
  }
}

function removeFiles(path: string): void {
  for (const end of ["", "-wal", "-shm", "-journal", "-lock"]) rmSync(`${path}${end}`, { force: true });
}

function refused(why: string, cause?: unknown): AppError {
  const message = `Nothing was restored: ${why}.`;
  return new AppError({ kind: "internal", message, ...(cause !== undefined && { cause }) });
}
