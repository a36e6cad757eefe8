import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Client, Config, InStatement, Transaction } from "@libsql/client";
import { PrismaLibSQL } from "@prisma/adapter-libsql";
import type { SqlDriverAdapter } from "@prisma/driver-adapter-utils";

const PRAGMAS = ["busy_timeout = 5000", "journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"];

/** The path of a `file:` URL as SQLite opens it, relative ones from the working directory; null for a database in memory. */
export function databasePath(url: string): string | null {
  const path = decodeURIComponent(url.replace(/^file:(\/\/(?=\/))?/, "").replace(/\?.*$/, ""));
  return path === "" || path.includes(":memory:") ? null : path;
}

/**
 * Prisma's libSQL adapter, mended. Its client opens another connection for each transaction and never closes it, and a new
 * connection has none of our PRAGMAs; here a transaction is a BEGIN IMMEDIATE on the one connection. The adapter already holds
 * everything else back while a transaction runs.
 */
export class LibSql extends PrismaLibSQL {
  readonly #path: string | null;

  constructor(config: Config) {
    super(config);
    this.#path = databasePath(config.url);
  }

  override async connect(): Promise<SqlDriverAdapter> {
    if (this.#path) mkdirSync(dirname(this.#path), { recursive: true });
    const adapter = await super.connect();
    for (const pragma of PRAGMAS) await adapter.queryRaw({ sql: `PRAGMA ${pragma}`, args: [], argTypes: [] });
    return adapter;
  }

  override createClient(config: Config): Client {
    const client = super.createClient(config);
    client.transaction = () => begin(client);
    return client;
  }
}

async function begin(client: Client): Promise<Transaction> {
  await client.execute("BEGIN IMMEDIATE");
  let open = true;
  const end = async (statement: "COMMIT" | "ROLLBACK") => {
    await client.execute(statement);
    open = false;
  };
  return {
    execute: (statement: InStatement) => client.execute(statement),
    batch: async (statements) => {
      const results = [];
      for (const statement of statements) results.push(await client.execute(statement));
      return results;
    },
    executeMultiple: (sql) => client.executeMultiple(sql),
    async commit() {
      try {
        await end("COMMIT");
      } catch (error) {
        // A commit that failed leaves the transaction open, and the next BEGIN on this connection would fail for ever.
        await client.execute("ROLLBACK").catch(() => undefined);
        open = false;
        throw error;
      }
    },
    rollback: () => end("ROLLBACK"),
    close: () => undefined,
    get closed() {
      return !open;
    },
  };
}
