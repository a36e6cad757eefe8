import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { ClosedReason } from "../domain/closed-reason.ts";
import type { OriginState } from "../domain/origin-state.ts";
import type { ConnectionState, Environment } from "../domain/records.ts";
import type { JobView } from "./job.ts";

/** What the list of origins shows; everything from the database. */

export const ORIGIN_TABS = ["all", "needs_you", "under_way", "ready", "not_included"] as const;

export type OriginTab = (typeof ORIGIN_TABS)[number];

export const ORIGIN_SORTS = ["name", "state", "synced"] as const;

export type OriginSort = (typeof ORIGIN_SORTS)[number];

export interface OriginsQuery {
  tab: OriginTab;
  /** One state only; within the tab. */
  state: OriginState | null;
  /** Matches name, address and template alias; accents and case are folded. */
  search: string;
  sort: OriginSort;
  descending: boolean;
  /** From 1. */
  page: number;
}

export interface OriginRowView {
  locationId: string;
  /** The number in `locationId`, as the app's addresses use it. */
  legacyId: string;
  name: string;
  /** Shopify's text of the address, in one line. */
  address: string;
  aliasName: string | null;
  isDefault: boolean;
  state: OriginState;
  /** Fields without which nothing can be sent. */
  missing: number;
  standings: CarrierStanding[];
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
