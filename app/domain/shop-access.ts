import type { ShopAccess, ShopRecord, WorkItemReason } from "./records.ts";

/**
 * Whether Shopify lets us into a shop, and what follows from what it says. Pure. While it does not, nothing is sent for the shop and
 * everything is kept; secrets are erased only after a received `app/uninstalled` that is confirmed, or is 30 days old.
 */

/** Why nothing is sent for a shop. */
export type ShutReason = "uninstall_told" | "shopify_refused" | "shopify_frozen" | "shopify_session";

/** What the row of a shop says of its access. */
export type AccessColumns = Pick<
  ShopRecord,
  "access" | "accessSinceMs" | "refusedAtMs" | "uninstallToldAtMs" | "forgetDueAtMs"
>;

/** Shopify lets us in, and nobody says otherwise. */
export const OPEN: AccessColumns = {
  access: "open",
  accessSinceMs: null,
  refusedAtMs: null,
  uninstallToldAtMs: null,
  forgetDueAtMs: null,
};

/** Two refusals this far apart confirm each other. */
export const REFUSALS_APART_MS = 60_000;

const DAY_MS = 24 * 3_600_000;

/** How long an `app/uninstalled` that Shopify neither confirms nor contradicts keeps the secrets. */
const KEPT_AFTER_TOLD_MS = 30 * DAY_MS;

const FIRST_LOOK_MS = 60_000;
/** A shop that only was refused may be back, or thaw, without a word. */
const LONGEST_LOOK_MS = 15 * 60_000;
/** No look at a shop that Shopify does not let us into is put off for longer. */
export const LONGEST_LOOK_TOLD_MS = 4 * 3_600_000;

const REASONS: Record<ShopAccess, ShutReason | null> = {
  open: null,
  refused: "shopify_refused",
  frozen: "shopify_frozen",
  no_session: "shopify_session",
};

/** Whether anything may be sent for the shop. */
export function isShut(shop: AccessColumns & Pick<ShopRecord, "uninstalledAtMs">): boolean {
  return shop.uninstalledAtMs !== null || shutReason(shop) !== null;
}

/** Null while Shopify lets us in. */
export function shutReason({ access, uninstallToldAtMs }: AccessColumns): ShutReason | null {
  return uninstallToldAtMs !== null ? "uninstall_told" : REASONS[access];
}

const SHUT_REASONS: ReadonlySet<WorkItemReason["code"]> = new Set<ShutReason>([
  "uninstall_told",
  "shopify_refused",
  "shopify_frozen",
  "shopify_session",
]);

/** Whether a work item stopped because Shopify did not let us in. */
export function isShutReason(reason: WorkItemReason | null): boolean {
  return reason !== null && SHUT_REASONS.has(reason.code);
}

/** What Shopify says when it is asked whether it still lets us in. Nothing is inferred: what proves nothing is `unclear`. */
export type ShopStanding =
  /** It took the token and answered. */
  | { kind: "installed" }
  /** A 401 to the stored token and, where there is a refresh token, JSON `invalid_grant` to that. */
  | { kind: "refused" }
  /** 402 or 423: it has not paid or is locked; the app stays installed, and nothing can be read. */
  | { kind: "frozen" }
  /** `no_session`: there is no token to ask with, or none that Shopify renews: only the owner's next visit brings one. */
  | { kind: "unclear"; why: "no_session" | "unavailable"; message: string };

/** The row after an answer. One that proves nothing changes nothing. */
export function afterAnswer(before: AccessColumns, answer: ShopStanding, nowMs: number): AccessColumns {
  if (answer.kind === "installed") return OPEN;
  if (answer.kind === "unclear" && answer.why === "unavailable") return before;
  const access = answer.kind === "unclear" ? "no_session" : answer.kind;
  return {
    ...before,
    access,
    accessSinceMs: before.access === "open" ? nowMs : before.accessSinceMs,
    refusedAtMs: access === "refused" ? (firstRefusal(before, nowMs) ?? nowMs) : null,
  };
}

/** Whether a refusal that has just come confirms an earlier one: a new session in between would have forgotten that. */
export function confirms(before: AccessColumns, answer: ShopStanding, nowMs: number): boolean {
  const first = firstRefusal(before, nowMs);
  return answer.kind === "refused" && first !== null && nowMs - first >= REFUSALS_APART_MS;
}

/** One that lies ahead was dated by a clock that is right no more. */
function firstRefusal({ refusedAtMs }: AccessColumns, nowMs: number): number | null {
  return refusedAtMs !== null && refusedAtMs <= nowMs ? refusedAtMs : null;
}

/**
 * Whether the 30 days after an `app/uninstalled` are over. A date may be wrong for a while, so that they are is seen twice, a day
 * apart: `forgetDueAtMs` is when it was first seen.
 */
export function keptLongEnough(
  { uninstallToldAtMs, forgetDueAtMs }: AccessColumns,
  nowMs: number,
): { forgetDueAtMs: number | null; over: boolean } {
  if (uninstallToldAtMs === null || nowMs - uninstallToldAtMs < KEPT_AFTER_TOLD_MS)
    return { forgetDueAtMs: null, over: false };
  if (forgetDueAtMs === null || forgetDueAtMs > nowMs) return { forgetDueAtMs: nowMs, over: false };
  return { forgetDueAtMs, over: nowMs - forgetDueAtMs >= DAY_MS };
}

/**
 * How long until Shopify is asked again: half as long as it has been so, a minute at least, and a minute after a first refusal. `knownMs`:
 * for how long the process that asks has known of it. The stored times may be a wrong clock's, and would put the next look off for hours.
 */
export function nextLookMs(
  {
    uninstallToldAtMs,
    accessSinceMs,
    refusedAtMs,
  }: Pick<AccessColumns, "uninstallToldAtMs" | "accessSinceMs" | "refusedAtMs">,
  { nowMs, knownMs }: { nowMs: number; knownMs: number },
): number {
  if (refusedAtMs !== null && nowMs - refusedAtMs < REFUSALS_APART_MS) return FIRST_LOOK_MS;
  const sinceMs = uninstallToldAtMs ?? accessSinceMs ?? nowMs;
  const longestMs = uninstallToldAtMs === null ? LONGEST_LOOK_MS : LONGEST_LOOK_TOLD_MS;
  const lastedMs = Math.min(nowMs - sinceMs, knownMs);
  return Math.min(longestMs, Math.max(FIRST_LOOK_MS, Math.round(lastedMs / 2)));
}
