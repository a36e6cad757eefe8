import { createHeardDates } from "../../app/adapters/machine/heard-dates.ts";
import type { Services, ShippingService } from "../../app/ports.ts";
import { receiveWebhook } from "../../app/use-cases/receive-webhook.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { servicesOf, SETTINGS, shippingOver } from "../fakes/app-process.ts";
import type { VirtualClock } from "../fakes/clock.ts";
import type { VirtualMachine } from "../fakes/machine.ts";
import type { createMemoryDatabase } from "../fakes/memory-store.ts";
import type { SeededRandom } from "../fakes/random.ts";
import type { createFakeNetwork } from "../fakes/shipping-network.ts";
import type { createFakeShopify } from "../fakes/shopify.ts";
import type { Mutant } from "./mutants.ts";
import type { Scenery } from "./scenery.ts";
import { createLife, shippingThroughLife, shopifyThroughLife, storeThroughLife } from "./sim-process.ts";
import type { Life } from "./sim-process.ts";

/** The processes of one story: they start, die, freeze and are replaced, and Shopify delivers to whichever lives. */

/** A supervisor may be quick or slow. */
const REBORN_AFTER_MS = [20, 150, 600, 2_500, 8_000];
const FROZEN_MS = { least: 55_000, most: 150_000 };

interface Running {
  life: Life;
  /** Visited only once its worker has taken over what the last process left. */
  ready: boolean;
  services: Services;
}

export interface Crew {
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
  /** What all processes run on. */
  machine: VirtualMachine;
  random: SeededRandom;
  mutant: Mutant;
  database: ReturnType<typeof createMemoryDatabase>;
  network: ReturnType<typeof createFakeNetwork>;
  shopify: ReturnType<typeof createFakeShopify>;
  tell: (line: () => string) => void;
}

export function createCrew({
  scenery,
  clock,
  machine,
  random,
  mutant,
  database,
  network,
  shopify,
  tell,
}: CrewParts): Crew {
  const running = new Set<Running>();
  const chance = random.fork("crew");
  const appRandom = random.fork("app");
  let portCalls = 0;
  let mayDie = true;
  let ended = false;
  let undelivered = 0;
  const budget = { openAtOnce: false, graceMs: 2_000, ...mutant.budget };
  const shared: ShippingService | null =
    scenery.processes === 2
      ? shippingOver({ network, clock, random: appRandom, store: database.open(), ...budget })
      : null;

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
    const process: Running = { ready: false, life: null as never, services: null as never };
    const life = createLife({
      clock,
      machine,
      onTick,
      onDeath: () => {
        tell(() => `a process dies at port call ${portCalls}`);
        handle.crash();
        running.delete(process);
        clock.after(chance.pick(REBORN_AFTER_MS), start);
      },
    });
    const store = storeThroughLife(life, mutant.store ? mutant.store(handle) : handle);
    const dates = createHeardDates(life.clock);
    const own = shared ?? shippingOver({ network, clock: life.clock, dates, random: appRandom, store, ...budget });
    const shipping = shared ? shippingThroughLife(life, own) : own;
    const services = servicesOf({
      store,
      shipping: mutant.shipping ? mutant.shipping(shipping, handle) : shipping,
      shopify: shopifyThroughLife(life, shopify),
      clock: life.clock,
      dates,
      random: appRandom,
      settings: { ...SETTINGS, ...mutant.settings },
    });
    process.life = life;
    process.services = services;
    running.add(process);
    const workers = [startWorker(services, { concurrency: 6, alone: !shared })];
    services.onWake(() => workers.forEach((worker) => worker.wake()));
    void workers[0]!.ready.then(() => {
      process.ready = true;
      while (workers.length < (shared ? 1 : scenery.workers)) workers.push(startWorker(services, { concurrency: 6 }));
    });
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
    someone: () => {
      const ready = [...running].filter((process) => process.ready);
      return ready.length > 0 ? chance.pick(ready).services : null;
    },
    posted: (change) => {
      undelivered += change;
    },
    undelivered: () => undelivered,
  };
}

/** Shopify's deliveries: some never, some twice, late and out of order, again when nobody answered. */
export function post(
  { clock, random, scenery, crew }: { clock: VirtualClock; random: SeededRandom; scenery: Scenery; crew: Crew },
  { shop, topic, locationId }: { shop: string; topic: string; locationId: string | null },
): void {
  const { lost, repeated, lateMs } = scenery.webhooks;
  if (random.chance(lost)) return;
  const webhookId = random.id();
  const payload = locationId === null ? {} : { id: Number(locationId.split("/").at(-1)) };
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
