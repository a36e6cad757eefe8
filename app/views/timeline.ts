import type { VerificationOutcome } from "../domain/records.ts";

/** One line of what a carrier said of a template over time. */
export interface TimelineEntry {
  carrier: string;
  atMs: number;
  outcome: VerificationOutcome;
  status: string | null;
}
