import { existsSync, renameSync, rmSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { copyDatabase, isWhole } from "../../app/adapters/store/copies/copy.ts";
import { isPostgres } from "../../app/adapters/store/postgresql/is-postgres.ts";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { createStore } from "../../app/adapters/store/store.ts";
import type { Log } from "../../app/ports.ts";
import { command } from "./command.ts";

const USAGE = "Usage: npm run backup -- --to FILE";
const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * A copy of the SQLite database as it was at one moment, also while the app runs: npm run backup -- --to FILE (docs/operations.md). Secrets
 * stay encrypted in it, so it is worth nothing without APP_KEYS, which it does not hold.
 */
export const backup = command(async ({ args, env, say }) => {
  const { to } = parseArgs({ args, options: { to: { type: "string" } } }).values;
  if (!to) throw new Error(USAGE);
  const url = env.DATABASE_URL;
  if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
  if (isPostgres(url))
    throw new Error("DATABASE_URL is PostgreSQL's: its own pg_dump makes the copy (docs/operations.md).");
  if (!existsSync(url.slice("file:".length))) throw new Error("There is no database at DATABASE_URL.");
  // None is made: where the disk for copies is not mounted they would come to lie beside the database.
  if (!existsSync(dirname(to))) throw new Error(`There is no folder ${dirname(to)}.`);
  if (existsSync(to)) throw new Error(`${to} is there already, and is not overwritten.`);
  const part = `${to}.part`;
  rmSync(part, { force: true });
  try {
    await copyDatabase(url, part);
    const shops = await check(`file:${part}`, env.APP_KEYS);
    renameSync(part, to);
    say(`${to}: whole, and APP_KEYS opens it. ${shops} shops. Keep APP_KEYS elsewhere.`);
  } finally {
    for (const end of ["", "-wal", "-shm", "-journal"]) rmSync(`${part}${end}`, { force: true });
  }
});

/** A copy that nobody can open is found now and not when it is needed. Gives the number of shops. */
async function check(url: string, keys: string | undefined): Promise<number> {
  if (!(await isWhole(url))) throw new Error("The copy is damaged; it was removed.");
  const store = await createStore({ url, keys: parseKeys(keys), log: QUIET, exclusive: false });
  try {
    return await store.shops.count({});
  } finally {
    await store.close();
  }
}
