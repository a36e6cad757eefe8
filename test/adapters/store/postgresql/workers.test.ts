import { afterEach, beforeEach, expect, test } from "vitest";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createHeardDates } from "../../../../app/adapters/machine/heard-dates.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import type { PrismaStore } from "../../../../app/adapters/store/store.ts";
import { NEVER_MS } from "../../../../app/domain/backoff.ts";
import type { WorkItem } from "../../../../app/domain/records.ts";
import type { Services } from "../../../../app/ports.ts";
import { requestWork } from "../../../../app/runs/request-work.ts";
import { createHousekeeper } from "../../../../app/worker/housekeeper.ts";
import { startWorker, type Worker } from "../../../../app/worker/worker.ts";
import { SETTINGS } from "../../../fakes/app-process.ts";
import { activityRecord, SHOP, shopRecord, workItemRecord } from "../../../fakes/records.ts";
import { SILENT } from "../open-store.ts";
import { freshPostgres, type FreshPostgres } from "./fresh-postgres.ts";
import { openPostgres } from "./open-postgres.ts";

/** Workers of several processes on one database. Each has a store of its own, and rests up to half a minute unless it is woken. */

interface Process {
  services: Services;
  store: PrismaStore;
  worker: Worker;
  /** Keys of what it ran, in order. */
  ran: string[];
}

let database: FreshPostgres;
let processes: Process[] = [];
beforeEach(async () => {
  database = await freshPostgres();
});
afterEach(async () => {
  for (const { worker, store } of processes) {
    await worker.stop();
    await store.close();
  }
  processes = [];
  await database.remove();
});

/** `run`: what a run does; by default it ends at once. */
async function boot(run?: (item: WorkItem) => Promise<void>, settings = SETTINGS, concurrency = 8): Promise<Process> {
  const store = await openPostgres(database.url, { exclusive: false });
  const clock = createClock();
  const ran: string[] = [];
  let wake = () => {};
  const services = {
    store,
    clock,
    dates: createHeardDates(clock),
    random: createRandom(),
    log: SILENT,
    settings,
    wake: () => wake(),
    async runWorkItem(_services: Services, { item }: { item: WorkItem }) {
      ran.push(item.key);
      await run?.(item);
      const free = { leaseOwner: null, leaseUntilMs: null, dueAtMs: NEVER_MS, observedGeneration: item.generation };
      await store.workItems.update({ id: item.id, shop: item.shop, fence: item.fence }, free);
    },
  } as unknown as Services;
  const worker = startWorker(services, { concurrency, alone: store.alone });
  wake = () => worker.wake();
  const booted = { services, store, worker, ran };
  processes.push(booted);
  await worker.ready;
  return booted;
}

async function ask({ services, store }: Process, key: string): Promise<void> {
  await store.transaction(SHOP, (tables) => requestWork(services, tables, { shop: SHOP, kind: "location", key }));
  services.wake();
}

/** A process that takes requests and is too busy to work; another one that rests. */
async function takerAndWorker(): Promise<[Process, Process]> {
  const taker = await boot(undefined, SETTINGS, 0);
  await taker.store.shops.insert(shopRecord());
  const worker = await boot();
  return [taker, worker];
}

test("what one process is asked for wakes the worker of another", async () => {
  const [taker, worker] = await takerAndWorker();
  for (const key of ["first", "second", "third"]) {
    await ask(taker, key);
    await expect.poll(() => worker.ran).toContain(key);
  }
  expect(taker.ran).toEqual([]);
});

test("it is woken again after its connection was cut", async () => {
  const [taker, worker] = await takerAndWorker();
  const listening = "datname = current_database() AND application_name = 'origen listens'";
  const listeners = `SELECT 1 / (count(*) = 2)::int FROM pg_stat_activity WHERE ${listening}`;
  await expect
    .poll(() =>
      database.query(listeners).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${listening}`);
  await expect
    .poll(() =>
      database.query(listeners).then(
        () => true,
        () => false,
      ),
    )
    .toBe(true);
  await ask(taker, "after");
  await expect.poll(() => worker.ran).toContain("after");
});

test("a process that begins takes no lease of one that lives, and over those of one that died when they end", async () => {
  const { promise: end, resolve: die } = Promise.withResolvers<void>();
  // It has room for one run, which does not end and whose lease nobody renews.
  const dying = await boot(() => end, { ...SETTINGS, leaseMs: 1_500 }, 1);
  await dying.store.shops.insert(shopRecord());
  await ask(dying, "left");
  await expect.poll(() => dying.ran).toContain("left");
  const held = (await dying.store.workItems.find({ shop: SHOP, key: "left" }))!;
  const next = await boot();
  expect(await next.store.workItems.find({ id: held.id })).toMatchObject({ leaseOwner: held.leaseOwner, fence: 1 });
  await expect.poll(() => next.ran).toContain("left");
  await expect.poll(() => next.store.workItems.find({ id: held.id })).toMatchObject({ leaseOwner: null, fence: 2 });
  die();
});

test("a process that stops gives back its own leases alone", async () => {
  const [taker, worker] = await takerAndWorker();
  await taker.store.workItems.insert(
    workItemRecord({
      id: "theirs",
      key: "theirs",
      leaseOwner: "living",
      leaseUntilMs: NEVER_MS,
      dueAtMs: NEVER_MS - 1,
    }),
  );
  await ask(taker, "own");
  await expect.poll(() => worker.ran).toContain("own");
  await worker.worker.stop();
  expect(await taker.store.workItems.find({ id: "theirs" })).toMatchObject({ leaseOwner: "living" });
});

test("every reconcile is asked for by the first process, and by no other that begins beside it", async () => {
  const first = await boot();
  await expect.poll(() => first.store.shared!.wasBegun("looking for work", 60_000)).toBe(true);
  await first.store.shops.insert(shopRecord());
  const [second, third] = await Promise.all([boot(), boot()]);
  await ask(second, "a");
  await expect.poll(() => [...first.ran, ...second.ran, ...third.ran]).toContain("a");
  expect(await first.store.workItems.count({ kind: "reconcile" })).toBe(0);
  // Nobody was at work for a while.
  for (const { worker } of processes) await worker.stop();
  await database.query(`UPDATE "Chore" SET "begunAtMs" = "begunAtMs" - 3600000`);
  const all = await Promise.all([boot(), boot(), boot()]);
  await expect.poll(() => all.flatMap(({ ran }) => ran)).toEqual(["shop"]);
  await ask(all[0], "b");
  await expect.poll(() => all.flatMap(({ ran }) => ran)).toContain("b");
  expect(await first.store.workItems.find({ kind: "reconcile" })).toMatchObject({ generation: 1 });
});

test("what is old is dropped by one process, and by the next one when it stopped half-way or died", async () => {
  const { store } = await boot();
  const shops = ["a", "b", "c"].map((name) => `${name}.myshopify.com`);
  for (const shop of shops) await store.shops.insert(shopRecord({ shop }));
  /** Begins at once, although a process rests first. */
  const keep = (over: Partial<Services> = {}) => {
    const clock = createClock();
    let aheadMs = 0;
    const dates = { opinions: () => [{ source: "shopify", nowMs: clock.nowMs() }] };
    const own = { ...clock, monotonicMs: () => clock.monotonicMs() + aheadMs };
    const keeper = createHousekeeper({ store, dates, log: SILENT, clock: own, ...over } as unknown as Services);
    aheadMs = 3_600_000;
    keeper.look();
    return keeper;
  };
  const left = async () => (await store.activity.list({})).map(({ shop }) => shop).toSorted();
  const fill = async () => {
    for (const shop of shops) await store.activity.insert(activityRecord({ id: shop, shop, atMs: 1 }));
  };
  await fill();
  const stopped = keep();
  await expect.poll(left).not.toEqual(shops);
  await stopped.stop();
  expect(await left()).not.toEqual([]);
  const second = keep();
  await expect.poll(left).toEqual([]);
  await expect.poll(() => store.shared!.wasBegun("dropped what is old", 60_000)).toBe(true);
  await second.stop();
  await fill();
  const asked = Promise.withResolvers<boolean>();
  const wasBegun = async (chore: string, withinMs: number) => {
    const answer = await store.shared!.wasBegun(chore, withinMs);
    asked.resolve(answer);
    return answer;
  };
  const third = keep({ store: { ...store, shared: { ...store.shared!, wasBegun } } });
  expect(await asked.promise).toBe(true);
  await third.stop();
  expect(await left()).toEqual(shops);
});
