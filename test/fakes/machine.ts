import type { Machine } from "../../app/adapters/machine/clock.ts";
import { sleepOn } from "./clock.ts";
import type { VirtualClock } from "./clock.ts";

/**
 * One machine in a virtual world. The world's `nowMs` is the true time; the machine's wall clock may be wrong, and the machine may sleep.
 */
export interface VirtualMachine extends Machine {
  /** Sets the wall clock ahead or back. */
  jump(byMs: number): void;
  /** Sleeps for so long: no timer fires, the monotonic clock stands still, the wall clock goes on. */
  suspend(forMs: number): void;
  /** Delays a value from outside until the machine is awake. */
  whileAwake<T>(value: Promise<T>): Promise<T>;
}

export function createMachine(world: VirtualClock): VirtualMachine {
  let aheadMs = 0;
  let sleptMs = 0;
  let asleepSinceMs = 0;
  let wakesAtMs = 0;

  const monotonicMs = () => {
    const lastedMs = Math.min(world.monotonicMs(), wakesAtMs) - asleepSinceMs;
    return world.monotonicMs() - sleptMs - lastedMs;
  };

  const after: Machine["after"] = (ms, call) => {
    const dueMs = monotonicMs() + Math.max(0, ms);
    let cancel = () => {};
    const look = () => {
      const leftMs = dueMs - monotonicMs();
      if (leftMs <= 0 && world.monotonicMs() >= wakesAtMs) return call();
      cancel = world.after(Math.max(leftMs, wakesAtMs - world.monotonicMs()), look);
    };
    cancel = world.after(ms, look);
    return () => cancel();
  };

  const awake = async () => {
    while (world.monotonicMs() < wakesAtMs) await world.sleep(wakesAtMs - world.monotonicMs());
  };

  return {
    machineMs: () => world.nowMs() + aheadMs,
    monotonicMs,
    after,
    turn: world.turn,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    jump(byMs) {
      aheadMs += byMs;
    },
    suspend(forMs) {
      const nowMs = world.monotonicMs();
      if (nowMs >= wakesAtMs) {
        sleptMs += wakesAtMs - asleepSinceMs;
        asleepSinceMs = nowMs;
      }
      wakesAtMs = Math.max(wakesAtMs, nowMs + forMs);
    },
    async whileAwake(value) {
      try {
        return await value;
      } finally {
        await awake();
      }
    },
  };
}
