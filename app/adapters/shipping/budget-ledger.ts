import { PRIORITIES, type Priority } from "../../ports.ts";

/** Who waits, runs and rests, by shop: what is shown of a budget. A shop with nothing in hand has no entry. */

interface ShopEntry {
  waiting: Record<Priority, number>;
  running: number;
  /** Calls not over yet, by client. */
  clients: Map<string, number>;
  /** When the slots held by an unclear end are free, monotonic. */
  unclear: number[];
}

/** One call's way through the budget. */
export interface LedgerEntry {
  isWaiting(): boolean;
  /** False when it no longer waits. */
  left(): boolean;
  started(): boolean;
  rests(end: { freeAtMs: number; unclear: boolean; roundTripMs: number | null }): void;
  over(): void;
}

export interface Ledger {
  waits(place: { shop: string; client: string; priority: Priority }): LedgerEntry;
  of(shop: string): { waiting: Record<Priority, number>; running: number; clients: string[]; heldUntilMs: number };
  /** Milliseconds that what waits, and `calls` more, keep two slots busy. */
  workMs(shop: string, calls: number): number;
}

const SLOTS = 2;
/** Weight of the newest round trip in the running mean. */
const NEWEST = 0.1;
const FIRST_GUESS_MS = 200;

export function createLedger({ slotMs }: { slotMs: number }): Ledger {
  const shops = new Map<string, ShopEntry>();
  let meanRoundTripMs = FIRST_GUESS_MS;

  function entryOf(shop: string): ShopEntry {
    const entry = shops.get(shop) ?? { waiting: none(), running: 0, clients: new Map(), unclear: [] };
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
      const entry = shops.get(shop);
      if (!entry) return { waiting: none(), running: 0, clients: [], heldUntilMs: -Infinity };
      return {
        waiting: { ...entry.waiting },
        running: entry.running,
        clients: [...entry.clients.keys()],
        heldUntilMs: entry.unclear.length < SLOTS ? -Infinity : Math.min(...entry.unclear),
      };
    },
    workMs(shop, calls) {
      const entry = shops.get(shop);
      const waiting = entry ? PRIORITIES.reduce((sum, priority) => sum + entry.waiting[priority], 0) : 0;
      return ((waiting + (entry?.running ?? 0) + calls) * (slotMs + meanRoundTripMs)) / SLOTS;
    },
  };
}

function none(): Record<Priority, number> {
  return { interactive: 0, sync: 0, verification: 0, reconcile: 0 };
}
