import { afterEach, beforeEach, vi } from "vitest";
import type { Clock } from "../../../app/ports.ts";
import { sleepOn } from "../../fakes/clock.ts";

/**
 * Time that stands still until the test moves it, for code that sets the machine's own timers too, as Bottleneck does. So a battery is
 * exact to the millisecond, and a busy machine cannot break it.
 */
export interface FrozenTime {
  clock: Clock;
  /** Lets the time pass, timer by timer, with everything that follows from each. */
  pass(ms: number): Promise<void>;
}

/** Freezes the time of each test of the block it is called in. */
export function frozenTime(): FrozenTime {
  beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date", "performance"] }));
  afterEach(() => void vi.useRealTimers());
  const after: Clock["after"] = (ms, call) => {
    const timer = setTimeout(call, ms);
    return () => clearTimeout(timer);
  };
  return {
    clock: {
      nowMs: () => Date.now(),
      machineMs: () => Date.now(),
      monotonicMs: () => performance.now(),
      turn: async () => undefined,
      sleep: (ms, signal) => sleepOn(after, ms, signal),
      after,
    },
    pass: async (ms) => void (await vi.advanceTimersByTimeAsync(ms)),
  };
}
