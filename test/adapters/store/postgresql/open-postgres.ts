import { createStore, type PrismaStore, type StoreInput } from "../../../../app/adapters/store/store.ts";
import type { OpenStore } from "../../../contracts/store.ts";
import { KEYS, SILENT } from "../open-store.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";

/** Opens a store on PostgreSQL. */
export function openPostgres(url: string, over: Partial<StoreInput> = {}): Promise<PrismaStore> {
  return createStore({ url, keys: KEYS, log: SILENT, lockWaitMs: 0, ...over });
}

/** A store on an empty database of its own; `close` removes the database too. */
export async function openFreshPostgres(): Promise<OpenStore & { store: PrismaStore }> {
  const database = await freshPostgres();
  const store = await openPostgres(database.url);
  return {
    store,
    async close() {
      await store.close();
      await database.remove();
    },
  };
}

export interface SharedPostgres {
  store: PrismaStore;
  database: FreshPostgres;
  /** Takes everything out. */
  empty(): Promise<void>;
  close(): Promise<void>;
}

/** One store on one database for a file's tests. */
export async function sharedPostgres(): Promise<SharedPostgres> {
  const database = await freshPostgres();
  const store = await openPostgres(database.url);
  return {
    store,
    database,
    async empty() {
      await database.query('DELETE FROM "Shop"', 'DELETE FROM "Session"', 'DELETE FROM "PostalEdition"');
    },
    async close() {
      await store.close();
      await database.remove();
    },
  };
}
