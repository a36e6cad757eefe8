import type { Prisma } from "@prisma/client";
import type { Turns } from "../transactions/transact.ts";
import { MOST_CONNECTIONS } from "./adapter.ts";
import { OURS } from "./lock.ts";

export const EVERY_SHOP = 2;
/** For pages and single reads. */
const KEPT_FREE = 2;

/**
 * A shop's transactions are one after another whichever process runs them: each holds the shop's advisory lock until it ends. One of
 * every shop keeps all the others out. Both kinds take the lock of every shop first, so that nobody waits in a circle. A template's lock comes
 * last, and its key has another seed than a shop's. Each statement sees what was committed before it began, so the next one sees all that whoever
 * had the lock has written.
 */
export const POSTGRES_TURNS: Turns = {
  most: MOST_CONNECTIONS - KEPT_FREE,
  lock: (client: Prisma.TransactionClient, shop) =>
    shop === null
      ? client.$executeRaw`SELECT pg_advisory_xact_lock(${OURS}::int, ${EVERY_SHOP}::int)`
      : client.$executeRaw`SELECT pg_advisory_xact_lock_shared(${OURS}::int, ${EVERY_SHOP}::int), pg_advisory_xact_lock(hashtextextended(${shop}, 0))`,
  lockTemplate: (client: Prisma.TransactionClient, { environment, templateId }) =>
    client.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`${environment} ${templateId}`}, 1))`,
};
