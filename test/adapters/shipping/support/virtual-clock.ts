import { AppError } from "../../../../app/domain/errors.ts";
import type { Clock } from "../../../../app/ports.ts";

/** A clock that stands still until it is told: whole minutes of waiting pass in a moment, always in the same order. */

interface Timer {
  atMs: number;
  order: number;
  call: () => void;
}

export interface VirtualClock extends Clock {
  /** Moves on without letting anything wake. */
  leap(ms: number): void;
  /** Wakes what is due, in order of time, until nothing sleeps any more or the time is over. */
  run(untilMs?: number): Promise<void>;
}

export function virtualClock(): VirtualClock {
  let nowMs = 0;
  let order = 0;
  const timers = new Set<Timer>();

  function after(ms: number, call: () => void): () => void {
    const timer = { atMs: nowMs + ms, order: ++order, call };
    timers.add(timer);
    return () => void timers.delete(timer);
  }

  return {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    machineMs: () => nowMs,
    after,
    turn: async () => undefined,
    sleep: (ms, signal) =>
      new Promise((resolve, reject) => {
        const stop = () => {
          cancel();
          reject(new AppError({ kind: "cancelled", message: "stopped waiting", effect: "none" }));
        };
        const cancel = after(ms, () => {
          signal?.removeEventListener("abort", stop);
          resolve();
        });
        if (signal?.aborted) stop();
        else signal?.addEventListener("abort", stop, { once: true });
      }),
    leap: (ms) => void (nowMs += ms),
    async run(untilMs = Infinity) {
      for (;;) {
        await flushPromises();
        const next = [...timers].sort((a, b) => a.atMs - b.atMs || a.order - b.order)[0];
        if (!next || next.atMs > untilMs) return;
        timers.delete(next);
        nowMs = Math.max(nowMs, next.atMs);
        next.call();
      }
    },
  };
}

/** Everything that only waits for promises has gone as far as it can. */
function flushPromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
