import type { BudgetState, Clock, Priority, Random } from "../../ports.ts";
import { AppError } from "../../domain/errors.ts";
import { createCalls, type Calls, type Turn, type WaitingCall } from "./budget-calls.ts";
import { createLedger } from "./budget-ledger.ts";
import { cancelled } from "./faults.ts";
import { createLocalSlots } from "./slots/local-slots.ts";
import { restUntil } from "./slots/rest-until.ts";
import { slotUse, type Slot } from "./slots/slot-use.ts";
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
  random: Random;
  line: Line;
  /** How long a request may still arrive after its exchange broke off. */
  graceMs: number;
  /** Opens the slots without waiting. Only where no earlier process can have sent anything. */
  openAtOnce?: boolean | undefined;
  /** After a restore: nothing is sent for so long. Where several processes share slots, these keep it themselves. */
  closedForMs?: number | undefined;
  /** The slots of several processes; absent, this one's own. */
  slots?: Slots | undefined;
}

export function createBudget(options: BudgetOptions): Budget {
  const { clock, random, line, graceMs, openAtOnce = false, closedForMs = 0, ...shared } = options;
  // A process that was killed a moment ago may have requests under way, of which this one knows nothing.
  const bootOpensAtMs = openAtOnce ? -Infinity : clock.monotonicMs() + Math.max(graceMs + WINDOW_MS, closedForMs);
  const slots = shared.slots ?? createLocalSlots({ clock, random, opensAtMs: bootOpensAtMs });
  const ledger = createLedger({ slotMs: SLOT_MS });
  /** Calls that may use each other's turns. */
  const calls = new Map<string, Calls<Permit>>();
  /** How each waiting call is taken out of the line. */
  const waiting = new Map<WaitingCall<Permit>, (error: AppError) => void>();
  const underWay = new Set<Promise<unknown>>();
  let closed = false;

  const opensAtMs = (place: Keys) => slots.opensAtMs(place);

  /** At once where this process keeps the slots itself and they are open. */
  function permitFor(place: Place, alike: Calls<Permit>, turn: Turn<Permit>): Permit | Promise<Permit> {
    const { shop, client, connection } = place;
    const sinceMs = clock.monotonicMs();
    const ask: Ask = {
      shop,
      client,
      connection,
      sinceMs,
      get priority() {
        return alike.priority(turn);
      },
    };
    const taken = opensAtMs(place) > sinceMs ? null : slots.take(ask);
    return taken && "give" in taken ? taken : askOn(ask, taken, turn.left());
  }

  /** The signal fires when nobody is left for whom to ask. */
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
      const name = nameOf(place);
      const alike = calls.get(name) ?? createCalls<Permit>();
      calls.set(name, alike);
      const onAbort = () => leave(cancelled());
      const waitsNoMore = () => {
        waiting.delete(call);
        signal?.removeEventListener("abort", onAbort);
        if (alike.isEmpty()) calls.delete(name);
      };
      const leave = (error: AppError) => {
        if (!entry.left()) return;
        alike.leaves(call);
        waitsNoMore();
        reject(error);
      };

      const start = async (permit: Permit) => {
        entry.started();
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

      const call = { priority: place.priority, start };
      const turn = alike.waits(call);
      waiting.set(call, leave);
      signal?.addEventListener("abort", onAbort);

      /** Ends whichever call the turn is for by now. */
      const fail = (error: AppError) => void (turn.call && waiting.get(turn.call)?.(error));
      const hold = async () => {
        // A turn for which nobody is left frees its places at once.
        if (!turn.call) return;
        const taken = permitFor(place, alike, turn);
        const permit = taken instanceof Promise ? await taken.catch(fail) : taken;
        if (!permit) return;
        const next = alike.next(turn);
        await (next ? next.start(permit) : permit.give(clock.monotonicMs()));
      };
      line
        .enter(place, hold)
        .catch((cause: unknown) =>
          fail(new AppError({ kind: "internal", message: "the line of the budget failed", cause, effect: "none" })),
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
      for (const leave of waiting.values()) leave(cancelled());
      await Promise.allSettled(underWay);
      await slots.close();
    },
  };
}

/** What calls have in common that may use each other's turns and permits. */
function nameOf({ shop, client, connection }: Place): string {
  return JSON.stringify([shop, client, connection?.id, connection?.version]);
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
