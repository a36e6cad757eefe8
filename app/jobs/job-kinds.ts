import type { JobRecord } from "../domain/records.ts";

/** Whether a job's items end with a sync of their locations. */
export function syncs({ kind }: Pick<JobRecord, "kind">): boolean {
  return kind === "sync" || kind === "import";
}
