import type { ActivityEntryView } from "./activity.ts";

/** How many lines a report holds: more is no longer read on paper. */
export const MOST_LINES = 1_000;

/** What the activity log tells of one origin in some days, the first line first. */
export interface ReportView {
  shop: string;
  legacyId: string;
  name: string;
  /** Days of the shop's time zone, as `2026-11-20`, both included. */
  from: string;
  to: string;
  timeZone: string;
  /** What the address is called at the service, and was, as far as the log tells. */
  templateIds: string[];
  entries: ActivityEntryView[];
  /** Of these days; where there are more than a report holds, the latest are in it. */
  total: number;
  /** The log is kept this long. */
  days: number;
  madeAtMs: number;
}
