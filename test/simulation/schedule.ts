import type { Store } from "../../app/ports.ts";
import { createVirtualClock } from "../fakes/clock.ts";
import type { VirtualClock } from "../fakes/clock.ts";
import { createMemoryDatabase } from "../fakes/memory-store.ts";
import { createSeededRandom } from "../fakes/random.ts";
import { createFakeAccount } from "../fakes/shipping-account.ts";
import { createFakeNetwork } from "../fakes/shipping-network.ts";
import { createMachine } from "../fakes/machine.ts";
import { createFakeShopify } from "../fakes/shopify.ts";
import { createCrew, post } from "./crew.ts";
import type { Crew } from "./crew.ts";
import { drawFate } from "./fates.ts";
import { judge } from "./judge.ts";
import type { Verdict } from "./judge.ts";
import type { Mutant } from "./mutants.ts";
import { doSomething } from "./people.ts";
import type { Stage } from "./people.ts";
import { drawScenery, furnish } from "./scenery.ts";

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
    left: ({ operation, templateId, body }, fate) =>
      tell(() => `-> ${operation} ${templateId} ${JSON.stringify(body)} ${JSON.stringify(fate)}`),
    verdict: (of, templateId, carrier) => clock.after(30_000, () => of.settle(templateId, carrier, "accepted")),
  });
  const troubles = random.fork("shopify");
  shopify.trouble = () => {
    const calm = clock.nowMs() >= scenery.weather.endsAtMs;
    return {
      delayMs: calm ? 20 : troubles.between(5, 400),
      fails: !calm && troubles.chance(scenery.weather.faults / 3),
    };
  };
  await furnish(scenery, { store: outside, shopify, account, nowMs: START_MS });

  const postage = random.fork("post");
  const crew = createCrew({
    scenery,
    clock,
    machine: createMachine(clock),
    random,
    mutant,
    database,
    network,
    shopify,
    tell,
  });
  const stage: Stage = {
    random: random.fork("people"),
    scenery,
    shopify,
    account,
    nowMs: () => clock.nowMs(),
    visit: () => crew.someone(),
    after: clock.after,
    webhook: (shop, topic, locationId) => {
      // Of a shop that has left Shopify tells nothing but that.
      if (!shopify.isInstalled(shop) && locationId !== null) return;
      post({ clock, random: postage, scenery, crew }, { shop, topic, locationId });
    },
    allowed: new Set(),
    drafts: new Map(),
    away: new Set(),
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
  while (clock.nowMs() < limitMs && (stage.away.size > 0 || !(await isQuiet(outside, clock, crew))));
  const verdict = await judge({
    scenery,
    store: outside,
    shopify,
    account,
    arrivals,
    allowed: stage.allowed,
    drafts: stage.drafts,
  });
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
