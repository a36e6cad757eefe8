import { createHeardDates } from "../../../app/adapters/machine/heard-dates.ts";
import { createProcessClock } from "../../../app/adapters/machine/clock.ts";
import type { Network } from "../../../app/adapters/shipping/network.ts";
import type { SlotsDatabase } from "../../../app/adapters/shipping/slots/slots-database.ts";
import type { RunningShippingService } from "../../../app/adapters/shipping/service.ts";
import type { ConnectionRef, ProcessClock, Services, Store } from "../../../app/ports.ts";
import { startWorker } from "../../../app/worker/worker.ts";
import { QUIET, servicesOf, SETTINGS, shippingOver } from "../../fakes/app-process.ts";
import type { VirtualClock } from "../../fakes/clock.ts";
import type { VirtualMachine } from "../../fakes/machine.ts";
import type { MemoryDatabase, MemoryStore } from "../../fakes/memory-store.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import { shopifyOver } from "../../fakes/shopify-server.ts";
import type { ShopifyServer } from "../../fakes/shopify-server.ts";
import type { Mutant } from "../mutants/mutant.ts";
import type { Cluster } from "./cluster.ts";
import { pagesOver } from "./pages.ts";
import type { Pages } from "./pages.ts";
import type { Scenery } from "./scenery.ts";
import type { Sessions } from "./sessions.ts";
import { createLife, shopifyThroughLife, storageThroughLife, storeThroughLife } from "./sim-process.ts";
import { shippingThroughLife } from "./shared-shipping.ts";
import { sharedThroughLife, slotsThroughLife } from "./shared-process.ts";
import type { Life } from "./sim-process.ts";
import type { Tally } from "./tally.ts";
import type { Timeline } from "./timeline.ts";

/**
 * The processes of one story: they start, die, freeze, sleep with their machine, are deployed anew, and others take their place.
 *
 * Long, because all that can befall a process draws on one list of processes, and one order of draws from the seed.
 */

/** How long a supervisor takes to start the next process. */
const REBORN_AFTER_MS = [20, 150, 600, 2_500, 8_000];
const FROZEN_MS = { least: 55_000, most: 150_000 };
/** How long a stall lasts: longer than any lease of the process. */
const STALLED_MS = { least: 62_000, most: 110_000 };
/** A stall begins within this many port calls after a request, because a page's request is announced and sent within about as many. */
const STALLS_WITHIN_CALLS = 50;

/** Beside others a process has its leases for less long, as `services.server.ts` says. */
const SHARED_LEASE_MS = 20_000;

/** Of several processes the first looks at everything only if nobody worked for a minute (`worker/catch-up.ts`). */
const UNSEEN_MS = 65_000;

/** How long a process that starves is stopped when it has asked: longer than an answer takes. */
const STARVES_AGAIN_MS = { least: 2_000, most: 12_000 };

interface Running {
  life: Life;
  /** Requests go to the process only after its worker has taken over the work of the last process. */
  ready: boolean;
  services: Services;
  /** Stops the process in order, as a signal does. */
  stop(): Promise<void>;
}

/** What a process begins with. */
interface Begun {
  life: Life;
  /** Where it is found once it runs. */
  living: { process: Running | null };
  handle: MemoryStore;
  machine: VirtualMachine;
  clock: ProcessClock;
  open: Store;
  slotsDatabase?: SlotsDatabase;
}

export interface ProcessPool {
  boot(): void;
  /** All processes die and others replace them. */
  reboot(): void;
  /** From now on no process dies or freezes. */
  calm(): void;
  end(): void;
  someone(): Services | null;
  /** Since when every live process has been running and the machine awake; in the future while this is not so. */
  awakeSinceMs(): number;
  /**
   * Pages that a process renders, read without affecting its life. Null while no process is ready, running and awake, because then nobody
   * is shown a page.
   */
  pages(): Pages | null;
}

export interface ProcessPoolParts {
  scenery: Scenery;
  clock: VirtualClock;
  /** The machine on which all processes run, unless they are a cluster. */
  machine: VirtualMachine;
  /** What processes with machines and budgets of their own share; null where there are none. */
  cluster: Cluster | null;
  random: SeededRandom;
  mutant: Mutant;
  database: MemoryDatabase;
  sessions: Sessions;
  network: Network;
  shopify: ShopifyServer;
  tally: Tally;
  timeline: Timeline;
  /** A process has just stopped before it asks for a template, for so long. */
  starved(ref: ConnectionRef, templateId: string, lastsMs: number): void;
  /** That process has asked and is stopped again. It calls what it is given once it has read the answer, and never if it is killed before. */
  askedUnheard(ref: ConnectionRef, templateId: string): () => void;
  /** The answer to a GET has come to a process, which may be stopped. It calls what it is given when it reads that. */
  unheard(ref: ConnectionRef, templateId: string): () => void;
}

export function createProcessPool(parts: ProcessPoolParts): ProcessPool {
  const { scenery, clock, random, mutant, database, cluster, tally, timeline } = parts;
  const machines = cluster?.machines ?? [parts.machine];
  const running = new Set<Running>();
  const chance = random.fork("crew");
  const stalls = scenery.stalls ? random.fork("stalls of the crew") : null;
  const starves = scenery.starves ? random.fork("starves") : null;
  const appRandom = random.fork("app");
  const connects = scenery.machine.slowConnects ? random.fork("connects") : null;
  const onlooker = database.open();
  const readStore = mutant.store ? mutant.store(onlooker) : onlooker;
  /** After how many port calls each process stalls. */
  const stallsIn = new Map<Life, number>();
  let portCalls = 0;
  let mayDie = true;
  let ended = false;
  let asleepUntilMs = 0;
  let awayUntilMs = 0;

  const shippingFor = (
    processClock: ProcessClock,
    { store, machine, slotsDatabase }: { store: Store; machine: VirtualMachine; slotsDatabase?: SlotsDatabase },
  ) => {
    const dates = createHeardDates(processClock);
    const network = { ...parts.network, exchange: heardAwake(machine, parts.network) };
    const connecting = { ...network, exchange: afterConnecting(network, { clock: processClock, random: connects }) };
    const over = mutant.network ? mutant.network(connecting) : connecting;
    const budget = { openAtOnce: false, graceMs: 2_000, ...mutant.budget };
    const given = { network: over, clock: processClock, dates, random: appRandom, store, slotsDatabase };
    return { dates, shipping: shippingOver({ ...given, ...budget }) };
  };
  const machineOf = (machine: VirtualMachine) => (mutant.machine ? mutant.machine(machine) : machine);
  const sharedClock = createProcessClock(machineOf(parts.machine));
  const shared =
    !cluster && scenery.processes === 2
      ? shippingFor(sharedClock, { store: database.open(), machine: parts.machine })
      : null;

  const onTick = (life: Life) => {
    portCalls += 1;
    if (!mayDie) return;
    stall(life);
    if (scenery.crashes.has(portCalls)) {
      tally.count("process: dies");
      timeline.tell("machine", () => `the process dies at port call ${portCalls}`);
      life.die();
    } else if (scenery.freezes.has(portCalls)) {
      tally.count("process: freezes");
      timeline.tell("machine", () => `the process freezes at port call ${portCalls}`);
      life.freeze(chance.between(FROZEN_MS.least, FROZEN_MS.most));
    }
  };

  const start = (machine: VirtualMachine) => {
    if (ended) return;
    timeline.tell("machine", () => "a process begins");
    tally.count(kindOf(cluster, shared));
    const handle = database.open();
    const living: { process: Running | null } = { process: null };
    const life = createLife({
      clock,
      machine: machineOf(machine),
      onTick,
      onDeath: () => {
        handle.crash();
        if (living.process) running.delete(living.process);
        clock.after(Math.max(chance.pick(REBORN_AFTER_MS), awayUntilMs - clock.nowMs()), () => start(machine));
      },
    });
    if (!cluster) return run({ life, living, handle, machine, clock: life.clock, open: handle });
    const { store: open, slotsDatabase, clock: oneClock } = cluster.open(life, handle);
    const slots = slotsThroughLife(life, slotsDatabase);
    void oneClock.then((own) => run({ life, living, handle, machine, clock: own, open, slotsDatabase: slots }));
  };

  const run = (begun: Begun) => {
    const { life, living, handle, machine, clock: ownClock, open, slotsDatabase } = begun;
    const line = open.shared && { shared: sharedThroughLife(life, open.shared) };
    const store = { ...storeThroughLife(life, mutant.store ? mutant.store(open) : open), ...line };
    const own = shared ?? shippingFor(ownClock, { store, machine, ...(slotsDatabase && { slotsDatabase }) });
    const shipping = shared
      ? shippingThroughLife(life, own.shipping, { starve: starve(life), unheard: parts.unheard })
      : own.shipping;
    const storage = storageThroughLife(life, parts.sessions.storage);
    const fetch: ShopifyServer["fetch"] = (...asked) => machine.whileAwake(parts.shopify.fetch(...asked));
    const shopify = shopifyOver({ fetch, storage, clock: ownClock, dates: own.dates, log: QUIET });
    const services = servicesOf({
      store,
      shipping: mutant.shipping ? mutant.shipping(shipping, handle) : shipping,
      shopify: shopifyThroughLife(life, mutant.shopify ? mutant.shopify(shopify, handle) : shopify),
      clock: ownClock,
      dates: own.dates,
      random: appRandom,
      settings: { ...SETTINGS, ...(cluster && { leaseMs: SHARED_LEASE_MS }), ...mutant.settings },
    });
    const beside = shared ?? cluster;
    const workers = [startWorker(services, { concurrency: 6, alone: !beside })];
    services.onWake(() => workers.forEach((worker) => worker.wake()));
    void workers[0]!.ready.then(() => {
      if (living.process) living.process.ready = true;
      while (workers.length < (beside ? 1 : scenery.workers)) workers.push(startWorker(services, { concurrency: 6 }));
    });
    const stop = async () => {
      await Promise.all(workers.map((worker) => worker.stop()));
      if (!shared) await (own.shipping as RunningShippingService).close();
    };
    living.process = { life, ready: false, services, stop };
    running.add(living.process);
  };

  /** Freezes the process that was just asked for something, while it works on that, if another process is running. */
  const stall = (life: Life) => {
    const leftCalls = stallsIn.get(life);
    if (leftCalls === undefined) return;
    stallsIn.set(life, leftCalls - 1);
    if (leftCalls > 1) return;
    stallsIn.delete(life);
    if ([...running].some((one) => one.life.frozenUntilMs > clock.nowMs())) return;
    const lastsMs = stalls!.between(STALLED_MS.least, STALLED_MS.most);
    tally.count("process: stalls");
    timeline.tell("machine", () => `the process that was asked stalls for ${lastsMs} ms`);
    life.freeze(lastsMs);
  };

  /**
   * Stops the process that is about to ask for a template until its leases have passed to another one, and once more when it has asked: so
   * the answer comes before it notices.
   */
  const starve = (life: Life) => (ref: ConnectionRef, templateId: string) => {
    if (!starves || !mayDie || life.dead || [...running].some((one) => one.life.frozenUntilMs > clock.nowMs()))
      return null;
    if (!starves.chance(0.5)) return null;
    const lastsMs = starves.between(STALLED_MS.least, STALLED_MS.most);
    tally.count("process: starves");
    timeline.tell("machine", () => `a process starves for ${lastsMs} ms before it asks for ${templateId}`);
    life.freeze(lastsMs);
    parts.starved(ref, templateId, lastsMs);
    let heard = () => {};
    const asked = () => {
      life.freeze(starves.between(STARVES_AGAIN_MS.least, STARVES_AGAIN_MS.most));
      heard = parts.askedUnheard(ref, templateId);
    };
    return { asked, heard: () => heard() };
  };

  const deployAnew = () => {
    const old = chance.pick([...running]);
    if (!old) return;
    tally.count("process: deployed anew");
    timeline.tell("machine", () => "the process is stopped, to be deployed anew");
    void old.stop().then(() => old.life.die());
  };

  const befall = () => {
    cluster?.befall(scenery.weather.endsAtMs - clock.nowMs());
    const { jumps, sleeps, deploys } = scenery.machine;
    const jump = (byMs: number, kind: string) => {
      tally.count(kind);
      if (shared) tally.count("clock: set under two processes");
      timeline.tell("machine", () => `${kind} (${byMs} ms)`);
      machines[0]!.jump(byMs);
    };
    for (const { atMs, byMs, backAfterMs, kind } of jumps) {
      clock.after(atMs, () => jump(byMs, kind));
      if (backAfterMs !== null) clock.after(atMs + backAfterMs, () => jump(-byMs, "clock: set right again"));
    }
    for (const { atMs, forMs } of sleeps) {
      clock.after(atMs, () => {
        tally.count("machine: sleeps");
        timeline.tell("machine", () => `the machine sleeps for ${forMs} ms`);
        asleepUntilMs = clock.nowMs() + forMs;
        machines.forEach((machine) => machine.suspend(forMs));
      });
    }
    for (const atMs of deploys) clock.after(atMs, deployAnew);
  };

  return {
    boot() {
      befall();
      if (cluster) machines.forEach(start);
      else for (let process = 0; process < scenery.processes; process += 1) start(parts.machine);
    },
    reboot() {
      timeline.tell("machine", () => "every process is restarted");
      if (cluster) awayUntilMs = clock.nowMs() + UNSEEN_MS;
      [...running].forEach(({ life }) => life.die());
      // No process is left whose date the shared service could go on with.
      sharedClock.adjust(sharedClock.machineMs() - sharedClock.nowMs());
    },
    calm: () => {
      mayDie = false;
    },
    end: () => {
      ended = true;
      [...running].forEach(({ life }) => life.die());
    },
    someone() {
      const ready = [...running].filter((process) => process.ready);
      if (ready.length === 0 || clock.nowMs() < asleepUntilMs) return null;
      const process = chance.pick(ready);
      if (stalls?.chance(0.5)) stallsIn.set(process.life, stalls.between(1, STALLS_WITHIN_CALLS));
      return process.services;
    },
    awakeSinceMs: () => Math.max(asleepUntilMs, awayUntilMs, ...[...running].map(({ life }) => life.frozenUntilMs)),
    pages() {
      const nowMs = clock.nowMs();
      const process = [...running].find(({ ready, life }) => ready && life.frozenUntilMs <= nowMs);
      if (!process || nowMs < asleepUntilMs) return null;
      const pages = pagesOver({ ...process.services, store: readStore });
      return mutant.pages ? mutant.pages(pages, readStore) : pages;
    },
  };
}

function kindOf(cluster: Cluster | null, shared: unknown): string {
  if (cluster) return "process: beside others, over one database";
  return shared ? "process: beside another, with the same budget" : "process: with a budget of its own";
}

const LONGEST_CONNECT_MS = 4_000;

/** Sometimes a connection must be made first, in the process's own time: the bytes leave later, or never. */
function afterConnecting(
  network: Network,
  { clock, random }: { clock: Pick<ProcessClock, "after">; random: SeededRandom | null },
): Network["exchange"] {
  return (exchange) => {
    if (!random?.chance(0.3)) return network.exchange(exchange);
    const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<Network["exchange"]>["answer"]>>();
    let underWay: ReturnType<Network["exchange"]> | null = null;
    const cancel = clock.after(random.between(1, LONGEST_CONNECT_MS), () => {
      underWay = network.exchange(exchange);
      underWay.answer.then(resolve, reject);
    });
    const stop = () => {
      cancel();
      if (underWay) underWay.stop();
      else reject(new Error("stopped while connecting"));
    };
    return { answer: promise, stop };
  };
}

/** The network of a machine; answers wait while the machine sleeps. */
function heardAwake(machine: VirtualMachine, network: Network): Network["exchange"] {
  return (exchange) => {
    const underWay = network.exchange(exchange);
    return { ...underWay, answer: machine.whileAwake(underWay.answer) };
  };
}
