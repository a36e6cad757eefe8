import type { BudgetState, Clock, Priority } from "../../ports.ts";
import { AppError } from "../../domain/errors.ts";
import { createLedger } from "./budget-ledger.ts";
import { cancelled } from "./faults.ts";
import { createLocalSlots } from "./slots/local-slots.ts";
import { restUntil } from "./slots/rest-until.ts";
import { SLOT_MS, WINDOW_MS, type Ask, type Keys, type Permit, type Slots, type Taken } from "./slots/slots.ts";

/**
 * The right to send two requests a second, held as slots. A slot is free again only when no request sent on it can still arrive in the same
 * second as the next one. The clock, the line of waiting calls and the slots are handed in: a simulation brings its own, and so tests this
 * very file.
 */

/** A call does not wait out a longer pause. It ends as `rate_limited` without being sent, and its caller tries again later. */
const LONGEST_WAIT_MS = 60_000;

/** Whose slots a call needs: one of its shop, and one of its client id in its environment. */
export interface Place {
  shop: string;
  client: string;
  priority: Priority;
  signal?: AbortSignal | undefined;
  connection?: Ask["connection"];
}

/** Two places for each shop and two for each client. The most urgent call goes first, in order of arrival within a priority. */
export interface Line {
  /** Runs `hold` once it has a place of the shop and of the client. Both are free when its promise ends. `hold` never rejects. */
  enter(place: { shop: string; client: string; priority: Priority }, hold: () => Promise<void>): Promise<void>;
}

/** How an attempt reports on its request. If it never calls `sending`, the slot is free at once. */
export interface Slot {
  /** Whether a request's bytes may leave now. It is asked right before they do. */
  mayLeave(): boolean;
  /** The request's bytes may leave from now on. */
  sending(): void;
  /** An HTTP answer came, which proves that the request has arrived. */
  answered(): void;
  /**
   * Waits until the slot may carry another request of the same caller, which is as long as it would rest for anybody else. Resolves to
   * false where a pause began meanwhile, or another process may have the slot: nothing more is sent on it then. Rejects with `cancelled`
   * when the signal fired or the budget closed. Rejects with `internal` after a request without an answer, because nobody knows when that one arrives.
   */
  again(): Promise<boolean>;
}

export interface Budget {
  /**
   * Runs the attempt with both slots in hand and returns its end at once, while the slots rest. Rejects with `cancelled` when the signal
   * fires during the wait, and with `rate_limited` when a pause is too long to wait for.
   */
  use<T>(place: Place, attempt: (slot: Slot) => Promise<T>): Promise<T>;
  /**
   * After a 429: nothing of this shop or client is sent for `ms`, or, when the service named no time, for a time that grows with each 429.
   */
  pause(place: { shop: string; client: string }, said: { ms: number | null; sentAtMonotonicMs: number }): void;
  /** After an answer other than 429: the growing time starts from the shortest again. */
  flowing(place: { shop: string; client: string }): void;
  state(shop: string): BudgetState;
  /** Lets requests under way end, and refuses calls that wait or come. */
  close(): Promise<void>;
}

export interface BudgetOptions {
  clock: Clock;
  line: Line;
  /** How long a request may still arrive after its exchange broke off. */
  graceMs: number;
  /** Opens the slots without waiting. Only where no earlier process can have sent anything. */
  openAtOnce?: boolean | undefined;
  /** The slots of several processes; absent, this one's own. */
  slots?: Slots | undefined;
}

export function createBudget({ clock, line, graceMs, openAtOnce = false, ...shared }: BudgetOptions): Budget {
  // A process that was killed a moment ago may have requests under way, of which this one knows nothing.
  const bootOpensAtMs = openAtOnce ? -Infinity : clock.monotonicMs() + graceMs + WINDOW_MS;
  const slots = shared.slots ?? createLocalSlots({ clock, opensAtMs: bootOpensAtMs });
  const ledger = createLedger({ slotMs: SLOT_MS });
  /** Functions that take each waiting call out of the line. */
  const waiting = new Set<(error: AppError) => void>();
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const opensAtMs = (place: Keys) => slots.opensAtMs(place);

  /** At once where this process keeps the slots itself and they are open. The signal fires when the call has left the line. */
  function permitFor(place: Place, signal: AbortSignal): Permit | Promise<Permit> {
    const ask = { ...place, sinceMs: clock.monotonicMs() };
    const taken = opensAtMs(place) > ask.sinceMs ? null : slots.take(ask);
    return taken && "give" in taken ? taken : askOn(ask, taken, signal);
  }

  async function askOn(ask: Ask, first: Taken | Promise<Taken> | null, signal: AbortSignal): Promise<Permit> {
    for (let taken = await first; ; taken = await slots.take(ask)) {
      if (taken && "give" in taken) return taken;
      if (taken) await clock.sleep(Math.ceil(taken.waitMs), signal);
      await opened(ask, signal);
    }
  }

  async function opened(place: Keys, signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = opensAtMs(place) - clock.monotonicMs();
      if (leftMs <= 0) return;
      if (leftMs > LONGEST_WAIT_MS) throw pausedTooLong(leftMs);
      await clock.sleep(Math.ceil(leftMs), signal);
    }
  }

  function use<T>(place: Place, attempt: (slot: Slot) => Promise<T>): Promise<T> {
    const { signal } = place;
    if (closed || signal?.aborted) return Promise.reject(cancelled());
    return new Promise<T>((resolve, reject) => {
      const entry = ledger.waits(place);
      const left = new AbortController();
      const onAbort = () => leave(cancelled());
      const waitsNoMore = () => {
        waiting.delete(leave);
        signal?.removeEventListener("abort", onAbort);
      };
      const leave = (error: AppError) => {
        if (!entry.left()) return;
        waitsNoMore();
        left.abort();
        reject(error);
      };
      waiting.add(leave);
      signal?.addEventListener("abort", onAbort);

      const hold = async () => {
        // A call that has left the line frees its places at once.
        if (!entry.isWaiting()) return;
        const taken = permitFor(place, left.signal);
        const permit = taken instanceof Promise ? await taken.catch(leave) : taken;
        if (!permit) return;
        if (!entry.started()) return permit.give(clock.monotonicMs());
        waitsNoMore();
        const use = slotUse({ clock, graceMs, permit }, async (freeAtMs) => {
          await restUntil(clock, freeAtMs);
          if (closed || signal?.aborted) throw cancelled();
          return opensAtMs(place) <= clock.monotonicMs() && permit.renew();
        });
        const end = attempt(use.slot);
        underWay.add(end);
        // The caller gets its end now; the slot is free later.
        end.then(resolve, reject);
        await end.catch(() => undefined);
        underWay.delete(end);
        const { freeAtMs, unclear, roundTripMs } = use.ended();
        entry.rests({ freeAtMs, unclear, roundTripMs });
        await permit.give(freeAtMs);
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
    pause: (place, said) => slots.pause(place, said),
    flowing: (place) => slots.flowing(place),
    state(shop) {
      const nowMs = clock.monotonicMs();
      const counted = ledger.of(shop);
      const opens = counted.clients.map((client) => slots.opensAtMs({ shop, client }));
      const untilMs = Math.max(slots.opensAtMs({ shop }), counted.heldUntilMs, ...opens);
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
      await slots.close();
    },
  };
}

/**
 * When the slot of one attempt is free again (docs/design/README.md, rule 1). An answer proves that the request has arrived; without an
 * answer, only time does.
 */
function slotUse(
  { clock, graceMs, permit }: { clock: Clock; graceMs: number; permit: Permit },
  rest: (freeAtMs: number) => Promise<boolean>,
) {
  let sentAtMs: number | null = null;
  let answered = false;
  return {
    slot: {
      mayLeave: () => permit.isFresh(),
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
