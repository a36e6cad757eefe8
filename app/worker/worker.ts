import type { WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { finishCancels } from "../jobs/cancel-job.ts";
import { forgetDisconnected } from "../account/disconnect-account.ts";
import { scheduleReconciles } from "../shop/schedule-reconciles.ts";
import { claimWorkItem, releaseAll } from "../runs/claim.ts";
import { createWakeUp } from "./wake-up.ts";
import { createHousekeeper } from "./housekeeper.ts";
import { createTimekeeper } from "./timekeeper.ts";

/** Runs of one shop at once. More of them would only wait for the shop's two slots. */
const PER_SHOP = 4;
/** The longest time between two looks for due work, in case a wake-up was missed. */
const LONGEST_REST_MS = 30_000;
const AFTER_FAULT_MS = 1_000;
/** How long one step, serving a shop or looking for due work, may take on a slow machine before the worker counts as late. */
const LATE_AFTER_MS = 60_000;
/**
 * After a turn the worker rests so many times as long as the turn took, because with very many shops it would otherwise do nothing but look
 * for work. The rest has an upper limit, because a process may be stopped during its turn.
 */
const REST_SHARE = 3;
/** How long runs under way may take to end by themselves when the worker stops: as long as a call, and a moment for its outcome. */
const FINISH_MS = 12_000;
/** How long they may take after they were told to stop. */
const ABORT_MS = 1_000;

export interface Worker {
  /** Resolves when the work that the last process left was taken over. From then on others may run work items too. */
  ready: Promise<void>;
  /** Stops claiming, lets the runs under way finish, and releases those that do not. */
  stop(): Promise<void>;
  /** Says that something is due now. */
  wake(): void;
  /** By when, on the monotonic clock, the worker's loop comes round again. A loop that hangs, ends, or fails each time is late. */
  backByMs(): number;
}

export interface WorkerOptions {
  /** How many runs at once, over all shops. */
  concurrency: number;
  /** No other process works on this database. Leases of a dead process are free at once, not only when they end. */
  alone?: boolean;
}

/**
 * Claims due work items of all shops in turn and runs them, `concurrency` at once, at most four of one shop. Requests a reconcile of each
 * shop first.
 */
export function startWorker(services: Services, { concurrency, alone = false }: WorkerOptions): Worker {
  const { store, clock, log, random } = services;
  const owner = random.id();
  const running = new Map<string, Promise<void>>();
  const busy = new Map<string, number>();
  const wakeUp = createWakeUp(clock);
  const aborting = new AbortController();
  const closing = new AbortController();
  const timekeeper = createTimekeeper(services, { alone });
  const housekeeper = createHousekeeper(services);
  const ready = Promise.withResolvers<void>();
  let stopping = false;
  /** The shop served last; the next turn begins behind it. */
  let cursor = "";
  let backByMs = clock.monotonicMs() + LATE_AFTER_MS;
  /** The last turn failed. While this is so, beginning another turn is no proof that the worker works. */
  let faulty = false;

  const backAfter = (ms: number) => {
    backByMs = clock.monotonicMs() + ms + LATE_AFTER_MS;
  };

  const room = (shop: string) => Math.min(PER_SHOP - (busy.get(shop) ?? 0), concurrency - running.size);

  const start = (item: WorkItem) => {
    const { id, shop } = item;
    busy.set(shop, (busy.get(shop) ?? 0) + 1);
    const run = services.runWorkItem(services, { item, signal: aborting.signal }).finally(() => {
      running.delete(id);
      const left = busy.get(shop)! - 1;
      if (left > 0) busy.set(shop, left);
      else busy.delete(shop);
      wakeUp.ring();
    });
    running.set(id, run);
  };

  /** Starts what is due of the first shop after the cursor; null when no shop after it has anything due. */
  const serveNext = async (): Promise<{ shop: string; started: number } | null> => {
    const due = { state: "active", dueAtMs: { lte: clock.nowMs() } } as const;
    const order = { orderBy: { shop: "asc", dueAtMs: "asc" }, limit: PER_SHOP } as const;
    const [first, ...rest] = await store.workItems.list({ ...due, shop: { gt: cursor } }, order);
    if (!first) return null;
    let started = 0;
    for (const { id, shop } of [first, ...rest]) {
      if (stopping || shop !== first.shop || room(shop) <= 0) break;
      if (running.has(id)) continue;
      const item = await claimWorkItem(services, { workItemId: id, shop, owner });
      if (!item) continue;
      start(item);
      started += 1;
    }
    return { shop: first.shop, started };
  };

  /** One turn through all shops, from where the last one ended. */
  const serveAll = async (): Promise<void> => {
    const from = cursor;
    let wrapped = false;
    while (!stopping && running.size < concurrency) {
      const served = await serveNext();
      // A turn through very many shops takes long, so each shop served counts as progress.
      if (!faulty) backAfter(0);
      if (served) {
        cursor = served.shop;
        if (wrapped && cursor >= from) return;
      } else {
        if (wrapped) return;
        wrapped = true;
        cursor = "";
      }
    }
  };

  const restMs = async (): Promise<number> => {
    const nowMs = clock.nowMs();
    const [next] = await store.workItems.list(
      { state: "active", dueAtMs: { gt: nowMs } },
      { orderBy: { dueAtMs: "asc" }, limit: 1 },
    );
    return Math.min(LONGEST_REST_MS, next ? next.dueAtMs - nowMs : LONGEST_REST_MS);
  };

  const boot = async (): Promise<void> => {
    if (alone) await releaseAll(services);
    await timekeeper.begin();
    await forgetDisconnected(services);
    await finishCancels(services);
    ready.resolve();
    await scheduleReconciles(services);
  };

  const loop = async (): Promise<void> => {
    let booted = false;
    while (!stopping) {
      try {
        if (!booted) await boot();
        booted = true;
        await timekeeper.look();
        housekeeper.look();
        const startedAtMs = clock.monotonicMs();
        await serveAll();
        const tookMs = clock.monotonicMs() - startedAtMs;
        const restUntilMs = clock.monotonicMs() + Math.min(LONGEST_REST_MS, REST_SHARE * tookMs);
        const bellMs = await restMs();
        faulty = false;
        backAfter(Math.max(bellMs, restUntilMs - clock.monotonicMs()));
        await wakeUp.wait(bellMs);
        const earlyMs = restUntilMs - clock.monotonicMs();
        if (earlyMs > 0 && !stopping) await clock.sleep(earlyMs, closing.signal).catch(() => undefined);
      } catch (error) {
        log.error({ error }, "the worker could not look for work");
        faulty = true;
        await wakeUp.wait(AFTER_FAULT_MS);
      }
    }
  };

  const endsWithin = async (ms: number): Promise<boolean> => {
    let cancel = () => {};
    const late = new Promise<false>((resolve) => {
      cancel = clock.after(ms, () => resolve(false));
    });
    const finished = Promise.all(running.values()).then(() => true);
    return Promise.race([finished, late]).finally(cancel);
  };

  const ended = loop();
  return {
    ready: ready.promise,
    wake: () => wakeUp.ring(),
    backByMs: () => backByMs,
    async stop() {
      stopping = true;
      closing.abort();
      wakeUp.ring();
      await Promise.all([ended, housekeeper.stop()]);
      if (await endsWithin(FINISH_MS)) return;
      aborting.abort();
      // A run that ignores the signal, such as one that waits for Shopify, is left behind. Its fence stops it should it continue.
      if (!(await endsWithin(ABORT_MS))) await releaseAll(services, owner);
    },
  };
}
