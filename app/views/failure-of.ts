import type { TargetRecord } from "../domain/records.ts";
import { isWaitReason } from "../domain/told.ts";
import type { FailureView } from "./failure.ts";

/** Another target's write to the same template has no clear end. */
export function isHeld({ reason, wanted, seen }: TargetRecord): boolean {
  return reason?.code === "held" && wanted > seen;
}

/** What a page tells of a target that keeps failing, waits or was stopped. Its reason is missing only while it is being tried anew. */
export function failureOf(target: TargetRecord): FailureView {
  const { reason } = target;
  return {
    code: reason?.code ?? null,
    serviceMessage: reason?.message ?? null,
    requestId: reason?.requestId ?? null,
    sinceMs: sinceOf(target),
    waits: isWaitReason(reason?.code) && reason?.code !== "held",
  };
}

/** What holds it tells since when that fails. */
function sinceOf({ reason, failingSinceMs, pendingSinceMs }: TargetRecord): number | null {
  if (reason?.code === "held") return reason.atMs;
  return failingSinceMs ?? pendingSinceMs ?? reason?.atMs ?? null;
}
