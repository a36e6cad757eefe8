import { parseArgs } from "node:util";
import { placeOf } from "../../app/adapters/store/postgresql/connection.ts";
import { isPostgres } from "../../app/adapters/store/postgresql/is-postgres.ts";
import { parseKeys } from "../../app/adapters/store/encryption.ts";
import { readErasureLogs } from "../../app/adapters/store/copies/erasure-log.ts";
import { restoreDatabase } from "../../app/adapters/store/copies/restore.ts";
import { command } from "./command.ts";

const USAGE = `Usage: npm run restore -- --from FILE     SQLite: puts the copy FILE in the database's place
       npm run restore                     PostgreSQL: after pg_restore, before the app is started

--erasures FILE           the log of erasures, instead of ERASURE_LOG; may be given several times
--without-erasures        no shop was erased since the copy was made`;

const SILENT = { info: () => undefined, warn: () => undefined, error: () => undefined };

/**
 * Puts a copy in the place of the SQLite database, or follows PostgreSQL's own pg_restore; then carries out again which shops were erased
 * since, and has the app doubt the rest (docs/operations.md).
 */
export const restore = command(async ({ args, env, say }) => {
  const { values } = parseArgs({
    args,
    options: {
      from: { type: "string" },
      erasures: { type: "string", multiple: true },
      "without-erasures": { type: "boolean" },
    },
  });
  const { DATABASE_URL: url, DATABASE_DIRECT_URL, ERASURE_LOG, APP_KEYS } = env;
  if (!url) throw new Error("DATABASE_URL is missing: set it to the app's database, e.g. file:.data/origen.db");
  const postgres = isPostgres(url);
  if (postgres === (values.from !== undefined)) throw new Error(USAGE);
  const logs = values["without-erasures"] ? [] : (values.erasures ?? (ERASURE_LOG ? [ERASURE_LOG] : null));
  if (!logs)
    throw new Error(
      "Nothing was restored: which shops were erased since the copy is not known. Name the log with --erasures FILE, or say --without-erasures.",
    );
  const keyring = parseKeys(APP_KEYS);
  const { shops, erasedAgain, aside } = await restoreDatabase({
    url,
    directUrl: DATABASE_DIRECT_URL || undefined,
    from: values.from ?? null,
    keyring,
    erasedAtMs: await readErasureLogs(logs, keyring),
    migrations: new URL(`../../prisma/${postgres ? "postgresql/" : ""}migrations/`, import.meta.url),
    log: SILENT,
  });
  say(`${postgres ? placeOf(url) : url} is as the copy was: ${shops} shops. Erased again: ${erasedAgain}.`);
  if (aside) say(`The database of before is at ${aside}; remove it when you do not need it.`);
  say("Start the app. It sends nothing for two minutes, then reads every address book before it creates anything.");
});
