import { PRIORITIES, type Priority } from "../../ports.ts";

/** Which calls wait, run and rest, by shop, for showing the state of a budget. A shop without any call has no entry. */

interface ShopEntry {
  waiting: Record<Priority, number>;
  running: number;
  /** Calls that are not over, by client. */
  clients: Map<string, number>;
  /** When the slots of calls with an unclear end are free again, on the monotonic clock. */
  unclear: number[];
}

/** How one call reports its way through the budget. */
export interface LedgerEntry {
  isWaiting(): boolean;
  /** The call has left the line. False when it was not waiting any more. */
  left(): boolean;
  started(): boolean;
  rests(end: { freeAtMs: number; unclear: boolean; roundTripMs: number | null }): void;
  over(): void;
}

export interface Counted {
  waiting: Record<Priority, number>;
  running: number;
  /** How many calls wait or run. */
  unanswered: number;
  /** By how many milliseconds each further call prolongs the work of two slots. */
  perCallMs: number;
  clients: string[];
  /** Until when calls with an unclear end hold both slots, on the monotonic clock. */
  heldUntilMs: number;
}

export interface Ledger {
  waits(place: { shop: string; client: string; priority: Priority }): LedgerEntry;
  of(shop: string): Counted;
}

const SLOTS = 2;
/** Weight of the newest round trip in the moving average. */
const NEWEST = 0.1;
const FIRST_GUESS_MS = 200;

export function createLedger({ slotMs }: { slotMs: number }): Ledger {
  const shops = new Map<string, ShopEntry>();
  let meanRoundTripMs = FIRST_GUESS_MS;

  function entryOf(shop: string): ShopEntry {
    const entry = shops.get(shop) ?? nothing();
    shops.set(shop, entry);
    return entry;
  }

  return {
    waits({ shop, client, priority }) {
      const entry = entryOf(shop);
      entry.waiting[priority] += 1;
      entry.clients.set(client, (entry.clients.get(client) ?? 0) + 1);
      let state: "waiting" | "running" | "resting" | "gone" = "waiting";
      let held: number | null = null;
      const gone = () => {
        state = "gone";
        const left = (entry.clients.get(client) ?? 1) - 1;
        if (left > 0) entry.clients.set(client, left);
        else entry.clients.delete(client);
        if (entry.clients.size === 0) shops.delete(shop);
      };
      const stopWaiting = () => {
        if (state !== "waiting") return false;
        entry.waiting[priority] -= 1;
        return true;
      };
      return {
        isWaiting: () => state === "waiting",
        left() {
          const waited = stopWaiting();
          if (waited) gone();
          return waited;
        },
        started() {
          const waited = stopWaiting();
          if (waited) {
            state = "running";
            entry.running += 1;
          }
          return waited;
        },
        rests({ freeAtMs, unclear, roundTripMs }) {
          state = "resting";
          entry.running -= 1;
          if (roundTripMs !== null) meanRoundTripMs += NEWEST * (roundTripMs - meanRoundTripMs);
          if (unclear) entry.unclear.push((held = freeAtMs));
        },
        over() {
          if (held !== null) entry.unclear.splice(entry.unclear.indexOf(held), 1);
          gone();
        },
      };
    },
    of(shop) {
      const { waiting, running, clients, unclear } = shops.get(shop) ?? nothing();
      return {
        waiting: { ...waiting },
        running,
        unanswered: PRIORITIES.reduce((sum, priority) => sum + waiting[priority], running),
        perCallMs: (slotMs + meanRoundTripMs) / SLOTS,
        clients: [...clients.keys()],
        heldUntilMs: unclear.length < SLOTS ? -Infinity : Math.min(...unclear),
      };
    },
  };
}

function nothing(): ShopEntry {
  return {
    waiting: { interactive: 0, sync: 0, verification: 0, reconcile: 0 },
    running: 0,
    clients: new Map(),
    unclear: [],
  };
}
