import { PrismaPg } from "@prisma/adapter-pg";
import type { SqlQuery } from "@prisma/driver-adapter-utils";
import type { PoolClient, PoolConfig, QueryArrayResult } from "pg";
import { connectionConfig, noticeSilence } from "./connection.ts";

/** Transactions may take all but two, which stay for pages and single reads. */
export const MOST_CONNECTIONS = 10;

/** Types of the catalogue that Prisma's `migrate` reads and its adapter does not know: `"char"` and `name`. */
const READ_AS_TEXT = new Set([18, 19]);
const TEXT = 25;

/** What Prisma's adapter keeps to itself. */
interface Queryable {
  performIO(query: SqlQuery): Promise<QueryArrayResult>;
  onError(error: unknown): never;
  client: { release?: unknown; end(): Promise<void> };
}

const mended = new WeakSet<object>();

/**
 * Prisma's PostgreSQL adapter, mended: it reads the catalogue, sends a script as one, tells a COMMIT that the server turned into a
 * ROLLBACK, closes a connection whose query was given up, and gives one back that was cut.
 */
export class Postgres extends PrismaPg {
  constructor(url: string, config: PoolConfig = {}) {
    // A transaction holds its shop's lock, and would keep it with a machine that has gone.
    super({ ...connectionConfig(url), max: MOST_CONNECTIONS, onConnect: noticeSilence, ...config });
  }

  override async connect() {
    const adapter = await super.connect();
    // The class of both the pool's adapter and a transaction's.
    mend(Object.getPrototypeOf(Object.getPrototypeOf(adapter)) as Queryable);
    // Cut at each semicolon, as the adapter does, a function's body would fall apart, and half a script could stay.
    adapter.executeScript = async (script) => {
      await adapter
        .underlyingDriver()
        .query(script)
        .catch((error: unknown) => (adapter as unknown as Queryable).onError(error));
    };
    const start = adapter.startTransaction.bind(adapter);
    adapter.startTransaction = async (isolationLevel) => {
      const transaction = await start(isolationLevel);
      giveBackWhenCut((transaction as unknown as { client: PoolClient }).client);
      return transaction;
    };
    return adapter;
  }
}

/** Prisma gives a connection back after its ROLLBACK; over one that is cut that fails, and the pool would be one short for good. */
function giveBackWhenCut(client: PoolClient): void {
  const release = client.release;
  let given = false;
  const giveBack = (error?: Error | boolean) => {
    if (given) return;
    given = true;
    client.removeListener("end", cut);
    release.call(client, error);
  };
  const cut = () => giveBack(true);
  client.once("end", cut);
  client.release = giveBack;
}

function mend(queryable: Queryable): void {
  if (mended.has(queryable)) return;
  mended.add(queryable);
  const { performIO } = queryable;
  queryable.performIO = async function (this: Queryable, query) {
    const result = await performIO.call(this, query).catch((error: unknown) => {
      if (isGivenUp(error)) closeOwn(this);
      throw error;
    });
    for (const field of result.fields) if (READ_AS_TEXT.has(field.dataTypeID)) field.dataTypeID = TEXT;
    if (query.sql === "COMMIT" && result.command === "ROLLBACK") this.onError(new Error("the transaction had failed"));
    return result;
  };
}

/** pg's own time ran out: the server may still be at it, and whatever is asked next on this connection would wait behind that. */
function isGivenUp(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** A transaction's connection goes back to the pool as it is; the pool closes those of single queries itself. */
function closeOwn({ client }: Queryable): void {
  if (client.release) client.end().catch(() => undefined);
}
