import type { Services, Store } from "../../app/ports.ts";
import type { ShippingService } from "../../app/ports.ts";
import { receiveWebhook } from "../../app/use-cases/receive-webhook.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { servicesOf, SETTINGS, shippingOver } from "../fakes/app-process.ts";
import { createVirtualClock } from "../fakes/clock.ts";
import type { VirtualClock } from "../fakes/clock.ts";
import { createMemoryDatabase } from "../fakes/memory-store.ts";
import { createSeededRandom } from "../fakes/random.ts";
import type { SeededRandom } from "../fakes/random.ts";
import { createFakeAccount } from "../fakes/shipping-account.ts";
import { createFakeNetwork } from "../fakes/shipping-network.ts";
import { createFakeShopify } from "../fakes/shopify.ts";
import { drawFate } from "./fates.ts";
import { judge } from "./judge.ts";
import type { Verdict } from "./judge.ts";
import type { Mutant } from "./mutants.ts";
import { doSomething } from "./people.ts";
import type { Stage } from "./people.ts";
import { drawScenery, furnish } from "./scenery.ts";
import type { Scenery } from "./scenery.ts";
import { createLife, shippingThroughLife, shopifyThroughLife, storeThroughLife } from "./sim-process.ts";
import type { Life } from "./sim-process.ts";

export interface ScheduleOptions {
  seed: number;
  mutant?: Mutant | undefined;
  effectsLaterThanBound?: boolean;
  /** Hears what happens, a line at a time: for looking at one story. */
  tell?: ((line: string) => void) | undefined;
}

export interface ScheduleResult extends Verdict {
  seed: number;
  virtualMs: number;
}

const START_MS = 1_800_000_000_000;
/** The longest back-off of a target's own, a quarantine, and some. */
const CONVERGES_WITHIN_MS = 25 * 60_000;
/** A supervisor may be quick or slow. */
const REBORN_AFTER_MS = [20, 150, 600, 2_500, 8_000];
const FROZEN_MS = { least: 55_000, most: 150_000 };

interface Running {
  life: Life;
  services: Services;
}

/** One story, from a seed: the true use cases, worker and shipping adapter in a world where all that can go wrong does. */
export async function runSchedule(options: ScheduleOptions): Promise<ScheduleResult> {
  const { seed, mutant = {}, effectsLaterThanBound = false } = options;
  const tell = (line: () => string) => options.tell?.(`${((clock.nowMs() - START_MS) / 1_000).toFixed(3)} ${line()}`);
  const random = createSeededRandom(seed);
  const clock = createVirtualClock(START_MS);
  const scenery = drawScenery(random.fork("scenery"), { startMs: START_MS, effectsLaterThanBound });
  const database = createMemoryDatabase();
  const outside = database.open();
  const shopify = createFakeShopify(clock);
  const ids = random.fork("service");
  const account = createFakeAccount({ habits: scenery.habits, newId: () => ids.id() });
  const arrivals: number[] = [];
  const weather = random.fork("weather");
  const network = createFakeNetwork({
    clock,
    habits: scenery.habits,
    accountOf: () => account,
    fateOf: (operation) => drawFate(weather, { operation, weather: scenery.weather, nowMs: clock.nowMs() }),
    arrived: ({ atMs }) => void arrivals.push(atMs),
    left: ({ operation, templateId, body }, fate) => tell(() => `-> ${operation} ${templateId} ${JSON.stringify(body)} ${JSON.stringify(fate)}`),
    verdict: (of, templateId, carrier) => clock.after(30_000, () => of.settle(templateId, carrier, "accepted")),
  });
  const troubles = random.fork("shopify");
  shopify.trouble = () => {
    const calm = clock.nowMs() >= scenery.weather.endsAtMs;
    return { delayMs: calm ? 20 : troubles.between(5, 400), fails: !calm && troubles.chance(scenery.weather.faults / 3) };
  };
  await furnish(scenery, { store: outside, shopify, account, nowMs: START_MS });

  const postage = random.fork("post");
  const crew = createCrew({ scenery, clock, random, mutant, database, network, shopify, tell });
  const stage: Stage = {
    random: random.fork("people"),
    scenery,
    shopify,
    account,
    nowMs: () => clock.nowMs(),
    visit: () => crew.someone(),
    webhook: (shop, topic, locationId) => post({ clock, random: postage, scenery, crew }, { shop, topic, locationId }),
    allowed: new Set(),
    drafts: new Map(),
  };
  crew.boot();
  const deeds = random.fork("deeds");
  for (let deed = 0; deed < scenery.people; deed += 1) {
    clock.after(deeds.between(2_000, scenery.weather.endsAtMs - START_MS - 5_000), () => {
      const done = doSomething(stage);
      tell(() => done);
    });
  }
  await clock.runUntil(scenery.weather.endsAtMs);
  crew.calm();
  if (scenery.tail === "boot") crew.reboot();
  const limitMs = scenery.weather.endsAtMs + CONVERGES_WITHIN_MS;
  do await clock.runFor(30_000);
  while (clock.nowMs() < limitMs && !(await isQuiet(outside, clock, crew)));
  const verdict = await judge({ scenery, store: outside, shopify, account, arrivals, allowed: stage.allowed, drafts: stage.drafts });
  crew.end();
  return { ...verdict, seed, virtualMs: clock.nowMs() - START_MS };
}

/** Nothing is wanted that was not seen, and no effect is still on its way. */
async function isQuiet(store: Store, clock: VirtualClock, crew: Crew): Promise<boolean> {
  if (crew.undelivered() > 0) return false;
  const targets = await store.targets.list({ state: "active" });
  const settled = targets.every(({ wanted, seen, leaseUntilMs }) => wanted === seen && leaseUntilMs === null);
  return settled && (await store.intents.count({ quarantineUntilMs: { gt: clock.nowMs() } })) === 0;
}

interface Crew {
  boot(): void;
  /** All die, and others take their place. */
  reboot(): void;
  /** Nobody dies or freezes any more. */
  calm(): void;
  end(): void;
  someone(): Services | null;
  /** Webhooks that Shopify still tries to deliver. */
  posted(change: 1 | -1): void;
  undelivered(): number;
}

interface CrewParts {
  scenery: Scenery;
  clock: VirtualClock;
  random: SeededRandom;
  mutant: Mutant;
  database: ReturnType<typeof createMemoryDatabase>;
  network: ReturnType<typeof createFakeNetwork>;
  shopify: ReturnType<typeof createFakeShopify>;
  tell: (line: () => string) => void;
}

function createCrew({ scenery, clock, random, mutant, database, network, shopify, tell }: CrewParts): Crew {
  const running = new Set<Running>();
  const chance = random.fork("crew");
  const appRandom = random.fork("app");
  let portCalls = 0;
  let mayDie = true;
  let ended = false;
  let undelivered = 0;
  const budget = { openAtOnce: false, graceMs: 2_000, ...mutant.budget };
  const shared: ShippingService | null =
    scenery.processes === 2 ? shippingOver({ network, clock, random: appRandom, store: database.open(), ...budget }) : null;

  const onTick = (life: Life) => {
    portCalls += 1;
    if (!mayDie) return;
    if (scenery.crashes.has(portCalls)) life.die();
    else if (scenery.freezes.has(portCalls)) {
      tell(() => `a process freezes at port call ${portCalls}`);
      life.freeze(chance.between(FROZEN_MS.least, FROZEN_MS.most));
    }
  };

  const start = () => {
    if (ended) return;
    const handle = database.open();
    const process: Running = { life: null as never, services: null as never };
    const life = createLife({
      clock,
      onTick,
      onDeath: () => {
        tell(() => `a process dies at port call ${portCalls}`);
        handle.crash();
        running.delete(process);
        clock.after(chance.pick(REBORN_AFTER_MS), start);
      },
    });
    const store = storeThroughLife(life, mutant.store ? mutant.store(handle) : handle);
    const own = shared ?? shippingOver({ network, clock: life.clock, random: appRandom, store, ...budget });
    const shipping = shared ? shippingThroughLife(life, own) : own;
    const services = servicesOf({
      store,
      shipping: mutant.shipping ? mutant.shipping(shipping, handle) : shipping,
      shopify: shopifyThroughLife(life, shopify),
      clock: life.clock,
      random: appRandom,
      settings: { ...SETTINGS, ...mutant.settings },
    });
    process.life = life;
    process.services = services;
    running.add(process);
    const workers = Array.from({ length: shared ? 1 : scenery.workers }, (_, index) =>
      startWorker(services, { concurrency: 6, alone: !shared && index === 0 }),
    );
    services.onWake(() => workers.forEach((worker) => worker.wake()));
  };

  return {
    boot: () => {
      for (let process = 0; process < scenery.processes; process += 1) start();
    },
    reboot: () => [...running].forEach(({ life }) => life.die()),
    calm: () => {
      mayDie = false;
    },
    end: () => {
      ended = true;
      [...running].forEach(({ life }) => life.die());
    },
    someone: () => (running.size > 0 ? chance.pick([...running]).services : null),
    posted: (change) => {
      undelivered += change;
    },
    undelivered: () => undelivered,
  };
}

/** Shopify's deliveries: some never, some twice, late and out of order, again when nobody answered. */
function post(
  { clock, random, scenery, crew }: { clock: VirtualClock; random: SeededRandom; scenery: Scenery; crew: Crew },
  { shop, topic, locationId }: { shop: string; topic: string; locationId: string },
): void {
  const { lost, repeated, lateMs } = scenery.webhooks;
  if (random.chance(lost)) return;
  const webhookId = random.id();
  const payload = { id: Number(locationId.split("/").at(-1)) };
  const attempt = () => {
    const services = crew.someone();
    const again = clock.after(10_000, attempt);
    if (!services) return;
    receiveWebhook(services, { shop, topic, webhookId, payload }).then(
      () => {
        again();
        if (delivered) return;
        delivered = true;
        crew.posted(-1);
      },
      () => undefined,
    );
  };
  let delivered = false;
  crew.posted(1);
  clock.after(random.between(50, lateMs), attempt);
  if (random.chance(repeated)) clock.after(random.between(50, lateMs), attempt);
}
