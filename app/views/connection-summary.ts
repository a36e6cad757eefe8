import { closedReason } from "../domain/closed-reason.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { ConnectionSummary } from "./origins.ts";

/** Of a connection, what may leave for the browser. */
export function summaryOfConnection(connection: ConnectionRecord | null): ConnectionSummary | null {
  if (!connection) return null;
  const { state, environment, backoffUntilMs } = connection;
  return { state, closed: closedReason(connection), environment, backoffUntilMs };
}
