import type { JobRecord } from "../domain/records.ts";

/** Whether a job's items end with a sync of their locations. */
export function syncs({ kind }: Pick<JobRecord, "kind">): boolean {
  return kind === "sync" || kind === "import";
}

/** The kind of line in *Activity* that tells of a sync which Review started: for its owner that is the confirmation. */
export const REVIEW_CONFIRMED = "job_confirm";
