import { isAppError } from "../domain/errors.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { FaultView } from "./views/shell.ts";

/** A thrown fault as an answer a form can show; anything that is not an `AppError` is a defect and goes on. */
export function faultView(error: unknown): FaultView {
  if (!isAppError(error)) throw error;
  return { kind: error.kind, serviceMessage: error.serviceMessage, requestId: error.requestId };
}

/** The connection's last fault, unless the service answered since. Its stored message may be ours, so it is not quoted as theirs. */
export function connectionFault({ lastFaultKind, failures, state }: ConnectionRecord): FaultView | null {
  if (lastFaultKind === null || (failures === 0 && state !== "invalid")) return null;
  return { kind: lastFaultKind, serviceMessage: null, requestId: null };
}
