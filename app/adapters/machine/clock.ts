import { setTimeout as wait } from "node:timers/promises";
import { AppError } from "../../domain/errors.ts";
import { createLoopTurns } from "../../domain/loop-turns.ts";
import type { Clock, ProcessClock } from "../../ports.ts";

/** The longest delay that a Node timer takes; a longer one overflows and fires at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;

/** The clock of a machine without a time of day. */
export type Machine = Omit<Clock, "nowMs">;

/** The time of day of one process: it begins at the machine's wall clock and goes on by the monotonic clock. */
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

/** The clock of this process on this machine, which goes by its own. */
export function createClock(): ProcessClock {
  return createProcessClock(createMachine());
}

export function createMachine(): Machine {
  return {
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
    turn: createLoopTurns(setImmediate),
  };
}
