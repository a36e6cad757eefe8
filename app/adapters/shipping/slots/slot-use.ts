import { AppError } from "../../../domain/errors.ts";
import type { Clock } from "../../../ports.ts";
import { SLOT_MS, WINDOW_MS, type Permit } from "./slots.ts";

/** How an attempt reports on its request. If it never calls `sending`, the slot is free at once. */
export interface Slot {
  /** Whether a request's bytes may leave now. It is asked right before they do. */
  mayLeave(): boolean;
  /** The same; a right that is too old is renewed, if nobody has had it since. */
  keep(): Promise<boolean>;
  /** The request's bytes may leave from now on. */
  sending(): void;
  /** An HTTP answer came, which proves that the request has arrived. */
  answered(): void;
  /**
   * Waits until the slot may carry another request of the same caller, which is as long as it would rest for anybody else. Resolves to
   * false where a pause began meanwhile, or another process may have the slot: nothing more is sent on it then. Rejects with `cancelled`
   * when the signal fired or the budget closed. Rejects with `internal` after a request without an answer, because nobody knows when that one arrives.
   */
  again(): Promise<boolean>;
}

/**
 * When the slot of one attempt is free again (docs/design/README.md, rule 1). An answer proves that the request has arrived; without an
 * answer, only time does.
 */
export function slotUse(
  { clock, graceMs, permit }: { clock: Clock; graceMs: number; permit: Permit },
  rest: (freeAtMs: number) => Promise<boolean>,
) {
  let sentAtMs: number | null = null;
  let answered = false;
  return {
    slot: {
      mayLeave: () => permit.isFresh(),
      keep: async () => permit.isFresh() || rest(-Infinity),
      sending: () => void (sentAtMs ??= clock.monotonicMs()),
      answered: () => void (answered = true),
      async again() {
        if (sentAtMs !== null && !answered) throw withoutAnswer();
        const goesOn = await rest(sentAtMs === null ? -Infinity : clock.monotonicMs() + SLOT_MS);
        sentAtMs = null;
        answered = false;
        return goesOn;
      },
    } satisfies Slot,
    ended() {
      const nowMs = clock.monotonicMs();
      if (sentAtMs === null) return { freeAtMs: nowMs, unclear: false, roundTripMs: null };
      if (answered) return { freeAtMs: nowMs + SLOT_MS, unclear: false, roundTripMs: nowMs - sentAtMs };
      return { freeAtMs: nowMs + WINDOW_MS + graceMs, unclear: true, roundTripMs: null };
    },
  };
}

function withoutAnswer(): AppError {
  const message = "a slot whose request was not answered carries no other";
  return new AppError({ kind: "internal", message, effect: "none" });
}
