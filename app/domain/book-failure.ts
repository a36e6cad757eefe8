import { FAULTS } from "./errors.ts";
import type { FaultKind } from "./errors.ts";
import type { ConnectionRecord, WorkItem, WorkItemReason } from "./records.ts";

/**
 * Why the look at everything fails to read the address book; null where it does not, or where the book was read since it failed. Without a
 * connection: what the look says by itself.
 */
export function bookFailure(
  look: WorkItem | null,
  connection: Pick<ConnectionRecord, "bookReadAtMs"> | null,
): WorkItemReason | null {
  if (!look?.reason || look.failures === 0) return null;
  // Of Shopify's failures the book knows nothing.
  if (!FAULTS[look.reason.code as FaultKind]?.atService) return null;
  // The run that read it wakes whoever waits, and ends later.
  return (connection?.bookReadAtMs ?? -Infinity) > look.reason.atMs ? null : look.reason;
}
