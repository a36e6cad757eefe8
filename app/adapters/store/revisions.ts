import type { Tables } from "../../ports.ts";

/**
 * Counts the writes of each shop, so that what was read of a shop can be used again until its next write. This works because only one
 * process writes.
 */
export interface Revisions {
  of(shop: string, tables: readonly (keyof Tables)[]): number;
  /** Anything of the shop may have changed. */
  changed(shop: string): void;
  /**
   * The same tables, which count each write before it begins, and after it for readers in between. `into` keeps what was counted.
   */
  noting(tables: Tables, into?: Counted): Tables;
  /**
   * Counts the writes of a transaction once more when it is over. Until then others may have read what stood there before, and
   * remembered it under the count of after.
   */
  again(written: Counted): void;
}

/** Writes of one transaction. */
export type Counted = Set<string>;

type Fields = Record<string, unknown>;
type AnyTable = Record<"insert" | "update" | "delete", (where: Fields, patch?: Fields) => Promise<unknown>>;

/** The key for writes whose condition names no shop. */
const ANY = "";
/** The table whose rows take rows of other tables with them when they are deleted. */
const PARENT: keyof Tables = "shops";

export function createRevisions(): Revisions {
  const counts = new Map<string, number>();
  const keyOf = (shop: string, table: keyof Tables) => `${table} ${shop}`;
  const counted = (shop: string, table: keyof Tables): number => counts.get(keyOf(shop, table)) ?? 0;

  const raise = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

  const count = (table: keyof Tables, named: unknown, into?: Counted): void => {
    const key = keyOf(typeof named === "string" ? named : ANY, table);
    raise(key);
    into?.add(key);
  };

  const noted = (name: keyof Tables, table: AnyTable, into?: Counted): AnyTable => {
    const through =
      (write: keyof AnyTable): AnyTable[keyof AnyTable] =>
      async (where, patch) => {
        count(name, where.shop, into);
        try {
          return await table[write](where, patch);
        } finally {
          count(name, where.shop, into);
        }
      };
    return { ...table, insert: through("insert"), update: through("update"), delete: through("delete") };
  };

  return {
    of: (shop, tables) =>
      [PARENT, ...tables].reduce((sum, table) => sum + counted(shop, table) + counted(ANY, table), 0),
    changed: (shop) => count(PARENT, shop),
    again: (written) => written.forEach(raise),
    noting: (tables, into) =>
      Object.fromEntries(
        Object.entries(tables).map(([name, table]) => [
          name,
          noted(name as keyof Tables, table as unknown as AnyTable, into),
        ]),
      ) as unknown as Tables,
  };
}
