import type { ConnectionRecord, ShopRecord } from "../domain/records.ts";
import { readingOf, rememberReading } from "./remember-reading.ts";
import type { Readable } from "./remember-reading.ts";

const SHOP = readingOf("shops", "connections");

export interface KnownShop {
  shop: ShopRecord;
  connection: ConnectionRecord | null;
}

/** The shop and its current connection, which everything that is asked of it needs first; null when it is unknown. Only to be read. */
export function knownShop({ store }: { store: Readable }, { shop }: { shop: string }): Promise<KnownShop | null> {
  return rememberReading({ store, shop, kind: SHOP }, async () => {
    const record = await store.shops.find({ shop });
    return record && { shop: record, connection: await store.connections.find({ shop, current: true }) };
  });
}
