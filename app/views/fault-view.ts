import { isAppError } from "../domain/errors.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { FaultView } from "./shell.ts";

/** A thrown fault as an answer a form can show; anything that is not an `AppError` is a defect and goes on. */
export function faultView(error: unknown): FaultView {
  if (!isAppError(error)) throw error;
  return { kind: error.kind, serviceMessage: error.serviceMessage, requestId: error.requestId };
}

/** The connection's last fault, unless the service answered since. The suspect that met it knows the request id. */
export function connectionFault(connection: ConnectionRecord): FaultView | null {
  const { lastFaultKind, lastFaultMessage, failures, state, suspects } = connection;
  if (lastFaultKind === null || (failures === 0 && state !== "invalid")) return null;
  const met = suspects.findLast(({ kind }) => kind === lastFaultKind);
  return { kind: lastFaultKind, serviceMessage: lastFaultMessage, requestId: met?.requestId ?? null };
}
