import type { Clock } from "../ports.ts";

/** Wakes one waiter; a ring that nobody waited for is not lost. */
export interface WakeUp {
  ring(): void;
  /** Until somebody calls `ring`, or `ms` have passed. */
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
