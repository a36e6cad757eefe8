import type { Store, Table, Tables, Transaction } from "../../app/ports.ts";

/** What one transaction may do, on a machine where a statement takes a third of a millisecond, so that nobody waits for longer than 50 ms. */
export const MOST_STATEMENTS = 120;

/** What a store's transactions did: every call of a table's method is one statement or more. */
export interface CountedStore {
  store: Store;
  /** Statements of the longest transaction since the count began. */
  mostStatements(): number;
  /** Transactions since then. */
  transactions(): number;
  begin(): void;
}

type AnyTable = Table<Record<string, unknown>>;

/** The same store, which counts. How long a transaction keeps others waiting rests on its statements, and no clock tells that in a test. */
export function countStatements(store: Store): CountedStore {
  let most = 0;
  let transactions = 0;
  const counting = (tables: Tables, count: () => void): Tables => {
    const counted = Object.entries(tables).map(([name, table]) => {
      const through =
        <A extends unknown[], R>(call: (...args: A) => Promise<R>) =>
        (...args: A): Promise<R> => {
          count();
          return call(...args);
        };
      const { find, list, count: rows, insert, insertAll, update, delete: remove } = table as unknown as AnyTable;
      const methods: AnyTable = {
        find: through(find),
        list: through(list),
        count: through(rows),
        insert: through(insert),
        insertAll: through(insertAll),
        update: through(update),
        delete: through(remove),
      };
      return [name, methods];
    });
    return Object.fromEntries(counted) as unknown as Tables;
  };
  return {
    store: {
      ...store,
      transaction: (shop, work) =>
        store.transaction(shop, (tables) => {
          let statements = 0;
          transactions += 1;
          const count = () => {
            statements += 1;
            most = Math.max(most, statements);
          };
          const { forgetSessions, takeTemplate, ...rest } = tables;
          return work({ ...counting(rest, count), forgetSessions, takeTemplate } as Transaction);
        }),
    },
    mostStatements: () => most,
    transactions: () => transactions,
    begin() {
      most = 0;
      transactions = 0;
    },
  };
}
