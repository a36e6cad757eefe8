import type { ConnectionRecord, ShopRecord } from "../domain/records.ts";

/**
 * When all of Shopify's locations and all of the account's addresses had been looked at. A look while the account is closed reads the
 * locations alone, so the older of the two counts. Null where a closed account was never read.
 */
export function wholeLookAtMs(
  { reconciledAtMs }: Pick<ShopRecord, "reconciledAtMs">,
  connection: Pick<ConnectionRecord, "bookReadAtMs" | "state"> | null,
): number | null {
  if (connection === null || reconciledAtMs === null) return reconciledAtMs;
  // An account that is open was read by the look, and what was read may be doubted since.
  if (connection.bookReadAtMs === null) return connection.state === "active" ? reconciledAtMs : null;
  return Math.min(reconciledAtMs, connection.bookReadAtMs);
}
