import type { Table, Transaction } from "../../../ports.ts";
import { wrapTables } from "./wrap-tables.ts";

/** What became of a transaction's calls. */
export interface Calls {
  /** The first that rejected. */
  failure: { error: unknown } | null;
}

type AnyTable = Table<Record<string, unknown>>;

/**
 * The same tables, of which no call succeeds after one has rejected. PostgreSQL has ended the transaction by then, whoever caught
 * the error, and would roll back what seemed to be committed; so it is the same for every store.
 */
export function failedOnce(calls: Calls, transaction: Transaction): Transaction {
  const through =
    <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
    async (...args: A): Promise<R> => {
      if (calls.failure) throw calls.failure.error;
      try {
        return await call(...args);
      } catch (error) {
        calls.failure ??= { error };
        throw error;
      }
    };
  const table = ({ find, list, count, insert, insertAll, update, delete: remove }: AnyTable): AnyTable => ({
    find: through(find),
    list: through(list),
    count: through(count),
    insert: through(insert),
    insertAll: through(insertAll),
    update: through(update),
    delete: through(remove),
  });
  return wrapTables(transaction, {
    table: (one) => table(one as AnyTable),
    forgetSessions: through,
    takeTemplate: through,
  });
}
