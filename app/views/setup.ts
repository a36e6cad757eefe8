import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { OriginState } from "../domain/origin-state.ts";
import type { Attention } from "../domain/readiness.ts";
import type { ReviewView } from "./review.ts";
import type { ConnectionView } from "./settings.ts";

/**
 * The first steps of a store, done on Home: what is open of them now. `read`: the locations or the address book were never read yet.
 * `save` and `verify` go by themselves.
 */
export type SetupStep = "connect" | "read" | "confirm" | "save" | "verify" | "finished";

/** A location that the owner has confirmed. */
export interface SetupPlace {
  legacyId: string;
  name: string;
  state: OriginState;
  attention: Attention;
  standings: CarrierStanding[];
  /** The account holds it as it is now, or as it was before what changed since; null where the account does not hold it. */
  saved: "as_it_is" | "before" | null;
}

export interface SetupView {
  step: SetupStep;
  /** What is done, whatever else is open. */
  done: { connect: boolean; confirm: boolean; save: boolean };
  /** Null before the first. */
  connection: ConnectionView | null;
  /** What waits for the owner's word, while that can be given. */
  review: ReviewView | null;
  /** The first of the confirmed ones, those that need something before the others. */
  places: SetupPlace[];
  counts: { confirmed: number; saved: number; total: number };
  /** Carriers verify what is saved without being asked. */
  verifies: boolean;
}
