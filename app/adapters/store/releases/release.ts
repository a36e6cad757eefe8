import { isDeepStrictEqual } from "node:util";
import { AppError } from "../../../domain/errors.ts";
import { isPostgres } from "../postgresql/is-postgres.ts";

/**
 * Which releases may run on a database's tables. Each release's migrations leave what the release before it needs, so that both may run side by
 * side and the newer one can be taken back. A release before that does not run on them, and would find out in the midst of its work.
 */
export interface Release {
  version: string;
  /** The release before: it runs on the tables of this one. None that is older does. */
  oldest: string;
}

/** Changed with each new version: a test holds the first to package.json. */
export const THIS_RELEASE: Release = { version: "0.1.0", oldest: "0.1.0" };

/** Not in Prisma's schema: a release that does not know it must be able to read it. */
const NOTE = "_origen_release";

const IN_SQLITE = `SELECT 1 FROM sqlite_master WHERE name = '${NOTE}'`;
const IN_POSTGRES = `SELECT 1 WHERE to_regclass('"${NOTE}"') IS NOT NULL`;

/** Runs one statement, whose first value is `$1`: both databases understand the same. */
export type Ask = (text: string, values?: string[]) => Promise<unknown[]>;

/** To be called after migrations of this release were applied. A newer release's note stays. */
export async function noteRelease(ask: Ask, url: string, release: Release = THIS_RELEASE): Promise<void> {
  const before = await readNote(ask, url);
  if (before && (isOlder(release.version, before.version) || isDeepStrictEqual({ ...before }, release))) return;
  await ask(
    `CREATE TABLE IF NOT EXISTS "${NOTE}" ("one" INTEGER PRIMARY KEY, "version" TEXT NOT NULL, "oldest" TEXT NOT NULL)`,
  );
  await ask(
    `INSERT INTO "${NOTE}" VALUES (1, $1, $2)
     ON CONFLICT ("one") DO UPDATE SET "version" = excluded."version", "oldest" = excluded."oldest"`,
    [release.version, release.oldest],
  );
}

/** @throws an `AppError` that says what to do when the tables are of a release that is more than one version newer than this one. */
export async function refuseNewer(ask: Ask, url: string, { version } = THIS_RELEASE): Promise<void> {
  const note = await readNote(ask, url);
  if (!note || !isOlder(version, note.oldest)) return;
  const found = `This is release ${version}, and the database was migrated by ${note.version}, on which no release before ${note.oldest} runs.`;
  const cure = `Start ${note.oldest} or newer, or put a copy from before that update back (docs/operations.md).`;
  throw new AppError({ kind: "internal", message: `${found} ${cure}` });
}

async function readNote(ask: Ask, url: string): Promise<Release | null> {
  if ((await ask(isPostgres(url) ? IN_POSTGRES : IN_SQLITE)).length === 0) return null;
  const [note] = await ask(`SELECT "version", "oldest" FROM "${NOTE}"`);
  return (note as Release | undefined) ?? null;
}

/** Versions are three numbers. */
function isOlder(version: string, than: string): boolean {
  return version.localeCompare(than, "en", { numeric: true }) < 0;
}
