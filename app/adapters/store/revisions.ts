import type { Tables } from "../../ports.ts";

/** Counts the writes of each shop, so that what was read of it can be used again until the next one. One process writes. */
export interface Revisions {
  /** Of the whole shop, or of one table of it. */
  of(shop: string, table?: keyof Tables): number;
  /** All of the shop. */
  changed(shop: string): void;
  /** The same tables; each write is counted before it and, for whoever read in between, after it. */
  noting(tables: Tables): Tables;
}

type Fields = Record<string, unknown>;
type AnyTable = Record<"insert" | "update" | "delete", (where: Fields, patch?: Fields) => Promise<unknown>>;

/** Of writes whose condition names no shop. */
const ANY = "";
/** Its rows take others with them. */
const PARENT: keyof Tables = "shops";
const TOTAL = "total";

export function createRevisions(): Revisions {
  const counts = new Map<string, number>();
  const keyOf = (shop: string, table: string) => `${table} ${shop}`;
  const raise = (key: string): void => void counts.set(key, (counts.get(key) ?? 0) + 1);

  const count = (table: keyof Tables, named: unknown): void => {
    const shop = typeof named === "string" ? named : ANY;
    raise(keyOf(shop, table));
    raise(keyOf(shop, TOTAL));
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
    of: (shop, table) => {
      const tables = table ? [table, PARENT] : [TOTAL];
      return tables
        .flatMap((each) => [keyOf(shop, each), keyOf(ANY, each)])
        .reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
    },
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
