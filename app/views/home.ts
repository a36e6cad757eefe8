import type { OriginState } from "../domain/origin-state.ts";
import type { Environment } from "../domain/records.ts";
import type { FailureView } from "./failure.ts";
import type { SetupView } from "./setup.ts";
import type { ShopHealth } from "./shell.ts";

/**
 * What only the owner can mend, in the order in which it hurts.
 */
export const NEEDS = [
  "conflict",
  "missing_there",
  "refused_by_service",
  "refused_by_carrier",
  "incomplete",
  "to_review",
  "drift",
  "parked",
  "unverified",
] as const satisfies readonly OriginState[];

export type Need = (typeof NEEDS)[number];

export interface NeedView {
  need: Need;
  count: number;
  /** Of what was tried many times: why, of the one that has failed longest. */
  failure: FailureView | null;
  /** The first few. */
  origins: { legacyId: string; name: string }[];
}

/**
 * Work beside the origins' own that keeps failing: the reading of the address book or of Shopify's locations, the look at everything for
 * any other reason, the carriers' verification, changes by hand in the address book. `held`: changes by hand that wait for what fails.
 * `waiting`: origins and changes by hand that have waited for long, whatever they wait for, or were stopped by what is over.
 */
export const TROUBLES = ["book", "locations", "look", "verification", "template", "held", "waiting"] as const;

export type Trouble = (typeof TROUBLES)[number];

export interface TroubleView {
  trouble: Trouble;
  count: number;
  failure: FailureView;
  /** Whose failure that is: the one of them that has failed or waited longest, where it is a location's. */
  of: string | null;
  /** The first few that it concerns, where it concerns some only. */
  origins: { legacyId: string; name: string }[];
}

export interface CarrierCount {
  carrier: string;
  accepted: number;
  /** Asked and not answered. */
  waiting: number;
  refused: number;
  /** All else: never asked, changed since, not offered, a word nobody knows, no answer. */
  unverified: number;
}

export interface HomeView {
  connection: { health: ShopHealth; environment: Environment | null };
  needs: NeedView[];
  troubles: TroubleView[];
  /** Among the locations that are origins: `canShip`, from which labels can be made as the account stands; `ready`, with nothing open. */
  origins: { canShip: number; ready: number; yours: number; underWay: number; total: number };
  carriers: CarrierCount[];
  reconciledAtMs: number | null;
  /** The store's locations were never read yet and are being read now. */
  reading: boolean;
  queue: {
    /** Things that are due. */
    waiting: number;
    /** Changes that are not due: they are tried again later, or wait until an unclear answer is cleared up. */
    later: number;
    /** Until they are done, as the rate allows; null when nothing waits. */
    leftMs: number | null;
    /** The service asked for a pause. */
    pausedUntilMs: number | null;
  };
  /** Null when it was put away. */
  setup: SetupView | null;
  /** The one location that is an origin, when there is only one. */
  onlyLocationId: string | null;
}
