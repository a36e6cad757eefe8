import type { FaultKind } from "./errors.ts";
import type { BlockedReason, WorkItemReason, WorkItem, WaitReason } from "./records.ts";

/**
 * Where an owner reads why something stands still. Every reason has a place: a new one does not compile without it, and
 * `test/scenarios/reason-places.test.ts` lets each of them stand in the store and reads the pages.
 */
type ReasonPlace =
  /** A banner on every page, for as long as it holds for the whole shop. */
  | "shop"
  /** The origin's state, which Home counts among what needs its owner. */
  | "state"
  /** Its own page says what it waits for; over by itself within minutes. Home names it should it last. */
  | "passes"
  /** Its own page says what it waits for: something else that fails, which Home names. */
  | "other"
  /** A fault. The connection's has a banner on every page; the work item's own is on its page and on Home as soon as it stays. */
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
    absence_unconfirmed: "passes",
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
    unexpected_status: "fails",
    superseded: "fails",
    shopify_unavailable: "fails",
    cancelled: "fails",
    internal: "fails",
  } satisfies Record<FaultKind, ReasonPlace>),
};

/** Whether a work item gives as its reason what it waits for, rather than what it fails of or is stopped by. */
export function isWaitReason(code: WorkItemReason["code"] | null | undefined): code is WaitReason {
  return code != null && (REASON_PLACES[code] === "passes" || REASON_PLACES[code] === "other");
}

/** Whether it does not fail itself: what it waits for does. */
export function waitsForOther({
  reason,
  generation,
  observedGeneration,
}: Pick<WorkItem, "reason" | "generation" | "observedGeneration">): boolean {
  return reason !== null && REASON_PLACES[reason.code] === "other" && generation > observedGeneration;
}
