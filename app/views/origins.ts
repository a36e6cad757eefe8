import type { CarrierAnswer, CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { ClosedReason } from "../domain/closed-reason.ts";
import type { OriginState } from "../domain/origin-state.ts";
import type { MoveNews } from "../domain/plan/move-news.ts";
import type { Outlook } from "../domain/readiness.ts";
import type { ConnectionState, Environment } from "../domain/records.ts";
import type { JobView } from "./job.ts";

/** What the list of origins shows; everything from the database. */

export const ORIGIN_TABS = ["all", "needs_you", "under_way", "ready", "not_included"] as const;

export type OriginTab = (typeof ORIGIN_TABS)[number];

export const ORIGIN_SORTS = ["name", "state", "carriers", "synced"] as const;

export type OriginSort = (typeof ORIGIN_SORTS)[number];

/**
 * What is wrong with an origin, as its owner would look for it. `any`: one of the others. An origin may have several; one that is paused or
 * not in use has none, but for what could not be saved before.
 */
export const ORIGIN_PROBLEMS = ["any", "details", "refused", "inconclusive", "changed", "unsaved"] as const;

export type OriginProblem = (typeof ORIGIN_PROBLEMS)[number];

export interface OriginsQuery {
  tab: OriginTab;
  /** One state only; within the tab. */
  state: OriginState | null;
  /** What one of the shop's carriers has said of it. */
  carrier: { carrier: string; answer: CarrierAnswer } | null;
  problem: OriginProblem | null;
  /** The locations of one order, by the numbers in their ids. */
  locations: string[] | null;
  /** Matches name, address and template alias; accents and case are folded. */
  search: string;
  sort: OriginSort;
  descending: boolean;
  /** From 1. */
  page: number;
}

/** Everything, by name. */
export const ALL_ORIGINS: OriginsQuery = {
  tab: "all",
  state: null,
  carrier: null,
  problem: null,
  locations: null,
  search: "",
  sort: "name",
  descending: false,
  page: 1,
};

export interface OriginRowView {
  locationId: string;
  /** The number in `locationId`, as the app's addresses use it. */
  legacyId: string;
  name: string;
  /** Shopify's text of the address, in one line. */
  address: string;
  /** The town and the state of it. */
  place: string;
  isDefault: boolean;
  state: OriginState;
  outlook: Outlook;
  /** It stands in another country than Mexico, so that it cannot be an origin. */
  abroad: boolean;
  /** Empty fields without which nothing can be sent. What is only to be checked is not counted. */
  missing: number;
  standings: CarrierStanding[];
  /** Where the location moves: the one sentence on it. */
  move: MoveNews | null;
  syncedAtMs: number | null;
}

/** What a page says of the connection: enough to explain why nothing moves, nothing secret. */
export interface ConnectionSummary {
  state: ConnectionState;
  /** Why nothing can be sent over it; null when it is open. */
  closed: ClosedReason | null;
  environment: Environment;
  backoffUntilMs: number | null;
}

export interface OriginsView {
  query: OriginsQuery;
  rows: OriginRowView[];
  counts: Record<OriginTab, number>;
  /** Origins that wait for their owner's word, in any tab. */
  toReview: number;
  /** Rows of the whole filter, all pages. */
  total: number;
  pages: number;
  /** The shop's carriers: what a bulk verification asks unless told otherwise. */
  carriers: string[];
  job: JobView | null;
  connection: ConnectionSummary | null;
  /** The last whole look at everything. */
  reconciledAtMs: number | null;
  nowMs: number;
  timeZone: string;
}
