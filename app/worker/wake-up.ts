import type { Clock } from "../ports.ts";

/** Wakes one waiter. A ring that comes while nobody waits is kept for the next waiter. */
export interface WakeUp {
  ring(): void;
  /** Resolves when somebody calls `ring`, or after `ms`. */
  wait(ms: number): Promise<void>;
}

export function createWakeUp(clock: Pick<Clock, "after">): WakeUp {
  let rung = false;
  let answer: (() => void) | null = null;
  return {
    ring() {
      rung = true;
      answer?.();
    },
    wait(ms) {
      return new Promise((resolve) => {
        const cancel = clock.after(Math.max(0, ms), () => answer?.());
        answer = () => {
          answer = null;
          rung = false;
          cancel();
          resolve();
        };
        if (rung) answer();
      });
    },
  };
}

/** Rings when something is due. */
export interface Alarm {
  /** Something is due after so many milliseconds; now when absent. */
  set(inMs?: number): void;
  cancel(): void;
}

/**
 * Rings for the first of all that was said to be due. Whoever hears it looks for what is due next by itself, so that a thousand changes
 * that are due in half a second cost one look and not a thousand that find nothing.
 */
export function createAlarm(clock: Pick<Clock, "after" | "monotonicMs">, ring: () => void): Alarm {
  let first: { atMs: number; cancel: () => void } | null = null;
  return {
    set(inMs = 0) {
      if (inMs <= 0) return ring();
      const atMs = clock.monotonicMs() + inMs;
      if (first && first.atMs <= atMs) return;
      first?.cancel();
      const cancel = clock.after(inMs, () => {
        first = null;
        ring();
      });
      first = { atMs, cancel };
    },
    cancel() {
      first?.cancel();
      first = null;
    },
  };
}
