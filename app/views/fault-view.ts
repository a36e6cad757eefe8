import { isAppError } from "../domain/errors.ts";
import type { ConnectionRecord } from "../domain/records.ts";
import type { FaultView } from "./shell.ts";

/** A thrown fault as an answer a form can show; anything that is not an `AppError` is a defect and goes on. */
export function faultView(error: unknown): FaultView {
  if (!isAppError(error)) throw error;
  return { kind: error.kind, serviceMessage: error.serviceMessage, requestId: error.requestId };
}

/** The connection's last fault, unless the service answered since. Its stored message may be ours: the suspects' are the service's. */
export function connectionFault({ lastFaultKind, failures, state, suspects }: ConnectionRecord): FaultView | null {
  if (lastFaultKind === null || (failures === 0 && state !== "invalid")) return null;
  const met = suspects.findLast(({ kind }) => kind === lastFaultKind);
  return { kind: lastFaultKind, serviceMessage: met?.message ?? null, requestId: met?.requestId ?? null };
}
