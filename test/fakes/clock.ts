import { AppError } from "../../app/domain/errors.ts";
import type { Clock } from "../../app/ports.ts";

/** A clock whose time passes only when nothing is left to do at the moment. Hours pass in milliseconds, and always in the same order. */
export interface VirtualClock extends Clock {
  /** Runs everything that is due until then, in order. */
  runUntil(untilMs: number): Promise<void>;
  runFor(ms: number): Promise<void>;
  /** Lets time pass, one event after another, until the work has ended. Throws when it has not ended within `limitMs`. */
  runWhile<T>(work: Promise<T>, limitMs?: number): Promise<T>;
}

const PART_OF_MS = 0.25;

interface Timer {
  atMs: number;
  order: number;
  call: () => void;
}

export function createVirtualClock(startMs = 1_800_000_000_000): VirtualClock {
  const timers = createHeap();
  let nowMs = startMs;
  let order = 0;

  const after: Clock["after"] = (ms, call) => {
    const timer: Timer = { atMs: nowMs + Math.max(0, ms), order: (order += 1), call };
    timers.push(timer);
    return () => {
      timer.call = nothing;
    };
  };

  const step = async (untilMs: number): Promise<boolean> => {
    await flushPromises();
    const next = timers.next();
    if (!next || next.atMs > untilMs) return false;
    timers.pop();
    nowMs = Math.max(nowMs, next.atMs);
    next.call();
    return true;
  };

  const clock: VirtualClock = {
    nowMs: () => nowMs,
    // A real monotonic clock has fractions of milliseconds; stored times must be whole.
    monotonicMs: () => nowMs - startMs + PART_OF_MS,
    machineMs: () => nowMs,
    sleep: (ms, signal) => sleepOn(after, ms, signal),
    after,
    turn: () => Promise.resolve(),
    async runUntil(untilMs) {
      while (await step(untilMs));
      nowMs = Math.max(nowMs, untilMs);
    },
    runFor: (ms) => clock.runUntil(nowMs + ms),
    async runWhile(work, limitMs = 3_600_000) {
      const untilMs = nowMs + limitMs;
      let open = true;
      const ended = work.finally(() => {
        open = false;
      });
      ended.catch(nothing);
      while (open && (await step(untilMs)));
      await flushPromises();
      if (open) throw new Error(`nothing ended the work within ${limitMs} ms of virtual time`);
      return ended;
    },
  };
  return clock;
}

const nothing = (): void => undefined;

/** Lets every promise continue that can. */
function flushPromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** `sleep` of any clock that has an `after`. */
export function sleepOn(after: Clock["after"], ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stopped = () => new AppError({ kind: "cancelled", message: "stopped waiting", effect: "none" });
    if (signal?.aborted) return reject(stopped());
    const cancel = after(ms, () => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    });
    const onAbort = () => {
      cancel();
      reject(stopped());
    };
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** A binary heap: the earliest timer first; of equal ones, the one that was set first. */
function createHeap() {
  const heap: Timer[] = [];
  const before = (a: Timer, b: Timer) => a.atMs < b.atMs || (a.atMs === b.atMs && a.order < b.order);
  return {
    /** The first timer that was not cancelled. Cancelled ones before it are dropped. */
    next(): Timer | undefined {
      while (heap[0]?.call === nothing) this.pop();
      return heap[0];
    },
    push(timer: Timer): void {
      let at = heap.push(timer) - 1;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (!before(timer, heap[parent]!)) break;
        heap[at] = heap[parent]!;
        at = parent;
      }
      heap[at] = timer;
    },
    pop(): void {
      const last = heap.pop();
      if (!last || heap.length === 0) return;
      let at = 0;
      for (;;) {
        let child = 2 * at + 1;
        if (child >= heap.length) break;
        if (child + 1 < heap.length && before(heap[child + 1]!, heap[child]!)) child += 1;
        if (!before(heap[child]!, last)) break;
        heap[at] = heap[child]!;
        at = child;
      }
      heap[at] = last;
    },
  };
}
