/** What the schema `budget` knows beside slots: which shop tried wrong secrets, and who renews a connection's token. */

type Row = Record<string, unknown>;

export interface Secrets {
  calls: Record<string, (...values: never[]) => Row[]>;
  /** The server crashes. */
  forget(): void;
}

interface Tried {
  times: number;
  atMs: number;
}

export function createSecrets(input: {
  nowMs: () => number;
  /** When anybody may send again. */
  opensAtMs: (holdMs: number) => number;
}): Secrets {
  const { nowMs, opensAtMs } = input;
  const wrong = new Map<string, Tried>();
  const renewals = new Map<string, { claim: number; untilMs: number }>();
  let lastClaim = 0;
  const calls: Secrets["calls"] = {
    wrong_secret: (shop: string, forgottenMs: number) => {
      const { times, atMs } = wrong.get(shop) ?? { times: 0, atMs: -Infinity };
      wrong.set(shop, { times: atMs < nowMs() - forgottenMs ? 1 : times + 1, atMs: nowMs() });
      return [];
    },
    right_secret: (shop: string) => {
      wrong.delete(shop);
      return [];
    },
    secret_held_ms: (shop: string, freeTries: number, firstMs: number, longestMs: number) => {
      const { times, atMs } = wrong.get(shop) ?? { times: 0, atMs: 0 };
      const heldMs = Math.min(firstMs * 2 ** Math.min(times - freeTries, 20), longestMs);
      return [{ ms: times < freeTries ? 0 : Math.ceil(Math.max(0, atMs + heldMs - nowMs())) }];
    },
    claim_renewal: (id: string, leaseMs: number, holdMs: number) => {
      const last = renewals.get(id);
      if (opensAtMs(holdMs) > nowMs() || (last && last.untilMs > nowMs())) return [{ number: null }];
      const claim = last ? last.claim + 1 : (lastClaim += 1_000_000);
      renewals.set(id, { claim, untilMs: nowMs() + leaseMs });
      return [{ number: String(claim) }];
    },
    keep_renewal: (id: string, number: string, leaseMs: number) => {
      const kept = String(renewals.get(id)?.claim) === number;
      if (kept) renewals.get(id)!.untilMs = nowMs() + leaseMs;
      return [{ kept }];
    },
    end_renewal: (id: string, number: string) => {
      if (String(renewals.get(id)?.claim) === number) renewals.get(id)!.untilMs = -Infinity;
      return [];
    },
  };
  return {
    calls,
    forget() {
      wrong.clear();
      renewals.clear();
    },
  };
}
