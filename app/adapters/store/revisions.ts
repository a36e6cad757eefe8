import type { Tables } from "../../ports.ts";
import { storeFault } from "./faults.ts";
import type { SharedRevisions } from "./postgresql/shared-revisions.ts";
import { TABLE_SPECS } from "./table-specs.ts";

/**
 * Tells whether a shop was written, so that what was read of it can be used again until then. Where one process writes, that process
 * counts; where several do, the database counts for all (`postgresql/shared-revisions.ts`).
 */
export interface Revisions {
  of(shop: string, tables: readonly (keyof Tables)[]): number | Promise<string>;
  /** The same for Shopify's sessions of the shop; absent where one process writes, which forgets what it kept itself. */
  ofSessions: ((shop: string) => Promise<string>) | null;
  /** Anything of the shop may have changed. */
  changed(shop: string): void;
  /**
   * The same tables; where this process counts, they count each write before it begins, and after it for readers in between. What was
   * written goes into `written`, too: inside a transaction others read what was there before until its end, when it is counted once more.
   */
  noting(tables: Tables, written?: Written): Tables;
  /** A transaction is over that wrote this, whether it was committed or not. */
  ended(written: Written): void;
}

/** What is counted: a table's rows of one shop. */
export type Written = Set<string>;

type Fields = Record<string, unknown>;
type AnyTable = Record<"insert" | "update" | "delete", (where: Fields, patch?: Fields) => Promise<unknown>> & {
  insertAll: (records: readonly Fields[]) => Promise<number>;
};

/** The key for writes whose condition names no shop. */
const ANY = "";
/** The table whose rows take rows of other tables with them when they are deleted. */
const PARENT: keyof Tables = "shops";

export function createRevisions(shared: SharedRevisions | null): Revisions {
  return shared ? askShared(shared) : countHere();
}

function askShared(shared: SharedRevisions): Revisions {
  const ask = (shop: string, tables: readonly string[]) =>
    shared.of(shop, tables).catch((cause: unknown) => Promise.reject(storeFault("asking what was written", cause)));
  return {
    of: (shop, tables) => ask(shop, [PARENT, ...tables].map(nameOf)),
    ofSessions: (shop) => ask(shop, ["Session"]),
    changed: () => undefined,
    noting: (tables) => tables,
    ended: () => undefined,
  };
}

function nameOf(table: keyof Tables): string {
  const { table: named, model } = TABLE_SPECS[table];
  return named ?? model;
}

function countHere(): Revisions {
  const counts = new Map<string, number>();
  const keyOf = (shop: string, table: keyof Tables) => `${table} ${shop}`;
  const counted = (shop: string, table: keyof Tables): number => counts.get(keyOf(shop, table)) ?? 0;

  const add = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

  const noted = (name: keyof Tables, table: AnyTable, written?: Written): AnyTable => {
    const counting = async <T>(named: unknown, write: () => Promise<T>): Promise<T> => {
      const key = keyOf(typeof named === "string" ? named : ANY, name);
      written?.add(key);
      add(key);
      return write().finally(() => add(key));
    };
    const through =
      (write: "insert" | "update" | "delete"): AnyTable["insert"] =>
      (where, patch) =>
        counting(where.shop, () => table[write](where, patch));
    const insertAll: AnyTable["insertAll"] = (records) => counting(records[0]?.shop, () => table.insertAll(records));
    return { ...table, insert: through("insert"), insertAll, update: through("update"), delete: through("delete") };
  };

  return {
    of: (shop, tables) =>
      [PARENT, ...tables].reduce((sum, table) => sum + counted(shop, table) + counted(ANY, table), 0),
    ofSessions: null,
    changed: (shop) => add(keyOf(shop, PARENT)),
    ended: (written) => written.forEach(add),
    noting: (tables, written) =>
      Object.fromEntries(
        Object.entries(tables).map(([name, table]) => [
          name,
          noted(name as keyof Tables, table as unknown as AnyTable, written),
        ]),
      ) as unknown as Tables,
  };
}
