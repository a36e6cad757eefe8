/** When to try again: pure, chance handed in. */

/** Due "never": nothing is left to do until somebody raises the target. */
export const NEVER_MS = 253_402_300_799_000;

export const PARK_AFTER_FAILURES = 20;

const CONNECTION_FIRST_MS = 5_000;
const CONNECTION_LONGEST_MS = 60_000;
const OWN_FIRST_MS = 2_000;
const OWN_LONGEST_MS = 15 * 60_000;

/** How long a whole connection rests after its n-th failure in a row (n ≥ 1). */
export function connectionBackoffMs(failures: number): number {
  return Math.min(CONNECTION_LONGEST_MS, CONNECTION_FIRST_MS * 2 ** Math.min(failures - 1, 10));
}

/** How long a target rests after its own n-th failure in a row; `chance` in [0, 1) takes up to half of it away. */
export function ownBackoffMs(failures: number, chance: number): number {
  const whole = Math.min(OWN_LONGEST_MS, OWN_FIRST_MS * 2 ** Math.min(failures - 1, 20));
  return Math.max(OWN_FIRST_MS, Math.round(whole * (1 - chance / 2)));
}

/** Work that stood behind a closed connection spreads over this time, so that the first one due is the probe. */
export const WAITING_SPREAD_MS = 60_000;

const RECONCILE_EVERY_MS = 6 * 3_600_000;

/** Six hours, an eighth less or more by chance. */
export function reconcileDelayMs(chance: number): number {
  return Math.round(RECONCILE_EVERY_MS * (0.875 + chance / 4));
}
