import type { BudgetState, Clock, Priority } from "../../ports.ts";
import { AppError } from "../../domain/errors.ts";
import { createLedger } from "./budget-ledger.ts";
import { cancelled } from "./faults.ts";
import { createPauses } from "./pauses.ts";

/**
 * The right to send two requests a second, kept by slots: each is free again only when nothing sent on it can still arrive
 * in the same second as what comes next. Time is the clock's, the order of waiting is the line's: a simulation brings its own
 * of both, and this file is what it proves.
 */

/** Sliding second of the service's limit, and what we add to it because timers may fire a millisecond early. */
const WINDOW_MS = 1_000;
const SLOT_MS = 1_005;

/** A longer pause is not waited out in hand: the call ends as `rate_limited`, unsent, and its owner comes again. */
const LONGEST_WAIT_MS = 60_000;

/** Whose slots a call needs: one of its shop, then one of its client id in its environment. */
export interface Place {
  shop: string;
  client: string;
  priority: Priority;
  signal?: AbortSignal | undefined;
}

/** Two places a shop and two a client, the most urgent first, in order of arrival within a priority. */
export interface Line {
  /** Runs `hold` when a place of both is in hand; they are free when its promise ends. `hold` never rejects. */
  enter(place: { shop: string; client: string; priority: Priority }, hold: () => Promise<void>): Promise<void>;
}

/** What an attempt tells of its request; without `sending` the slot is free at once. */
export interface Slot {
  /** The bytes may leave from here on. */
  sending(): void;
  /** An HTTP answer came: proof that the request had arrived. */
  answered(): void;
  /**
   * Waits with the slot in hand until it may carry another request: as long as it would rest before anybody else had it. False where
   * a pause began meanwhile: nothing more is sent on it. Rejects with `cancelled` when the signal fired or the budget closed, and
   * with `internal` after a request without an answer, of which nobody knows when it arrives.
   */
  again(): Promise<boolean>;
}

export interface Budget {
  /**
   * Runs the attempt with both slots in hand and gives its end at once, while the slots rest. Rejects with `cancelled` when
   * the signal fires during the wait (the call leaves the line) and with `rate_limited` when a pause is too long to wait for.
   */
  use<T>(place: Place, attempt: (slot: Slot) => Promise<T>): Promise<T>;
  /** After a 429: nothing of this shop or client is sent for `ms`, or for a growing while when the service did not say. */
  pause(place: { shop: string; client: string }, said: { ms: number | null; sentAtMonotonicMs: number }): void;
  /** After an answer that was no 429: the growing starts anew. */
  flowing(place: { shop: string; client: string }): void;
  state(shop: string): BudgetState;
  /** Lets what is being sent end, refuses what waits and what comes. */
  close(): Promise<void>;
}

export interface BudgetOptions {
  clock: Clock;
  line: Line;
  /** How long after a broken exchange its request may still arrive. */
  graceMs: number;
  /** True only where no earlier process can have sent anything. */
  openAtOnce?: boolean | undefined;
}

export function createBudget({ clock, line, graceMs, openAtOnce = false }: BudgetOptions): Budget {
  // A process killed a moment ago may have requests under way that nobody here remembers.
  const bootOpensAtMs = openAtOnce ? -Infinity : clock.monotonicMs() + graceMs + WINDOW_MS;
  const ledger = createLedger({ slotMs: SLOT_MS });
  const pauses = createPauses(clock);
  /** How each call that waits leaves. */
  const waiting = new Set<(error: AppError) => void>();
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const opensAtMs = (place: { shop: string; client: string }) => Math.max(bootOpensAtMs, pauses.untilMs(place));

  /** The signal fires when the call has left. */
  async function opened(place: Place, signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = opensAtMs(place) - clock.monotonicMs();
      if (leftMs <= 0) return;
      if (leftMs > LONGEST_WAIT_MS) throw pausedTooLong(leftMs);
      await clock.sleep(Math.ceil(leftMs), signal);
    }
  }

  async function rested(freeAtMs: number): Promise<void> {
    for (let leftMs = freeAtMs - clock.monotonicMs(); leftMs > 0; leftMs = freeAtMs - clock.monotonicMs()) {
      await clock.sleep(Math.ceil(leftMs));
    }
  }

  function use<T>(place: Place, attempt: (slot: Slot) => Promise<T>): Promise<T> {
    const { signal } = place;
    if (closed || signal?.aborted) return Promise.reject(cancelled());
    return new Promise<T>((resolve, reject) => {
      const entry = ledger.waits(place);
      let wake: AbortController | null = null;
      const onAbort = () => leave(cancelled());
      const waitsNoMore = () => {
        waiting.delete(leave);
        signal?.removeEventListener("abort", onAbort);
      };
      const leave = (error: AppError) => {
        if (!entry.left()) return;
        waitsNoMore();
        wake?.abort();
        reject(error);
      };
      waiting.add(leave);
      signal?.addEventListener("abort", onAbort);

      const hold = async () => {
        // A call that has left passes on its places.
        if (!entry.isWaiting()) return;
        if (opensAtMs(place) > clock.monotonicMs()) {
          wake = new AbortController();
          await opened(place, wake.signal).catch(leave);
        }
        if (!entry.started()) return;
        waitsNoMore();
        const use = slotUse(clock, graceMs, async (freeAtMs) => {
          await rested(freeAtMs);
          if (closed || signal?.aborted) throw cancelled();
          return opensAtMs(place) <= clock.monotonicMs();
        });
        const end = attempt(use.slot);
        underWay.add(end);
        // The caller has its end now; the slot is free later.
        end.then(resolve, reject);
        await end.catch(() => undefined);
        underWay.delete(end);
        const { freeAtMs, unclear, roundTripMs } = use.ended();
        entry.rests({ freeAtMs, unclear, roundTripMs });
        await rested(freeAtMs);
        entry.over();
      };
      line
        .enter(place, hold)
        .catch((cause: unknown) =>
          leave(new AppError({ kind: "internal", message: "the line of the budget failed", cause, effect: "none" })),
        );
    });
  }

  return {
    use,
    pause: (place, said) => pauses.add(place, said),
    flowing: (place) => pauses.flowing(place),
    state(shop) {
      const nowMs = clock.monotonicMs();
      const counted = ledger.of(shop);
      const opens = counted.clients.map((client) => opensAtMs({ shop, client }));
      const untilMs = Math.max(bootOpensAtMs, pauses.untilMs({ shop }), counted.heldUntilMs, ...opens);
      const heldMs = Math.max(0, untilMs - nowMs);
      return {
        waiting: counted.waiting,
        running: counted.running,
        pausedUntilMs: heldMs > 0 ? Math.ceil(clock.nowMs() + heldMs) : null,
        estimateMs: (calls) => Math.round(heldMs + (counted.unanswered + calls) * counted.perCallMs),
      };
    },
    async close() {
      closed = true;
      for (const leave of waiting) leave(cancelled());
      await Promise.allSettled(underWay);
    },
  };
}

/** When the slot of one attempt is free again (docs/design/README.md, rule 1): the proof is the answer; without one, time must do. */
function slotUse(clock: Clock, graceMs: number, rest: (freeAtMs: number) => Promise<boolean>) {
  let sentAtMs: number | null = null;
  let answered = false;
  return {
    slot: {
      sending: () => void (sentAtMs ??= clock.monotonicMs()),
      answered: () => void (answered = true),
      async again() {
        if (sentAtMs !== null && !answered) throw withoutAnswer();
        const goesOn = await rest(sentAtMs === null ? -Infinity : clock.monotonicMs() + SLOT_MS);
        sentAtMs = null;
        answered = false;
        return goesOn;
      },
    } satisfies Slot,
    ended() {
      const nowMs = clock.monotonicMs();
      if (sentAtMs === null) return { freeAtMs: nowMs, unclear: false, roundTripMs: null };
      if (answered) return { freeAtMs: nowMs + SLOT_MS, unclear: false, roundTripMs: nowMs - sentAtMs };
      return { freeAtMs: nowMs + WINDOW_MS + graceMs, unclear: true, roundTripMs: null };
    },
  };
}

function withoutAnswer(): AppError {
  const message = "a slot whose request was not answered carries no other";
  return new AppError({ kind: "internal", message, effect: "none" });
}

function pausedTooLong(leftMs: number): AppError {
  const seconds = Math.ceil(leftMs / 1_000);
  return new AppError({
    kind: "rate_limited",
    message: `the service asked for a pause that lasts ${seconds} s more`,
    effect: "none",
    status: 429,
  });
}
