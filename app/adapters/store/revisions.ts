import type { Tables } from "../../ports.ts";

/**
 * Counts the writes of each shop, so that what was read of a shop can be used again until its next write. This works because only one
 * process writes.
 */
export interface Revisions {
  of(shop: string, tables: readonly (keyof Tables)[]): number;
  /** Anything of the shop may have changed. */
  changed(shop: string): void;
  /** The same tables, which count each write before it begins, and after it for readers in between. */
  noting(tables: Tables): Tables;
}

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

  const count = (table: keyof Tables, named: unknown): void => {
    const shop = typeof named === "string" ? named : ANY;
    counts.set(keyOf(shop, table), counted(shop, table) + 1);
  };

  const noted = (name: keyof Tables, table: AnyTable): AnyTable => {
    const through =
      (write: keyof AnyTable): AnyTable[keyof AnyTable] =>
      async (where, patch) => {
        count(name, where.shop);
        try {
          return await table[write](where, patch);
        } finally {
          count(name, where.shop);
        }
      };
    return { ...table, insert: through("insert"), update: through("update"), delete: through("delete") };
  };

  return {
    of: (shop, tables) =>
      [PARENT, ...tables].reduce((sum, table) => sum + counted(shop, table) + counted(ANY, table), 0),
    changed: (shop) => count(PARENT, shop),
    noting: (tables) =>
      Object.fromEntries(
        Object.entries(tables).map(([name, table]) => [
          name,
          noted(name as keyof Tables, table as unknown as AnyTable),
        ]),
      ) as unknown as Tables,
  };
}
