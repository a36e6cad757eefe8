import type { Tables } from "../ports.ts";

const DAY_MS = 24 * 3_600_000;
const ACTIVITY_DAYS = 90;
/** Shopify repeats a delivery for hours, and may be a day late. */
const RECEIPT_DAYS = 7;
const DRAFT_DAYS = 30;

/** Drops what a shop no longer needs to remember. */
export async function forgetOld(tables: Tables, { shop, nowMs }: { shop: string; nowMs: number }): Promise<void> {
  const before = (days: number) => ({ lt: nowMs - days * DAY_MS });
  await tables.activity.delete({ shop, atMs: before(ACTIVITY_DAYS) });
  await tables.receipts.delete({ shop, receivedAtMs: before(RECEIPT_DAYS) });
  await tables.drafts.delete({ shop, endedAtMs: before(DRAFT_DAYS) });
}
