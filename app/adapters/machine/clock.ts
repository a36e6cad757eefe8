import { setImmediate as nextTurn, setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import type { Clock, ProcessClock } from "../../ports.ts";

/** Longer delays overflow the timer and fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** What a machine counts by itself. */
export type Machine = Omit<Clock, "nowMs">;

/** The time of day of one process on a machine: it begins as the wall clock's and goes on with the monotonic one. */
export function createProcessClock(machine: Machine): ProcessClock {
  const { machineMs, monotonicMs, sleep, after, turn } = machine;
  let offsetMs = machineMs() - monotonicMs();
  return {
    nowMs: () => Math.floor(monotonicMs() + offsetMs),
    monotonicMs,
    machineMs,
    sleep,
    after,
    turn,
    adjust(byMs) {
      offsetMs += byMs;
    },
  };
}

/** The clock of this process on this machine. */
export function createClock(): ProcessClock {
  let lastTurn = Promise.resolve();
  return createProcessClock({
    machineMs: () => Date.now(),
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
    turn() {
      // One at a time: Node lets all that waits for its next turn run together, and their work would be one long stretch.
      lastTurn = lastTurn.then(() => nextTurn());
      return lastTurn;
    },
  });
}
