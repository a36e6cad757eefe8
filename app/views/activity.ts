import type { ActivityRecord } from "../domain/records.ts";

export const ACTIVITY_ACTORS = ["owner", "support", "sync", "shopify", "service", "app"] as const;
export const ACTIVITY_OUTCOMES = [
  "done",
  "failed",
  "waiting",
  "noted",
] as const satisfies readonly ActivityRecord["outcome"][];

/** What a line is about, as somebody would look for it: each kind of line in one. */
export const ACTIVITY_TOPICS = {
  verification: [
    "verification_asked",
    "flow_verify",
    "verification_wanted",
    "verification_pending",
    "verification_accepted",
    "verification_refused",
    "verification_unknown",
    "verification_not_offered",
    "verification_no_answer",
    "verification_seen",
  ],
  book: [
    "linked",
    "unlinked",
    "create_chosen",
    "made_again",
    "difference_settled",
    "deletion_asked",
    "template_created",
    "template_updated",
    "template_deleted",
    "template_kept",
    "template_adopted",
    "template_missing",
    "template_refused",
    "template_extra",
    "drift",
    "conflict",
    "unkept",
    "draft_done",
    "draft_refused",
    "draft_conflict",
    "draft_unkept",
    "draft_alike",
    "draft_gone",
    "draft_anothers",
    "draft_account_changed",
    "draft_taken_back",
  ],
  origins: [
    "origin_confirmed",
    "confirmation_withdrawn",
    "details_saved",
    "contact_saved",
    "paused",
    "resumed",
    "included",
    "excluded",
    "sync_asked",
    "move_planned",
    "move_changed",
    "move_cancelled",
    "moved",
    "move_early",
    "move_shown",
    "move_elsewhere",
    "move_kept",
    "move_shopifys",
    "move_incomplete",
    "move_asks_missing",
    "move_asks_refused",
    "move_asks_taken",
    "move_asks_no_origin",
    "location_deleted",
    "location_deactivated",
    "location_activated",
  ],
  bulk: [
    "job_confirm",
    "job_sync",
    "job_verify",
    "job_pause",
    "job_resume",
    "job_import",
    "job_cancelled",
    "sync_skipped",
    "verify_skipped",
    "import_refused",
  ],
  account: [
    "connected",
    "environment_switched",
    "credentials_changed",
    "disconnected",
    "connection_refused",
    "connection_reopened",
    "account_same",
    "account_other",
  ],
  store: [
    "settings_saved",
    "installed",
    "reinstalled",
    "uninstalled",
    "uninstall_told",
    "scopes_changed",
    "customers_data_request",
    "customers_redact",
    "flow_refused",
    "flow_late",
    "redact_kept",
  ],
} as const satisfies Record<string, readonly string[]>;

export type ActivityTopic = keyof typeof ACTIVITY_TOPICS;

export interface ActivityQuery {
  topic: ActivityTopic | null;
  /** Days of the shop's time zone, as `2026-11-20`, both included. */
  from: string | null;
  to: string | null;

  actor: (typeof ACTIVITY_ACTORS)[number] | null;
  outcome: (typeof ACTIVITY_OUTCOMES)[number] | null;
  locationId: string | null;
  /** From 1. */
  page: number;
}

/** Everything, newest first. */
export const ALL_ACTIVITY: ActivityQuery = {
  topic: null,
  from: null,
  to: null,
  actor: null,
  outcome: null,
  locationId: null,
  page: 1,
};

export type ActivityEntryView = Omit<ActivityRecord, "shop" | "locationId"> & {
  legacyId: string | null;
  /** Whether it was whoever reads this. */
  isYours: boolean;
};

export interface ActivityView {
  query: ActivityQuery;
  entries: ActivityEntryView[];
  total: number;
  pages: number;
  /** Kept this long. */
  days: number;
  locations: { locationId: string; name: string }[];
}
