import type { Store, Tables, Transaction } from "../../ports.ts";
import { TABLE_NAMES } from "../every-table.ts";
import type { Series } from "./series.ts";

/** The store as it is, timed: each statement outside a transaction, and each transaction. */

type Call = (...input: unknown[]) => Promise<unknown>;
type AnyTable = Record<string, Call>;

const OPERATIONS = ["find", "list", "count", "insert", "insertAll", "update", "delete"] as const;

export function watchStore<S extends Store>(store: S, series: Series): S {
  const seen = createEvents(series);
  const timed = timer(series);
  for (const operation of [...OPERATIONS, "transaction", ...(store.together ? ["together"] : [])])
    for (const outcome of ["done", "failed"]) series.store.zero({ operation, outcome });
  const tables = TABLE_NAMES.map((name) => {
    const table = store[name] as unknown as AnyTable;
    const watched = OPERATIONS.map((operation): [string, Call] => {
      const call: Call = (...input) => table[operation]!(...input);
      return [
        operation,
        (...input) =>
          seen(
            name,
            operation,
            input,
            timed(operation, () => call(...input)),
          ),
      ];
    });
    return [name, { ...table, ...Object.fromEntries(watched) }] as const;
  });
  const watched = (inside: Transaction): Transaction => {
    const { receipts } = inside;
    const insert: typeof receipts.insert = (record) =>
      seen("receipts", "insert", [record], receipts.insert(record)) as Promise<boolean>;
    return { ...inside, receipts: { ...receipts, insert } };
  };
  const { together } = store;
  return {
    ...store,
    ...(Object.fromEntries(tables) as unknown as Tables),
    transaction: (shop, work) => timed("transaction", () => store.transaction(shop, (inside) => work(watched(inside)))),
    ...(together && {
      together: (shop, { rows, work }) =>
        timed("together", () => together(shop, { rows, work: (inside) => work(watched(inside)) })),
    }),
  };
}

function timer({ store }: Series) {
  return async <T>(operation: string, call: () => Promise<T>): Promise<T> => {
    const end = store.startTimer({ operation });
    try {
      const result = await call();
      end({ outcome: "done" });
      return result;
    } catch (error) {
      end({ outcome: "failed" });
      throw error;
    }
  };
}

/** What a statement and its result say beside their time. The result itself is passed on. */
function createEvents({ receipts, leasesLost }: Series) {
  for (const result of ["new", "repeated"]) receipts.inc({ result }, 0);
  return async (table: string, operation: string, input: unknown[], result: Promise<unknown>): Promise<unknown> => {
    const value = await result;
    if (table === "receipts" && operation === "insert") receipts.inc({ result: value === true ? "new" : "repeated" });
    if (table === "workItems" && operation === "update" && value === 0 && isRenewal(input)) leasesLost.inc();
    return value;
  };
}

/** `runs/claim.ts` renews a lease with its owner in the condition, and with a new end. */
function isRenewal([where, patch]: unknown[]): boolean {
  const [condition, change] = [where as Record<string, unknown>, patch as Record<string, unknown>];
  return "leaseOwner" in condition && "fence" in condition && typeof change["leaseUntilMs"] === "number";
}
