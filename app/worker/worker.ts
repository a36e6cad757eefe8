import type { WorkItem } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { finishCancels } from "../jobs/cancel-job.ts";
import { forgetDisconnected } from "../account/disconnect-account.ts";
import { releaseAll, releaseOwn } from "../runs/claim.ts";
import { createAlarm, createWakeUp } from "./wake-up.ts";
import { createCatchUp } from "./catch-up.ts";
import { createHousekeeper } from "./housekeeper.ts";
import { LONGEST_REST_MS, serveInTurn, type Line } from "./serve-in-turn.ts";
import { serveShared } from "./serve-shared.ts";
import { createTimekeeper } from "./timekeeper.ts";
import { createParkedTrials } from "./try-parked.ts";
import { watchServer } from "./watch-server.ts";

const AFTER_FAULT_MS = 1_000;
/** How often one of several processes ends what one of them left when it died, and how long it is left to whoever is at it. */
const BROKEN_EVERY_MS = 60_000;
/** How long one step, serving a shop or looking for due work, may take on a slow machine before the worker counts as late. */
const LATE_AFTER_MS = 60_000;
/**
 * Where it looks through all shops in turn, the worker rests after a turn so many times as long as the turn took, because with
 * very many shops it would otherwise do nothing but look for work. The rest has an upper limit, because a process may be stopped during its turn.
 */
const REST_SHARE = 3;
/**
 * Where it claims from a line that all share, turns are short, and what comes in such a time is claimed together. They take longer where
 * the machine has too little for all that it does: then pages and webhooks come first, and what is due waits this much longer at most.
 */
const TURNS_APART_MS = 20;
const LONGEST_SHARED_REST_MS = 250;
/** How long the loop and the runs under way may take to end by themselves when the worker stops: as long as a call. */
const FINISH_MS = 10_000;
/** How long they may take after they were told to stop, and how long their release may take after that: the database may be silent. */
const ABORT_MS = 500;
const RELEASE_MS = 500;

export interface Worker {
  /** Resolves when the work that the last process left was taken over. From then on others may run work items too. */
  ready: Promise<void>;
  /** Stops claiming, lets the runs under way finish, and releases those that do not. */
  stop(): Promise<void>;
  /** Says that something is due now, or after so many milliseconds. */
  wake(inMs?: number): void;
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
  const alarm = createAlarm(clock, () => {
    wakeUp.ring();
    store.shared?.ring();
  });
  const aborting = new AbortController();
  const closing = new AbortController();
  const timekeeper = createTimekeeper(services, { alone });
  const housekeeper = createHousekeeper(services);
  const catchUp = createCatchUp(services, { alone });
  const parkedTrials = createParkedTrials(services, { alone });
  const ready = Promise.withResolvers<void>();
  const besideOthers = !alone && store.shared !== undefined;
  let stopping = false;
  let brokenMs = -Infinity;
  let backByMs = clock.monotonicMs() + LATE_AFTER_MS;
  /** The last turn failed. While this is so, beginning another turn is no proof that the worker works. */
  let faulty = false;

  const backAfter = (ms: number) => {
    backByMs = clock.monotonicMs() + ms + LATE_AFTER_MS;
  };

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

  const line: Line = {
    owner,
    running,
    busy,
    concurrency,
    start,
    stopping: () => stopping,
    progress: () => faulty || backAfter(0),
  };
  const { serveAll, restMs } = store.shared ? serveShared(services, store.shared, line) : serveInTurn(services, line);

  const boot = async (): Promise<void> => {
    if (alone) await releaseAll(services);
    await timekeeper.begin();
    await endBroken();
    ready.resolve();
  };

  /** What a process that died has left half-done. Where others live, it may be under way. */
  const endBroken = async (): Promise<void> => {
    brokenMs = clock.monotonicMs();
    if (besideOthers && !(await store.shared!.isOurs("ending what was broken off", BROKEN_EVERY_MS))) return;
    await forgetDisconnected(services);
    await finishCancels(services, { forMs: besideOthers ? BROKEN_EVERY_MS : 0 });
  };

  const loop = async (): Promise<void> => {
    let booted = false;
    while (!stopping) {
      try {
        if (!booted) await boot();
        booted = true;
        await catchUp.look();
        await timekeeper.look();
        housekeeper.look();
        await parkedTrials.look();
        if (besideOthers && clock.monotonicMs() - brokenMs >= BROKEN_EVERY_MS) await endBroken();
        const startedAtMs = clock.monotonicMs();
        await serveAll();
        const tookMs = clock.monotonicMs() - startedAtMs;
        const turnRestMs = store.shared
          ? Math.max(TURNS_APART_MS - tookMs, Math.min(LONGEST_SHARED_REST_MS, REST_SHARE * tookMs))
          : Math.min(LONGEST_REST_MS, REST_SHARE * tookMs);
        const restUntilMs = clock.monotonicMs() + turnRestMs;
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

  const endsWithin = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
    let cancel = () => {};
    const late = new Promise<false>((resolve) => {
      cancel = clock.after(ms, () => resolve(false));
    });
    return Promise.race([work.then(() => true), late]).finally(cancel);
  };
  /** What the loop was about to begin when it ended is among them. */
  const untilIdle = async () => {
    await Promise.all([ended, housekeeper.stop(), stopWatching?.()]);
    await Promise.all(running.values());
  };

  store.shared?.onRing(() => wakeUp.ring());
  const ended = loop();
  const stopWatching = store.server ? watchServer(services) : undefined;
  return {
    ready: ready.promise,
    wake: alarm.set,
    backByMs: () => backByMs,
    async stop() {
      stopping = true;
      closing.abort();
      alarm.cancel();
      wakeUp.ring();
      const idle = untilIdle();
      if (await endsWithin(idle, FINISH_MS)) return;
      aborting.abort();
      // A run that ignores the signal, such as one that waits for Shopify, is left behind. Its fence stops it should it continue.
      if (!(await endsWithin(idle, ABORT_MS))) await endsWithin(releaseOwn(services, owner), RELEASE_MS);
    },
  };
}
