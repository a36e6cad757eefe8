import { claimWorkItem } from "../runs/claim.ts";
import type { WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";

/** What the worker's loop knows of its runs, for whoever claims more. */
export interface Line {
  owner: string;
  running: ReadonlyMap<string, unknown>;
  /** Runs under way, by shop. */
  busy: ReadonlyMap<string, number>;
  /** How many runs at once, over all shops. */
  concurrency: number;
  start: (item: WorkItem) => void;
  stopping: () => boolean;
  /** The worker is not stuck. */
  progress: () => void;
}

export interface Serving {
  /** Starts what is due, as far as there is room. */
  serveAll(): Promise<void>;
  /** How long until something more is due, in milliseconds. */
  restMs(): Promise<number>;
}

/** Runs of one shop at once. More of them would only wait for the shop's two slots. */
const PER_SHOP = 4;
/** The longest time between two looks for due work, in case a wake-up was missed. */
export const LONGEST_REST_MS = 30_000;

/** Shops one after another, where one process works on the database. */
export function serveInTurn(services: Services, line: Line): Serving {
  const { store, clock } = services;
  const { owner, running, busy, concurrency, start, stopping, progress } = line;
  /** The shop served last; the next turn begins behind it. */
  let cursor = "";

  const room = (shop: string) => Math.min(PER_SHOP - (busy.get(shop) ?? 0), concurrency - running.size);

  /** Starts what is due of the first shop after the cursor; null when no shop after it has anything due. */
  const serveNext = async (): Promise<{ shop: string; started: number } | null> => {
    const due = { state: "active", dueAtMs: { lte: clock.nowMs() } } as const;
    const order = { orderBy: { shop: "asc", dueAtMs: "asc" }, limit: PER_SHOP } as const;
    const [first, ...rest] = await store.workItems.list({ ...due, shop: { gt: cursor } }, order);
    if (!first) return null;
    let started = 0;
    for (const { id, shop } of [first, ...rest]) {
      if (stopping() || shop !== first.shop || room(shop) <= 0) break;
      if (running.has(id)) continue;
      const item = await claimWorkItem(services, { workItemId: id, shop, owner });
      if (!item) continue;
      start(item);
      started += 1;
    }
    return { shop: first.shop, started };
  };

  return {
    /** One turn through all shops, from where the last one ended. */
    async serveAll() {
      const from = cursor;
      let wrapped = false;
      while (!stopping() && running.size < concurrency) {
        const served = await serveNext();
        // A turn through very many shops takes long, so each shop served counts as progress.
        progress();
        if (served) {
          cursor = served.shop;
          if (wrapped && cursor >= from) return;
        } else {
          if (wrapped) return;
          wrapped = true;
          cursor = "";
        }
      }
    },
    async restMs() {
      const nowMs = clock.nowMs();
      const [next] = await store.workItems.list(
        { state: "active", dueAtMs: { gt: nowMs } },
        { orderBy: { dueAtMs: "asc" }, limit: 1 },
      );
      return Math.min(LONGEST_REST_MS, next ? next.dueAtMs - nowMs : LONGEST_REST_MS);
    },
  };
}
