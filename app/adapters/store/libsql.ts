import { mkdirSync } from "node:fs";
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

/** Makes the database's directory, because SQLite only makes the file. */
export function makeDirectory(url: string): void {
  const path = databasePath(url);
  if (path) mkdirSync(dirname(path), { recursive: true });
}

/**
 * Prisma's libSQL adapter with a defect mended. The original opens another connection for each transaction, never closes it, and continues
 * on one without our PRAGMAs. The adapter itself holds back all other statements while a transaction runs.
 */
export class LibSql extends PrismaLibSQL {
  override async connect(): Promise<SqlDriverAdapter> {
    const adapter = await super.connect();
    adapter.getConnectionInfo = () => ({ maxBindValues: MOST_PARAMETERS, supportsRelationJoins: false });
    return adapter;
  }

  override createClient(config: Config): Client {
    return oneConnection(() => {
      makeDirectory(config.url);
      return super.createClient(config);
    });
  }
}
