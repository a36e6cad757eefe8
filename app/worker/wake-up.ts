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
