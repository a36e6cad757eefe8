import pg from "pg";
import { OURS } from "./lock.ts";

const EVERY_SHOP = 2;

/**
 * Begins a transaction in its turn; null is every shop's. A shop's transactions are one after another whichever process runs them: each
 * holds the shop's advisory lock until it ends. One of every shop keeps all the others out. Both kinds take the lock of every shop first,
 * so that nobody waits in a circle. One text without parameters, which the server takes in one go.
 */
export function beginInTurn(shop: string | null): string {
  const every = `${OURS}, ${EVERY_SHOP}`;
  if (shop === null) return `BEGIN; SELECT pg_advisory_xact_lock(${every})`;
  return `BEGIN; SELECT pg_advisory_xact_lock_shared(${every}), pg_advisory_xact_lock(hashtextextended(${pg.escapeLiteral(shop)}, 0))`;
}
