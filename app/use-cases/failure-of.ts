import type { TargetRecord } from "../domain/records.ts";
import type { FailureView } from "./views/failure.ts";

/** It does not fail itself: what it waits for does. */
export function isHeld({ reason, wanted, seen }: TargetRecord): boolean {
  return reason?.code === "held" && wanted > seen;
}

/** What a page tells of a target that keeps failing, or of what holds it. Its reason is missing only while it is being tried anew. */
export function failureOf({ reason, failingSinceMs }: TargetRecord): FailureView {
  return {
    code: reason?.code ?? null,
    serviceMessage: reason?.message ?? null,
    requestId: reason?.requestId ?? null,
    sinceMs: reason?.code === "held" ? reason.atMs : failingSinceMs,
  };
}
