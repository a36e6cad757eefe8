import type { Tables } from "../../ports.ts";

/** Counts the writes of each shop, so that what was read of it can be used again until the next one. One process writes. */
export interface Revisions {
  of(shop: string): number;
  changed(shop: string): void;
  /** The same tables; each write is counted before it and, for whoever read in between, after it. */
  noting(tables: Tables): Tables;
}

type Fields = Record<string, unknown>;
type AnyTable = Record<"insert" | "update" | "delete", (where: Fields, patch?: Fields) => Promise<unknown>>;

export function createRevisions(): Revisions {
  const byShop = new Map<string, number>();
  // Of writes whose condition names no shop.
  let ofAny = 0;

  const count = (shop: unknown): void => {
    if (typeof shop === "string") byShop.set(shop, (byShop.get(shop) ?? 0) + 1);
    else ofAny += 1;
  };

  const noted = (table: AnyTable): AnyTable => {
    const through =
      (write: keyof AnyTable): AnyTable[keyof AnyTable] =>
      async (where, patch) => {
        count(where.shop);
        try {
          return await table[write](where, patch);
        } finally {
          count(where.shop);
        }
      };
    return { ...table, insert: through("insert"), update: through("update"), delete: through("delete") };
  };

  return {
    of: (shop) => ofAny + (byShop.get(shop) ?? 0),
    changed: count,
    noting: (tables) =>
      Object.fromEntries(
        Object.entries(tables).map(([name, table]) => [name, noted(table as unknown as AnyTable)]),
      ) as unknown as Tables,
  };
}
