import type { Clock } from "../../ports.ts";

/** Holds back a shop that tries one wrong secret after another, because the service may block all shops for it. */

export const FREE_TRIES = 3;
export const FIRST_HOLD_MS = 15_000;
export const LONGEST_HOLD_MS = 15 * 60_000;
/** After this long without a try the count begins again. */
export const FORGOTTEN_MS = 60 * 60_000;

export interface WrongSecrets {
  /** Until when, in wall time, no try is sent for this shop; null when tries are free. */
  heldUntilMs(shop: string): Promise<number | null>;
  wrong(shop: string): Promise<void>;
  right(shop: string): Promise<void>;
}

export function createWrongSecrets(clock: Clock): WrongSecrets {
  const tries = new Map<string, { count: number; lastMs: number }>();

  function holdMs(count: number): number {
    return count < FREE_TRIES ? 0 : Math.min(FIRST_HOLD_MS * 2 ** (count - FREE_TRIES), LONGEST_HOLD_MS);
  }

  return {
    async heldUntilMs(shop) {
      const tried = tries.get(shop);
      if (!tried) return null;
      const leftMs = tried.lastMs + holdMs(tried.count) - clock.monotonicMs();
      return leftMs > 0 ? Math.ceil(clock.nowMs() + leftMs) : null;
    },
    async wrong(shop) {
      const nowMs = clock.monotonicMs();
      for (const [key, { lastMs }] of tries) if (lastMs + FORGOTTEN_MS < nowMs) tries.delete(key);
      tries.set(shop, { count: (tries.get(shop)?.count ?? 0) + 1, lastMs: nowMs });
    },
    right: async (shop) => void tries.delete(shop),
  };
}
