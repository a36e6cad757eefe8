import type { Log } from "../../../app/ports.ts";
import { parseKeys } from "../../../app/adapters/store/encryption.ts";
import { createStore, type PrismaStore, type StoreInput } from "../../../app/adapters/store/store.ts";
import { freshDatabase, type FreshDatabase } from "./fresh-database.ts";

export const SILENT: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

/** An `APP_KEYS` of the ids given, each key made of its id. */
export function appKeys(...ids: string[]): string {
  return ids.map((id) => `${id}:${Buffer.alloc(32, id).toString("base64")}`).join(",");
}

export const KEYS = parseKeys(appKeys("k1"));

export interface OpenedStore {
  store: PrismaStore;
  database: FreshDatabase;
  close(): Promise<void>;
}

/** A store on an empty database of its own; `close` removes the database too. */
export async function openFreshStore(over: Partial<StoreInput> = {}): Promise<OpenedStore> {
  const database = await freshDatabase();
  const store = await createStore({ url: database.url, keys: KEYS, log: SILENT, ...over });
  return {
    store,
    database,
    async close() {
      await store.close();
      await database.remove();
    },
  };
}
