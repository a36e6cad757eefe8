import type { ConnectionRecord } from "../domain/records.ts";
import type { ConnectionGlance } from "./origins.ts";

/** Of a connection, what may leave for the browser. */
export function glanceOf(connection: ConnectionRecord | null): ConnectionGlance | null {
  if (!connection) return null;
  const { state, environment, backoffUntilMs } = connection;
  return { state, environment, backoffUntilMs };
}
