import type { Clock } from "../ports.ts";
import { createTokenBuckets } from "./token-buckets.ts";

/**
 * How many requests of one kind, such as forms, are taken of one shop, so that no shop has the process for itself: so many at once
 * (`burst`), so many a second after that, and so many that are not answered yet. Only what people send is counted; webhooks and sync are not.
 */
export interface FairShare {
  /**
   * Takes one, until its answer has left (`answered` aborts then). Null when it may go on, else after how many seconds another try may
   * succeed.
   */
  take(shop: string, answered: AbortSignal): number | null;
}

export interface Share {
  burst: number;
  aSecond: number;
  inFlight: number;
}

/** A person with many tabs, and an office full of them, never meets five a second; a script does within seconds. */
export function shareOf(aSecond: number): Share {
  return { burst: Math.ceil(12 * aSecond), aSecond, inFlight: Math.ceil(6 * aSecond) };
}

/** An answer of which nobody told the end is over by then, in milliseconds. */
const FORGOTTEN_MS = 60_000;
/** When each request of a shop that is not answered yet began. */
type Open = Set<{ sinceMs: number }>;

export function createFairShare(clock: Pick<Clock, "monotonicMs">, { burst, aSecond, inFlight }: Share): FairShare {
  const buckets = createTokenBuckets(clock, { most: burst, aSecond });
  const shops = new Map<string, Open>();
  return {
    take(shop, answered) {
      const nowMs = clock.monotonicMs();
      const open: Open = shops.get(shop) ?? new Set();
      for (const one of open) if (nowMs - one.sinceMs >= FORGOTTEN_MS) open.delete(one);
      if (open.size >= inFlight) return 1;
      const waitS = buckets.take(shop, 1);
      if (waitS !== null) return waitS;
      const one = { sinceMs: nowMs };
      open.add(one);
      shops.set(shop, open);
      const end = () => {
        open.delete(one);
        if (open.size === 0 && shops.get(shop) === open) shops.delete(shop);
      };
      answered.addEventListener("abort", end, { once: true });
      return null;
    },
  };
}
