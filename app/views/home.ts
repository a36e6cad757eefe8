import type { MoveNews } from "../domain/plan/move-news.ts";
import type { OriginState } from "../domain/origin-state.ts";
import type { Environment } from "../domain/records.ts";
import type { CarrierAnswer } from "../domain/verification/carrier-standing.ts";
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

/** The list that has all of a need. What keeps failing is told beside the state that its owner sees first, so that no one state has it. */
export function listOf(need: Need): { state: Need } | { problem: "unsaved" } {
  return need === "parked" ? { problem: "unsaved" } : { state: need };
}

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
 * any other reason, the carriers' verification, changes by hand in the address book, events for Shopify Flow, a bulk job. `held`: changes by
 * hand that wait for what fails. `waiting`: origins and changes by hand that have waited for long, whatever they wait for, or were stopped by
 * what is over.
 */
export const TROUBLES = [
  "book",
  "locations",
  "look",
  "verification",
  "template",
  "held",
  "flow",
  "job",
  "waiting",
] as const;

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

/** A location whose move waits for the owner. */
export interface MoveNeedView {
  news: MoveNews;
  legacyId: string;
  name: string;
}

/** Of the origins, how many of each answer of a carrier (`answerOf`), as the list is filtered by it. */
export interface CarrierCount extends Record<CarrierAnswer, number> {
  carrier: string;
  /** Of those of which it was not asked: it has answered about the address before the last change. */
  before: number;
}

export interface OpenOrigins {
  /** They wait for the owner. */
  yours: number;
  /** They go on by themselves. */
  underWay: number;
}

export interface HomeView {
  connection: { health: ShopHealth; environment: Environment | null };
  needs: NeedView[];
  troubles: TroubleView[];
  /** Moves that only the owner can go on with. */
  moves: MoveNeedView[];
  /**
   * Among the locations that are origins: `canShip`, from which labels can be made as the account stands; `part`, with some of the shop's
   * carriers only; `ready`, with nothing open. `yours` and `underWay` are of all; `open` says them of those that can ship, of the part and of
   * the rest, so that each is told once.
   */
  origins: OpenOrigins & {
    canShip: number;
    part: number;
    ready: number;
    total: number;
    open: Record<"canShip" | "part" | "rest", OpenOrigins>;
  };
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
