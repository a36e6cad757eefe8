import type { Clock } from "../ports.ts";

/** A token bucket for each shop: so much at once (`most`), and so much a second after that. */
export interface TokenBuckets {
  /**
   * Takes `amount`. Null when it may be used, else after how many seconds another try may succeed. What is more than a full bucket empties
   * it.
   */
  take(shop: string, amount: number): number | null;
}

/** Shops that are remembered; one that is not has sent nothing lately. */
const MOST_SHOPS = 10_000;

export function createTokenBuckets(
  clock: Pick<Clock, "monotonicMs">,
  { most, aSecond }: { most: number; aSecond: number },
): TokenBuckets {
  /** Who sent last is last. */
  const shops = new Map<string, { left: number; atMs: number }>();
  return {
    take(shop, amount) {
      const nowMs = clock.monotonicMs();
      const bucket = shops.get(shop) ?? { left: most, atMs: nowMs };
      shops.delete(shop);
      shops.set(shop, bucket);
      if (shops.size > MOST_SHOPS) shops.delete(shops.keys().next().value!);
      bucket.left = Math.min(most, bucket.left + ((nowMs - bucket.atMs) / 1_000) * aSecond);
      bucket.atMs = nowMs;
      const taken = Math.min(amount, most);
      if (bucket.left < taken) return Math.ceil((taken - bucket.left) / aSecond);
      bucket.left -= taken;
      return null;
    },
  };
}
