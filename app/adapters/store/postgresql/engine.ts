import pg from "pg";
import type { Engine, Row, Runner, Statement } from "../statements/statement.ts";
import { connectionConfig, noticeSilence } from "./connection.ts";
import { beginInTurn } from "./turns.ts";

/** Transactions may take all but two, which stay for pages and single reads. */
export const MOST_CONNECTIONS = 10;
const KEPT_FREE = 2;

/** A transaction that goes on for so long is stuck: nothing more of it runs, and its shop's lock is let go. */
const LONGEST_MS = 60_000;

/** Statements that are prepared once a connection. They differ by their form, not by their values. */
const MOST_PREPARED = 500;
/** Of what names more values there is a form for each number of values. */
const FEW_VALUES = 40;

/** The connections for transactions, pages and single reads. A transaction holds its shop's lock, and would keep it with a machine that has gone. */
export function createPool(url: string, config: pg.PoolConfig = {}): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(url), max: MOST_CONNECTIONS, onConnect: noticeSilence, ...config });
  // An idle connection that is cut is replaced when one is needed.
  pool.on("error", () => undefined);
  return pool;
}

/**
 * PostgreSQL by its own driver: through Prisma each statement would cost several times as much. `isPooled`: a pooler stands in front, which
 * may hand out another session for each transaction, and only its own session knows a prepared statement.
 */
export function createPostgresEngine(pool: pg.Pool, { isPooled }: { isPooled: boolean }): Engine {
  const prepared = isPooled ? () => undefined : createNames();
  return {
    root: runnerOf((query) => pool.query<Row>(query), prepared),
    transaction: (shop, work) => transact({ pool, prepared, shop }, work),
    most: MOST_CONNECTIONS - KEPT_FREE,
  };
}

type NameOf = (statement: Statement) => string | undefined;

function createNames(): NameOf {
  const names = new Map<string, string>();
  return ({ text, values }) => {
    const known = names.get(text);
    if (known !== undefined) return known;
    if (values.length > FEW_VALUES || names.size >= MOST_PREPARED) return undefined;
    const name = `origen_${names.size}`;
    names.set(text, name);
    return name;
  };
}

function runnerOf(query: (query: pg.QueryConfig) => Promise<pg.QueryResult<Row>>, nameOf: NameOf): Runner {
  const ask = (statement: Statement) => {
    const name = nameOf(statement);
    return query({ ...(name !== undefined && { name }), text: statement.text, values: statement.values });
  };
  return {
    rows: async (statement) => (await ask(statement)).rows,
    write: async (statement) => (await ask(statement)).rowCount ?? 0,
  };
}

async function transact<T>(
  { pool, prepared, shop }: { pool: pg.Pool; prepared: NameOf; shop: string | null },
  work: (runner: Runner) => Promise<T>,
): Promise<T> {
  const client = await pool.connect();
  const endsMs = performance.now() + LONGEST_MS;
  /** The connection is not to be used again. */
  let lost = false;
  const lose = () => void (lost = true);
  client.on("error", lose);
  const query = async (asked: pg.QueryConfig | string): Promise<pg.QueryResult<Row>> => {
    try {
      if (performance.now() > endsMs) throw new Error("a transaction took too long");
      return await client.query<Row>(asked as pg.QueryConfig);
    } catch (error) {
      lost ||= !isServers(error);
      throw error;
    }
  };
  try {
    await query(beginInTurn(shop));
    let isOver = false;
    const within: typeof query = async (asked) => {
      // The connection is somebody else's by then.
      if (isOver) throw new Error("the transaction is over");
      return query(asked);
    };
    const result = await work(runnerOf(within, prepared)).finally(() => (isOver = true));
    // The server ends a transaction in which something has failed like this, without an error.
    if ((await query("COMMIT")).command === "ROLLBACK") throw new Error("the transaction had failed");
    return result;
  } catch (error) {
    if (!lost) await query("ROLLBACK").catch(lose);
    throw error;
  } finally {
    client.removeListener("error", lose);
    client.release(lost);
  }
}

/**
 * Whether the server has answered, and goes on: after any other failure a statement may still be under way on the connection, and whatever
 * is asked next would wait behind it.
 */
function isServers(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.severity !== "FATAL" && error.severity !== "PANIC";
}
