import { chmodSync, closeSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";
import type { Client, Config } from "@libsql/client";
import { PrismaLibSQL } from "@prisma/adapter-libsql";
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";
import { oneConnection } from "./one-connection.ts";

/** SQLite's own limit. Prisma's is 999, fewer than the locations that a shop may have. */
const MOST_PARAMETERS = 32_766;

/** The path of a `file:` URL as SQLite opens it, with relative paths from the working directory; null for a database in memory. */
export function databasePath(url: string): string | null {
  const path = decodeURIComponent(url.replace(/^file:(\/\/(?=\/))?/, "").split("?", 1)[0]!);
  return path === "" || path.includes(":memory:") ? null : path;
}

/** Read and written by the app's own user alone. */
const PRIVATE = 0o600;
/** What SQLite keeps beside a database. New ones are as private as the database is when they are made. */
const BESIDE = ["", "-wal", "-shm", "-journal"];

/**
 * Makes the database's directory, because SQLite only makes the file, and keeps the file from other users of the machine: it holds
 * people's addresses. A file that is there is not opened, for closing it again would drop the process's locks on it.
 */
export function makePlace(url: string): void {
  const path = databasePath(url);
  if (!path) return;
  mkdirSync(dirname(path), { recursive: true });
  try {
    closeSync(openSync(path, "ax", PRIVATE));
  } catch (error) {
    if (!hasCode(error, "EEXIST")) throw error;
  }
  for (const suffix of BESIDE) {
    try {
      chmodSync(`${path}${suffix}`, PRIVATE);
    } catch (error) {
      // It is not there, or another user's who lets us use it.
      if (!hasCode(error, "ENOENT") && !hasCode(error, "EPERM")) throw error;
    }
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && "code" in error && error.code === code;
}

/** What Prisma writes for a reading. A statement that writes and returns rows begins with another word. */
const READING = /^\s*SELECT\b/i;

/**
 * Prisma's libSQL adapter with a defect mended. The original opens another connection for each transaction, never closes it, and continues
 * on one without our PRAGMAs.
 *
 * The adapter holds back all other statements on its connection while a transaction runs. So what is read outside of transactions is read on
 * a second connection: it waits for nobody, and sees what has been committed.
 */
export class LibSql extends PrismaLibSQL {
  readonly #url: string;

  constructor(config: Config) {
    super(config);
    this.#url = config.url;
  }

  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    adapter.getConnectionInfo = () => ({ maxBindValues: MOST_PARAMETERS, supportsRelationJoins: false });
    // Another connection to a database in memory is another database.
    return databasePath(this.#url) === null ? adapter : readBeside(adapter, await super.connect());
  }

  override createClient(config: Config): Client {
    return oneConnection(() => {
      makePlace(config.url);
      return super.createClient(config);
    });
  }
}

function readBeside(adapter: SqlDriverAdapter, reader: SqlDriverAdapter): SqlDriverAdapter {
  const [queryRaw, dispose] = [adapter.queryRaw.bind(adapter), adapter.dispose.bind(adapter)];
  adapter.queryRaw = (query) => (READING.test(query.sql) ? reader.queryRaw(query) : queryRaw(query));
  adapter.dispose = async () => {
    await reader.dispose();
    await dispose();
  };
  return adapter;
}
