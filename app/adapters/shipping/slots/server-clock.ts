/**
 * Notices that the database server's clock was set ahead: slots that rest would be free too early. A time of the server lies between the
 * sending of a query and its answer, by this process's monotonic clock, and so does each later one, but for the drift of two good clocks.
 */
export interface ServerClock {
  /** Whether the server's clock has jumped ahead since an earlier query. All but `nowMs` are monotonic. */
  hasJumped(read: { nowMs: number; sentMs: number; answeredMs: number }): boolean;
}

const LEAST_JUMP_MS = 20;
/** Twice as fast as a clock is slewed. */
const DRIFT = 0.001;

export function createServerClock(): ServerClock {
  /** By how much the server's clock is ahead of the monotonic one at most; null before the first query. */
  let known: { aheadMs: number; atMs: number } | null = null;
  return {
    hasJumped({ nowMs, sentMs, answeredMs }) {
      const atMostMs = nowMs - sentMs;
      const drifted = known ? known.aheadMs + (answeredMs - known.atMs) * DRIFT : Infinity;
      const jumped = nowMs - answeredMs > drifted + LEAST_JUMP_MS;
      known = { aheadMs: jumped ? atMostMs : Math.min(drifted, atMostMs), atMs: answeredMs };
      return jumped;
    },
  };
}
