/** What PostgreSQL says of a transaction that was in another's way and may simply be run again: a deadlock, a write conflict. */
const RUN_AGAIN = new Set(["40P01", "40001"]);
/** Prisma's own code for a write conflict. */
const WRITE_CONFLICT = "P2034";

interface Shapes {
  code?: unknown;
  originalCode?: unknown;
  cause?: unknown;
  meta?: { code?: unknown; driverAdapterError?: unknown };
}

/**
 * Whether running the transaction again may succeed, and nothing of it stays. Prisma says it in three ways: a call of a model rejects
 * with its adapter's error, whose cause has the server's code; a raw statement has it in `meta`; a write conflict has a code of its own.
 */
export function isRetryable(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, originalCode, cause, meta } = error as Shapes;
  if (code === WRITE_CONFLICT) return true;
  if ([code, originalCode, meta?.code].some((one) => RUN_AGAIN.has(one as string))) return true;
  return isRetryable(cause) || isRetryable(meta?.driverAdapterError);
}
