import type { ActivityRecord } from "../domain/records.ts";

export const ACTIVITY_ACTORS = ["owner", "sync", "shopify", "service", "app"] as const;
export const ACTIVITY_OUTCOMES = [
  "done",
  "failed",
  "waiting",
  "noted",
] as const satisfies readonly ActivityRecord["outcome"][];

export interface ActivityQuery {
  actor: (typeof ACTIVITY_ACTORS)[number] | null;
  outcome: (typeof ACTIVITY_OUTCOMES)[number] | null;
  locationId: string | null;
  /** From 1. */
  page: number;
}

export type ActivityEntryView = Omit<ActivityRecord, "shop" | "locationId"> & { legacyId: string | null };

export interface ActivityView {
  query: ActivityQuery;
  entries: ActivityEntryView[];
  total: number;
  pages: number;
  /** Kept this long. */
  days: number;
  locations: { locationId: string; name: string }[];
}
