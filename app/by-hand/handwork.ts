import type { ServiceProblem } from "../domain/errors.ts";
import type { DraftRecord } from "../domain/records.ts";
import type { ConnectionRef } from "../ports.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import type { DraftEnd } from "./end-draft.ts";

/** What the run of a change by hand and its parts share. */

/** One change by hand, and the account it goes to. */
export interface Handwork {
  draft: DraftRecord;
  ref: ConnectionRef;
  account: ReadableAccount;
}

export const DONE = { kind: "done", message: null, fields: null } as const;

/** How a change by hand ends that the service refused, and under which request. */
export function refusal({
  problem,
  pendingWriteId,
}: {
  problem: ServiceProblem;
  pendingWriteId: string;
}): Pick<DraftEnd, "outcome" | "requestId" | "pendingWriteId"> {
  const { message, serviceMessage, fields, requestId } = problem;
  return { outcome: { kind: "refused", message: message ?? serviceMessage, fields }, requestId, pendingWriteId };
}
