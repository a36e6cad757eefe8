import type { FaultKind } from "./errors.ts";
import type { BlockedReason, WorkItemReason, WorkItem, WaitReason } from "./records.ts";

/**
 * On which page an owner reads why a work item stands still. Every reason has a place: a new reason without one does not compile, and
 * `test/scenarios/reason-places.test.ts` stores each of them and reads the pages.
 */
type ReasonPlace =
  /** A banner on every page, as long as the reason holds for the whole shop. */
  | "shop"
  /** The origin's state, which Home counts among what needs its owner. */
  | "state"
  /** The origin's own page says what it waits for. It passes by itself within minutes; if it lasts, Home names it. */
  | "passes"
  /** The origin's own page says what it waits for: another work item that fails, and which Home names. */
  | "other"
  /** A fault. A connection's fault has a banner on every page. A work item's own fault is on its page, and on Home once it lasts. */
  | "fails";

export const REASON_PLACES: Record<WorkItemReason["code"], ReasonPlace> = {
  ...({
    incomplete: "state",
    unconfirmed: "state",
    conflict: "state",
    refused_by_service: "state",
    missing_there: "state",
    template_taken: "state",
    adoption_choice: "state",
    not_connected: "shop",
    account_unconfirmed: "shop",
    secret_unreadable: "shop",
    uninstall_told: "shop",
  } satisfies Record<BlockedReason, ReasonPlace>),
  ...({
    quarantine: "passes",
    emptied: "passes",
    absence_unconfirmed: "passes",
    location_unconfirmed: "passes",
    location_behind: "passes",
    book_unread: "passes",
    book_unconfirmed: "passes",
    book_unreadable: "other",
    held: "other",
  } satisfies Record<WaitReason, ReasonPlace>),
  ...({
    not_connected: "shop",
    invalid_client: "shop",
    shopify_refused: "shop",
    shopify_frozen: "shop",
    shopify_session: "shop",
    transport: "fails",
    timeout: "fails",
    server_error: "fails",
    rate_limited: "fails",
    edge_blocked: "fails",
    forbidden: "fails",
    unauthorized: "fails",
    unreadable: "fails",
    book_too_long: "fails",
    unexpected_status: "fails",
    superseded: "fails",
    done_over: "fails",
    shopify_unavailable: "fails",
    cancelled: "fails",
    internal: "fails",
  } satisfies Record<FaultKind, ReasonPlace>),
};

/** Whether a reason says what a work item waits for, as opposed to why it fails or what stopped it. */
export function isWaitReason(code: WorkItemReason["code"] | null | undefined): code is WaitReason {
  return code != null && (REASON_PLACES[code] === "passes" || REASON_PLACES[code] === "other");
}

/** Whether the work item itself does not fail, but waits for another one that does. */
export function waitsForOther({
  reason,
  generation,
  observedGeneration,
}: Pick<WorkItem, "reason" | "generation" | "observedGeneration">): boolean {
  return reason !== null && REASON_PLACES[reason.code] === "other" && generation > observedGeneration;
}
