import { setImmediate as nextTurn } from "node:timers/promises";
import type { Client, InStatement, Transaction } from "@libsql/client";

const PRAGMAS = [
  "busy_timeout = 5000",
  "journal_mode = WAL",
  "synchronous = FULL",
  "foreign_keys = ON",
  // What is overwritten or deleted is no longer in the file.
  "secure_delete = ON",
];

/** How long statements may run in one turn of the event loop before timers and sockets have theirs. */
const LONGEST_RUN_MS = 5;

/** The same inside a transaction. All other writers wait for its end, so it gives away fewer turns. */
const LONGEST_TRANSACTION_RUN_MS = 10;

/**
 * A libSQL client on one connection, with our PRAGMAs. A transaction is a BEGIN IMMEDIATE … COMMIT, which takes the right to write at its
 * start, so that no other process makes it fail half-way.
 */
export function oneConnection(open: () => Client): Client {
  let connection: Promise<Client> | null = null;
  let closed = false;
  /** When the first statement of this turn of the event loop began; null before it. */
  let firstMs: number | null = null;

  /**
   * The binding is synchronous, so a chain of awaited statements alone would never let the event loop go on. What else the process did in a
   * turn before the first statement is not counted: a page would wait for a turn at each of its statements while others have long work.
   */
  const takeTurns = async (longestMs: number): Promise<void> => {
    if (firstMs !== null && performance.now() - firstMs >= longestMs) await nextTurn();
    if (firstMs !== null) return;
    firstMs = performance.now();
    setImmediate(() => (firstMs = null));
  };

  const connect = async (): Promise<Client> => {
    const client = open();
    try {
      for (const pragma of PRAGMAS) await client.execute(`PRAGMA ${pragma}`);
      return client;
    } catch (error) {
      client.close();
      throw error;
    }
  };

  const current = async (): Promise<Client> => {
    if (closed) throw new Error("the connection is closed");
    connection ??= connect();
    try {
      return await connection;
    } catch (error) {
      connection = null;
      throw error;
    }
  };

  const drop = (): void => {
    // A connection that failed to open is closed already.
    connection?.then(
      (client) => client.close(),
      () => undefined,
    );
    connection = null;
  };

  /**
   * Drops the connection with a statement that met a busy database. The binding keeps such a statement half-done until it is
   * garbage-collected, and no COMMIT succeeds on its connection before that.
   */
  const execute = async (statement: InStatement) => {
    await takeTurns(LONGEST_RUN_MS);
    const client = await current();
    try {
      return await client.execute(statement);
    } catch (error) {
      if (isBusy(error)) drop();
      throw error;
    }
  };

  const begin = async (): Promise<Transaction> => {
    await execute("BEGIN IMMEDIATE");
    const client = await current();
    let over = false;
    return {
      execute: async (statement: InStatement) => {
        await takeTurns(LONGEST_TRANSACTION_RUN_MS);
        return client.execute(statement);
      },
      batch: async (statements) => {
        const results = [];
        for (const statement of statements) results.push(await client.execute(statement));
        return results;
      },
      executeMultiple: (sql) => client.executeMultiple(sql),
      async commit() {
        over = true;
        try {
          await client.execute("COMMIT");
        } catch (error) {
          // A failed commit leaves its transaction open.
          await client.execute("ROLLBACK").catch(() => undefined);
          drop();
          throw error;
        }
      },
      async rollback() {
        over = true;
        await client.execute("ROLLBACK");
      },
      close: () => undefined,
      get closed() {
        return over;
      },
    };
  };

  return {
    execute: (statement: InStatement) => execute(statement),
    batch: async (statements, mode) => (await current()).batch(statements, mode),
    transaction: begin,
    executeMultiple: async (sql) => (await current()).executeMultiple(sql),
    sync: async () => undefined,
    close() {
      closed = true;
      drop();
    },
    get closed() {
      return closed;
    },
    protocol: "file",
  };
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && "code" in error && String(error.code).startsWith("SQLITE_BUSY");
}
