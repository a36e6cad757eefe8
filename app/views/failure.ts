import type { WorkItemReason } from "../domain/records.ts";

/** Why something keeps failing, or waits for something that does. */
export interface FailureView {
  code: WorkItemReason["code"] | null;
  /** The service's own words; quoted. */
  serviceMessage: string | null;
  requestId: string | null;
  /** When it first failed, or began to wait. */
  sinceMs: number | null;
  /** It waits and has not failed: the time says since when it does. */
  waits?: boolean;
}
