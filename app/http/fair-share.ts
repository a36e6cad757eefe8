import type { Clock } from "../ports.ts";

/**
 * How many forms of one shop are taken, so that no shop has the process for itself: so many at once (`burst`), so many a second after that,
 * and so many that are not answered yet. Only what people send is counted; webhooks, sync and reading are not.
 */
export interface FairShare {
  /**
   * Takes a form, until its answer has left (`answered` aborts then). Null when it may go on, else after how many seconds another try may
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
/** Shops that are remembered; one that is not has sent nothing lately. */
const MOST_SHOPS = 10_000;

interface Used {
  /** Forms that may still be sent at once, at that time. */
  left: number;
  atMs: number;
  /** When each that is not answered yet began. */
  open: Set<{ sinceMs: number }>;
}

export function createFairShare(clock: Pick<Clock, "monotonicMs">, share: Share): FairShare {
  /** Who sent last is last. */
  const shops = new Map<string, Used>();
  return {
    take(shop, answered) {
      const nowMs = clock.monotonicMs();
      const used = shops.get(shop) ?? { left: share.burst, atMs: nowMs, open: new Set() };
      shops.delete(shop);
      shops.set(shop, used);
      if (shops.size > MOST_SHOPS) shops.delete(shops.keys().next().value!);
      used.left = Math.min(share.burst, used.left + ((nowMs - used.atMs) / 1_000) * share.aSecond);
      used.atMs = nowMs;
      for (const one of used.open) if (nowMs - one.sinceMs >= FORGOTTEN_MS) used.open.delete(one);
      if (used.open.size >= share.inFlight) return 1;
      if (used.left < 1) return Math.ceil((1 - used.left) / share.aSecond);
      used.left -= 1;
      const one = { sinceMs: nowMs };
      used.open.add(one);
      answered.addEventListener("abort", () => used.open.delete(one), { once: true });
      return null;
    },
  };
}
