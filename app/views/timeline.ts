import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { VerificationOutcome } from "../domain/records.ts";

/** One line of what a carrier said of a template over time. */
export interface TimelineEntry {
  carrier: string;
  atMs: number;
  outcome: VerificationOutcome;
  status: string | null;
  meaning: CarrierStanding["meaning"];
}
