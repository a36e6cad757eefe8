import type { JobRecord } from "../domain/records.ts";
import type { FailureView } from "./failure.ts";

/** A bulk job as its progress shows it. */
export interface JobView {
  id: string;
  kind: JobRecord["kind"];
  state: JobRecord["state"];
  total: number;
  done: number;
  failed: number;
  cancelled: number;
  /** Nothing was theirs to do: not used, paused, or without what the job needs. */
  skipped: number;
  /** Why, and how many each; in the reasons' alphabet. */
  skips: { reason: string; count: number }[];
  /** Of the cancelled: confirmed in Review together with the job, and waiting for their owner's word again. */
  returned: number;
  /** Not ended; in a cancelled job what could not be stopped. */
  waiting: number;
  /** From the budget; null once nothing waits, or the job was cancelled. */
  leftMs: number | null;
  /** The first of those that failed, with what a person can do about it. */
  failures: { locationId: string; legacyId: string; name: string; reason: string | null }[];
  /** Why the job itself does not go on, as opposed to some of its origins; null while it does. */
  failure: FailureView | null;
  createdAtMs: number;
  endedAtMs: number | null;
}
