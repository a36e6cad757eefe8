import type { BlockedReason, ConnectionRecord, ConnectionState, Environment, WorkItemReason } from "./records.ts";
import type { Secret } from "./secret.ts";

/**
 * What follows for a whole shop from its connection to the service: why nothing can be sent at all, which is no fault of one work item, and whose
 * activity is noted. Pure.
 */

export type ClosedReason =
  Extract<BlockedReason, "not_connected" | "secret_unreadable" | "account_unconfirmed"> | "invalid_client";

const CLOSED_REASONS: Record<ClosedReason, true> = {
  not_connected: true,
  invalid_client: true,
  secret_unreadable: true,
  account_unconfirmed: true,
};

/** Whether a work item stopped because its shop's connection was closed. */
export function isClosedReason(reason: WorkItemReason | null): boolean {
  return reason !== null && Object.hasOwn(CLOSED_REASONS, reason.code);
}

/** Whether no account is connected: there never was one, its owner has disconnected it, or left it for another. */
export function isDisconnected(connection: { state: ConnectionState } | null): boolean {
  return !connection || connection.state === "disconnected" || connection.state === "aside";
}

/** Why nothing can be sent over a connection; null when it is open. */
export function closedReason(
  connection: { state: ConnectionState; clientSecret?: Secret | null } | null,
): ClosedReason | null {
  if (!connection || isDisconnected(connection)) return "not_connected";
  if (connection.state === "invalid") return "invalid_client";
  if (connection.clientSecret?.readable === false) return "secret_unreadable";
  return connection.state === "unconfirmed" ? "account_unconfirmed" : null;
}

/** Whose activity is noted, and shown, while this connection is the one in use; production's where there is none. */
export function environmentOf(inUse: Pick<ConnectionRecord, "environment"> | null): Environment {
  return inUse?.environment ?? "production";
}
