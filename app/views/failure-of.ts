import type { WorkItem } from "../domain/records.ts";
import { isWaitReason } from "../domain/reason-places.ts";
import type { FailureView } from "./failure.ts";

/** Another work item's write to the same template has no clear end. */
export function isHeld({ reason, generation, observedGeneration }: WorkItem): boolean {
  return reason?.code === "held" && generation > observedGeneration;
}

/** What a page tells of a work item that keeps failing, waits or was stopped. Its reason is missing only while it is being tried anew. */
export function failureOf(item: WorkItem): FailureView {
  const { reason } = item;
  return {
    code: reason?.code ?? null,
    serviceMessage: reason?.message ?? null,
    requestId: reason?.requestId ?? null,
    sinceMs: sinceOf(item),
    waits: isWaitReason(reason?.code) && reason?.code !== "held",
  };
}

/** What holds it tells since when that fails. */
function sinceOf({ reason, failingSinceMs, pendingSinceMs }: WorkItem): number | null {
  if (reason?.code === "held") return reason.atMs;
  return failingSinceMs ?? pendingSinceMs ?? reason?.atMs ?? null;
}
