import type { Clock } from "../../../ports.ts";

/** Batches of what is given back and asked for, one under way at a time: whatever comes meanwhile goes with the next one. */

export interface Give {
  key: string;
  place: number;
  token: string;
  /** On the monotonic clock. */
  freeAtMs: number;
  /** An answer came that was no 429. */
  flows: boolean;
}

export interface Batch<A> {
  gives: Give[];
  asks: A[];
}

export interface Turns<A, R> {
  /** Rejects as the last batch did when the database has not answered for a while. Null: it did not answer now, but may soon. */
  ask(ask: A): Promise<R | null>;
  /** Goes with the next batch, and again with later ones until one is answered. */
  give(gives: Give[]): void;
  /** Whether everything given back has arrived, and every ask is answered. */
  isIdle(): boolean;
}

/** Fewer batches for more calls. A permit is asked for earlier than it is needed, so nobody waits for this. */
const APART_MS = 10;
const AGAIN_AFTER_FAILURE_MS = 250;
/** A restart of the server passes unnoticed; then calls end, for nobody should wait for a database that is gone. */
const PATIENCE_MS = 10_000;

export interface TurnsInput<A, R> {
  clock: Clock;
  /** Gives an answer for each ask, in their order. */
  run(batch: Batch<A>): Promise<R[]>;
  /** After this long nobody needs to be told that a slot is free. */
  forgetAfterMs: number;
  failed(error: unknown): void;
}

export function createTurns<A, R>({ clock, run, forgetAfterMs, failed }: TurnsInput<A, R>): Turns<A, R> {
  let gives: Give[] = [];
  let asks: { ask: A; end: PromiseWithResolvers<R | null> }[] = [];
  let underWay: Promise<void> | null = null;
  let beganMs = -Infinity;
  let failingSinceMs: number | null = null;
  let cancelTimer: (() => void) | null = null;

  function next(afterMs: number): void {
    if (underWay || cancelTimer) return;
    const call = () => {
      cancelTimer = null;
      if (gives.length + asks.length > 0)
        underWay = turn()
          .finally(() => void (underWay = null))
          .then(goOn);
    };
    cancelTimer = clock.after(Math.max(0, afterMs), call);
  }

  const goOn = () => {
    if (gives.length + asks.length > 0)
      next(failingSinceMs === null ? beganMs + APART_MS - clock.monotonicMs() : AGAIN_AFTER_FAILURE_MS);
  };

  async function turn(): Promise<void> {
    const batch = { gives, asks };
    gives = [];
    asks = [];
    beganMs = clock.monotonicMs();
    try {
      const answers = await run({ gives: batch.gives, asks: batch.asks.map(({ ask }) => ask) });
      failingSinceMs = null;
      batch.asks.forEach(({ end }, index) => end.resolve(answers[index] ?? null));
    } catch (error) {
      failed(error);
      const nowMs = clock.monotonicMs();
      failingSinceMs ??= beganMs;
      gives.push(...batch.gives.filter(({ freeAtMs }) => nowMs - freeAtMs < forgetAfterMs));
      const gone = nowMs - failingSinceMs >= PATIENCE_MS;
      for (const { end } of batch.asks) {
        if (gone) end.reject(error);
        else end.resolve(null);
      }
    }
  }

  return {
    ask(ask) {
      const end = Promise.withResolvers<R | null>();
      asks.push({ ask, end });
      next(beganMs + APART_MS - clock.monotonicMs());
      return end.promise;
    },
    give(more) {
      gives.push(...more);
      next(beganMs + APART_MS - clock.monotonicMs());
    },
    isIdle: () => gives.length + asks.length === 0 && !underWay,
  };
}
