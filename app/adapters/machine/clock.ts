import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import type { Clock } from "../../ports.ts";

/** Longer delays overflow the timer and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The machine's own time. */
export function createClock(): Clock {
  return {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    async sleep(ms, signal) {
      try {
        await wait(Math.min(ms, LONGEST_TIMER_MS), undefined, { signal });
      } catch (cause) {
        throw new AppError({ kind: "cancelled", message: "stopped waiting", cause, effect: "none" });
      }
    },
    after(ms, call) {
      const timer = setTimeout(call, Math.min(ms, LONGEST_TIMER_MS));
      timer.unref();
      return () => clearTimeout(timer);
    },
  };
}
