import type { ShopAccess, ShopRecord, WorkItemReason } from "./records.ts";

/**
 * Whether Shopify lets us into a shop, and what follows from that. Pure. While Shopify does not, nothing is sent for the shop and
 * everything is kept. Secrets are erased only after an `app/uninstalled` was received and was then confirmed, or is 30 days old.
 */

/** Why nothing is sent for a shop. */
export type ShutReason = "uninstall_told" | "shopify_refused" | "shopify_frozen" | "shopify_session";

/** The columns of a shop's row that tell its access. */
export type AccessColumns = Pick<
  ShopRecord,
  "access" | "accessSinceMs" | "refusedAtMs" | "uninstallToldAtMs" | "forgetDueAtMs"
>;

/** Shopify lets us in, and no uninstall was announced. */
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

/** How long secrets are kept after an `app/uninstalled` that Shopify neither confirms nor contradicts. */
const KEPT_AFTER_TOLD_MS = 30 * DAY_MS;

const FIRST_LOOK_MS = 60_000;
/** The longest time between two looks at a shop that was only refused: it may be back, or be unfrozen, without notice. */
const LONGEST_LOOK_MS = 15 * 60_000;
/** The longest time between two looks at a shop that announced its uninstall. */
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

/** Why the shop is shut; null while Shopify lets us in. */
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

/** Shopify's answer to the question whether it still lets us in. Nothing is inferred: an answer that proves nothing is `unclear`. */
export type ShopStanding =
  /** Shopify took the token and answered. */
  | { kind: "installed" }
  /** A 401 to the stored token. If there is a refresh token, also JSON `invalid_grant` to that. */
  | { kind: "refused" }
  /** 402 or 423: the shop has not paid or is locked. The app stays installed, and nothing can be read. */
  | { kind: "frozen" }
  /** `no_session`: there is no token, or none that Shopify renews. Only the owner's next visit brings a new one. */
  | { kind: "unclear"; why: "no_session" | "unavailable"; message: string };

/** The shop's access after an answer. An answer that proves nothing changes nothing. */
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

/** Whether this refusal confirms an earlier one. A new session in between would have erased the earlier one. */
export function confirms(before: AccessColumns, answer: ShopStanding, nowMs: number): boolean {
  const first = firstRefusal(before, nowMs);
  return answer.kind === "refused" && first !== null && nowMs - first >= REFUSALS_APART_MS;
}

/** When the first refusal was. A stored time in the future was written by a wrong clock and is ignored. */
function firstRefusal({ refusedAtMs }: AccessColumns, nowMs: number): number | null {
  return refusedAtMs !== null && refusedAtMs <= nowMs ? refusedAtMs : null;
}

/**
 * Whether the 30 days after an `app/uninstalled` are over. Because a date may be wrong for a while, this must be found twice, a day apart;
 * `forgetDueAtMs` is when it was first found.
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
 * How long until Shopify is asked again: half of the time that the shop has been shut, but at least a minute, and a minute after a first
 * refusal. `knownMs` is for how long this process has known of it. It is an upper bound, because a wrong clock may have written the stored
 * times and would delay the next look by hours.
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
