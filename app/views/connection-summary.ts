import { closedReason } from "../domain/closed-reason.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { ConnectionSummary } from "./origins.ts";

/** Of a connection, what may leave for the browser. */
export function summaryOfConnection(connection: ConnectionRecord | null): ConnectionSummary | null {
  if (!connection) return null;
  const { state, environment, backoffUntilMs } = connection;
  return { state, closed: closedReason(connection), environment, backoffUntilMs };
}

/**
 * When the service answered last, as a page says it. Reading the address book does not count for the connection's health, and is an answer
 * all the same.
 */
export function lastAnswerAtMs({
  lastSuccessAtMs,
  bookReadAtMs,
}: Pick<ConnectionRecord, "lastSuccessAtMs" | "bookReadAtMs">): number | null {
  if (lastSuccessAtMs === null || bookReadAtMs === null) return lastSuccessAtMs ?? bookReadAtMs;
  return Math.max(lastSuccessAtMs, bookReadAtMs);
}
