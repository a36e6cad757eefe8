import type { WorkItemKind } from "./records.ts";
import { LONGEST_LOOK_TOLD_MS } from "./shop-access.ts";
import { LONGEST_POLL_MS } from "./verification/verification.ts";

/** When to try again. Pure: the caller hands in the random number. */

/** The due time "never": no run follows until somebody requests the work item again. */
export const NEVER_MS = 253_402_300_799_000;

export const PARK_AFTER_FAILURES = 20;

const CONNECTION_FIRST_MS = 5_000;
/** So many rests of a connection are as short as the first. */
const CONNECTION_SHORT_RESTS = 6;
const CONNECTION_GROWTH = 1.2;
export const CONNECTION_LONGEST_MS = 60_000;
const OWN_FIRST_MS = 2_000;
const OWN_LONGEST_MS = 15 * 60_000;

/**
 * How long a whole connection rests after its n-th failure in a row (n ≥ 1). No rest but the first six is longer than a fifth of the time for
 * which nothing was answered: a service that comes and goes is met while it is there.
 */
export function connectionBackoffMs(failures: number): number {
  const longer = Math.min(Math.max(0, failures - CONNECTION_SHORT_RESTS), 20);
  return Math.min(CONNECTION_LONGEST_MS, Math.round(CONNECTION_FIRST_MS * CONNECTION_GROWTH ** longer));
}

/**
 * A work item that failed less often may have failed together with the service. It is tried again as soon as the service answers anybody, and
 * the service is asked once more before the next failure counts as its own. Later that would cost too many calls.
 */
export const MANY_FAILURES = 4;

/**
 * How long a work item rests after its own n-th failure in a row; `chance` in [0, 1) adds up to an eighth. Chance never shortens a rest:
 * work that always fails would otherwise run more than four times an hour.
 */
export function ownBackoffMs(failures: number, chance: number): number {
  const whole = Math.min(OWN_LONGEST_MS, OWN_FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.round(whole * (1 + chance / 8));
}

/** Below this number of calls in all, a work item's failures cost nothing that counts. */
const CALLS_AT_FIRST = 20;
/** One less than a work item that fails for good may make, for the token is renewed meanwhile. */
const CALLS_AN_HOUR = 11;
/** While it has not failed for an hour yet: half of what it may cost in that hour. What fails for minutes only is soon tried again. */
const CALLS_IN_FIRST_HOUR = 30;
/** What costs more a time would take of the hours after. */
const MOST_CALLS_OFTEN = 10;
const HOUR_MS = 3_600_000;

/**
 * How long a work item rests at least after its n-th failure in a row, which took so many calls, and all of them together `inAll`: as long
 * as keeps it within its calls an hour. The first failure may be the last.
 */
export function costRestMs(
  failures: number,
  { calls, inAll, failingForMs }: { calls: number; inAll: number; failingForMs: number },
): number {
  if (failures < COSTLY_FROM || inAll < CALLS_AT_FIRST || calls === 1) return 0;
  const isOften = failingForMs < HOUR_MS && calls <= MOST_CALLS_OFTEN;
  const runsAnHour = (isOften ? CALLS_IN_FIRST_HOUR : CALLS_AN_HOUR) / calls;
  return Math.round(HOUR_MS / (runsAnHour >= 1 ? Math.floor(runsAnHour) : runsAnHour));
}

/** How many own failures in a row lead to the longest rest. A parked work item that is tried again starts with this count. */
export const STEADY_FAILURES = 10;

/** How long a probe has before another may be sent: longer than two calls that time out. A probe whose process died never comes back. */
export const PROBE_MS = 30_000;

/** Work that waits for a resting connection starts again spread over this time, so that not all of it is sent at once. */
export const WAITING_SPREAD_MS = 60_000;

/** Work that waits for a resting connection is due again within this time. */
export const WAITING_LONGEST_MS = Math.max(CONNECTION_LONGEST_MS, PROBE_MS) + WAITING_SPREAD_MS;

/**
 * Until when a connection rests; null when it does not. A stored time further ahead than the longest rest was set by a fast clock, and is
 * ignored.
 */
export function restsUntilMs(backoffUntilMs: number | null, nowMs: number): number | null {
  if (backoffUntilMs === null || backoffUntilMs <= nowMs) return null;
  return backoffUntilMs - nowMs > CONNECTION_LONGEST_MS ? null : backoffUntilMs;
}

/** A location that is to move is looked at this often. */
export const MOVE_LOOKS_EVERY_MS = 3_600_000;

const RECONCILE_EVERY_MS = 6 * 3_600_000;

/** The time to the next reconcile: six hours, an eighth more or less by chance. */
export function reconcileDelayMs(chance: number): number {
  return Math.round(RECONCILE_EVERY_MS * (0.875 + chance / 4));
}

/** The longest that a run may put off its work item, by kind, where no failure of many calls does. */
const LONGEST_DELAY_MS: Record<WorkItemKind, number> = {
  location: ownBackoffMs(PARK_AFTER_FAILURES, 1),
  template: ownBackoffMs(PARK_AFTER_FAILURES, 1),
  verification: LONGEST_POLL_MS,
  reconcile: reconcileDelayMs(1),
  job: ownBackoffMs(PARK_AFTER_FAILURES, 1),
  uninstall: LONGEST_LOOK_TOLD_MS,
  redact: LONGEST_LOOK_TOLD_MS,
  told: 10 * 60_000,
  // A wrong clock may have written when it comes again, and the hour does not wait longer.
  move: MOVE_LOOKS_EVERY_MS,
  flow: ownBackoffMs(PARK_AFTER_FAILURES, 1),
};

export const WORK_ITEM_KINDS = Object.keys(LONGEST_DELAY_MS) as WorkItemKind[];

/** Kinds of work whose runs may read the whole address book. */
export const READS_BOOK: readonly WorkItemKind[] = ["location", "template", "verification", "reconcile", "move"];

/** From this failure on a work item may rest for what its failures cost (`costRestMs`). */
export const COSTLY_FROM = 2;

/**
 * The longest that a run may put off a work item with so many own failures. A due time further ahead was set by a wrong clock, so the work
 * item is due now. Failures of many calls rest it no longer than a look at everything rests that fails at nothing.
 */
export function longestDelayMs(kind: WorkItemKind, failures: number): number {
  const isCostly = failures >= COSTLY_FROM && READS_BOOK.includes(kind);
  return isCostly ? reconcileDelayMs(1) : LONGEST_DELAY_MS[kind];
}
