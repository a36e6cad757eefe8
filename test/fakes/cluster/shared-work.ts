import { NEVER_MS } from "../../../app/domain/backoff.ts";
import type { WorkItem } from "../../../app/domain/records.ts";
import type { Clock, SharedWork, Store } from "../../../app/ports.ts";

/** The line of work that all processes of one database share, over the store in memory: what PostgreSQL's functions promise. */
export interface MemorySharedWork {
  /** For one process; `after` is its own timer, `store` its handle. */
  open(own: { store: Pick<Store, "transaction" | "workItems">; after: Clock["after"] }): SharedWork;
}

/** Runs of a shop at once, over all processes. */
const PER_SHOP = 4;
const RING_TAKES_MS = 3;
/** A time further ahead was written by a clock that was set back since. */
const AHEAD_AT_MOST_MS = 60_000;

export function createMemorySharedWork(input: {
  /** The database's time. */
  nowMs: () => number;
  /** Whether a notice does not come, as when its connection is cut. */
  isLost?: () => boolean;
}): MemorySharedWork {
  const { nowMs, isLost = () => false } = input;
  const begun = new Map<string, number>();
  /** When a shop had its turn last. */
  const servedMs = new Map<string, number>();
  const ears = new Set<{ hear: () => void }>();

  const take = (chore: string, everyMs: number): number | null => {
    const last = begun.get(chore);
    if (last !== undefined && last > nowMs() - everyMs && last <= nowMs() + AHEAD_AT_MOST_MS) return null;
    begun.set(chore, nowMs());
    return nowMs();
  };

  return {
    open({ store, after }) {
      let own: { hear: () => void } | null = null;

      const claim: SharedWork["claim"] = ({ owner, nowMs: atMs, leaseMs, room }) =>
        store.transaction(null, async ({ workItems }) => {
          const claimed = inTurn(await workItems.list({ state: "active" }), { atMs, servedMs }).slice(0, room);
          const leased = claimed.map((item): WorkItem => ({
            ...item,
            leaseOwner: owner,
            leaseUntilMs: atMs + leaseMs,
            dueAtMs: atMs + leaseMs,
            fence: item.fence + 1,
            updatedAtMs: atMs,
          }));
          for (const { id, leaseOwner, leaseUntilMs, dueAtMs, fence, updatedAtMs } of leased)
            await workItems.update({ id }, { leaseOwner, leaseUntilMs, dueAtMs, fence, updatedAtMs });
          for (const { shop } of leased) servedMs.set(shop, atMs);
          return leased;
        });

      return {
        claim,
        async nextDueAtMs() {
          const turns = [...byShop(await store.workItems.list({ state: "active" })).values()].map(nextTurnMs);
          const nextMs = Math.min(NEVER_MS, ...turns);
          return nextMs >= NEVER_MS ? null : nextMs;
        },
        mend: async () => 0,
        ring() {
          for (const ear of ears) if (ear !== own && !isLost()) ear.hear();
        },
        onRing(call) {
          if (own) ears.delete(own);
          own = { hear: () => void after(RING_TAKES_MS, call) };
          ears.add(own);
        },
        isOurs: async (chore, everyMs) => take(chore, everyMs) !== null,
        async begin(chore, everyMs) {
          let begunMs = take(chore, everyMs);
          if (begunMs === null) return null;
          return {
            async over() {
              if (begun.get(chore) === begunMs) begun.delete(chore);
            },
            async goesOn() {
              if (begun.get(chore) !== begunMs) return false;
              begunMs = nowMs();
              begun.set(chore, begunMs);
              return true;
            },
          };
        },
        async wasBegun(chore, withinMs) {
          const last = begun.get(chore);
          return last !== undefined && last > nowMs() - withinMs && last <= nowMs() + AHEAD_AT_MOST_MS;
        },
      };
    },
  };
}

function byShop(items: WorkItem[]): Map<string, WorkItem[]> {
  return Map.groupBy(items, ({ shop }) => shop);
}

/** A shop that has as many runs as it may waits for the first of them to end, or for its lease to. */
function nextTurnMs(items: WorkItem[]): number {
  const leases = items.flatMap(({ leaseUntilMs }) => leaseUntilMs ?? []);
  return leases.length >= PER_SHOP ? Math.min(...leases) : Math.min(...items.map(({ dueAtMs }) => dueAtMs));
}

/** What may be claimed, the first of each shop before the second of any; shops in the order in which they have waited. */
function inTurn(items: WorkItem[], { atMs, servedMs }: { atMs: number; servedMs: Map<string, number> }): WorkItem[] {
  const shops = [...byShop(items)].map(([shop, own]) => {
    const isLeased = ({ leaseUntilMs }: WorkItem) => leaseUntilMs !== null && leaseUntilMs > atMs;
    const due = own
      .filter((item) => item.dueAtMs <= atMs && !isLeased(item))
      .sort((a, b) => a.dueAtMs - b.dueAtMs || (a.id < b.id ? -1 : 1))
      .slice(0, Math.max(0, PER_SHOP - own.filter(isLeased).length));
    return { due, sinceMs: Math.max(due[0]?.dueAtMs ?? NEVER_MS, servedMs.get(shop) ?? 0) };
  });
  shops.sort((a, b) => a.sinceMs - b.sinceMs);
  const places = Array.from({ length: PER_SHOP }, (_, place) => shops.flatMap(({ due }) => due[place] ?? []));
  return places.flat();
}
