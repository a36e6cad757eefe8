import { setTimeout as delay } from "node:timers/promises";
import pg from "pg";
import { AppError } from "../../../domain/errors.ts";

/** The connections on which slots are taken and given back: a few of their own, so that no page's query stands before a slot. */

/** The functions take milliseconds. One that takes longer waits behind something, and whoever asked no longer needs its answer. */
const STATEMENT_TIMEOUT_MS = 2_000;
const QUERY_TIMEOUT_MS = 3_000;
/** Whoever renews a token may stand behind many others who do, right after a start. */
const WAITS_MS = 10_000;
const OTHER_CONNECTIONS = 2;
const CLOSES_WITHIN_MS = 3_000;
/** Of a prepared statement; the server would cut it. */
const LONGEST_NAME = 60;

type Query = <R extends pg.QueryResultRow>(text: string, values: unknown[]) => Promise<R[]>;

export interface SlotsDatabase {
  /** Rejects with an `AppError` when the database does not answer in time; what was asked may still have happened. */
  query: Query;
  /** The same, on a connection of its own: no other query stands before a batch. */
  turn: Query;
  close(): Promise<void>;
}

/**
 * `config` says how one connection is made. Nothing connects before the first query; a connection that failed is not used again. `isPooled`: a
 * pooler stands in front, which may hand out another session for each transaction.
 */
export function openSlotsDatabase(config: pg.ClientConfig, { isPooled = false } = {}): SlotsDatabase {
  const turns = poolOf(config, { max: 1, connectionTimeoutMillis: QUERY_TIMEOUT_MS });
  const others = poolOf(config, { max: OTHER_CONNECTIONS, connectionTimeoutMillis: WAITS_MS });
  // A prepared statement is parsed once, but only its own session knows it.
  const nameOf = (text: string) => (isPooled ? {} : { name: text.slice(0, LONGEST_NAME) });
  const on =
    (pool: pg.Pool): Query =>
    async (text, values) =>
      (await pool.query({ ...nameOf(text), text, values }).catch(unreachable)).rows;
  return {
    query: on(others),
    turn: on(turns),
    close: async () => {
      const ended = Promise.all([turns.end(), others.end()]);
      await Promise.race([ended, delay(CLOSES_WITHIN_MS, undefined, { ref: false })]);
    },
  };
}

/** It connects anew by itself. */
function poolOf(config: pg.ClientConfig, limits: pg.PoolConfig): pg.Pool {
  const pool = new pg.Pool({
    ...config,
    ...limits,
    idleTimeoutMillis: 0,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
  });
  // An error of an idle connection that nobody hears ends the process.
  pool.on("error", () => undefined);
  return pool;
}

function unreachable(cause: unknown): never {
  const message = "nothing is sent while the database that counts requests does not answer";
  throw new AppError({ kind: "internal", message, cause, effect: "none" });
}
