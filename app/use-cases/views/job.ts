import type { JobRecord } from "../../domain/records.ts";

/** A bulk job as its progress shows it. */
export interface JobView {
  id: string;
  kind: JobRecord["kind"];
  state: JobRecord["state"];
  total: number;
  done: number;
  failed: number;
  cancelled: number;
  waiting: number;
  /** From the budget; null once nothing waits. */
  leftMs: number | null;
  /** The first of those that failed, with what a person can do about it. */
  failures: { locationId: string; legacyId: string; name: string; reason: string | null }[];
  createdAtMs: number;
  endedAtMs: number | null;
}
