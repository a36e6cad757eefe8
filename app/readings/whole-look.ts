import type { ConnectionRecord, ShopRecord } from "../domain/records.ts";

/**
 * When all of Shopify's locations and all of the account's addresses had been looked at. A look while the account is closed reads the
 * locations alone, so the older of the two counts. Null where the account was never read.
 */
export function wholeLookAtMs(
  { reconciledAtMs }: Pick<ShopRecord, "reconciledAtMs">,
  connection: Pick<ConnectionRecord, "bookReadAtMs"> | null,
): number | null {
  if (connection === null || reconciledAtMs === null) return reconciledAtMs;
  return connection.bookReadAtMs === null ? null : Math.min(reconciledAtMs, connection.bookReadAtMs);
}
