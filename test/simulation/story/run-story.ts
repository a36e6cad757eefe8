import { NEVER_MS } from "../../../app/domain/backoff.ts";
import type { Store } from "../../../app/ports.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { unhandledIn } from "../../fakes/unhandled.ts";
import { checkEnd } from "../oracle/oracle.ts";
import type { Verdict } from "../oracle/figures.ts";
import { checkDuring, checkLastPages, checkPages } from "../oracle/during.ts";
import type { Mutant } from "../mutants/mutant.ts";
import {
  changeUnseen,
  changeSomething,
  doSomething,
  linkInstead,
  pauseAndClose,
  saveInSettings,
  sendForm,
} from "../people/actions.ts";
import { leave } from "../people/in-shopify.ts";
import { comeOrGo } from "../people/in-service.ts";
import { awaitsMove } from "../moves/judge.ts";
import { playMovingDay } from "../moves/play.ts";
import { templateOf, webhook } from "../people/stage.ts";
import { drawScenery } from "./scenery.ts";
import type { ServiceAs } from "./service-as.ts";
import { START_MS } from "./start.ts";
import { createStoryWorld } from "./world.ts";
import type { StoryWorld } from "./world.ts";

export interface StoryOptions {
  seed: number;
  mutant?: Mutant | undefined;
  effectsLaterThanBound?: boolean;
  /** The service as it was seen, in place of drawn habits. */
  serviceAs?: ServiceAs | null | undefined;
  /** Several processes with machines and budgets of their own, over what one database promises, in place of what the seed says. */
  cluster?: boolean;
  /** Called with each line of what happens, for reading a single story. */
  tell?: ((line: string) => void) | undefined;
}

export interface StoryResult {
  seed: number;
  virtualMs: number;
  verdict: Verdict;
  /** How often each kind of fault and action was played. */
  played: [kind: string, count: number][];
}

/** The longest rest of a work item, plus a quarantine, plus a margin. */
const CONVERGES_WITHIN_MS = 25 * 60_000;
/** When a location is deactivated whose template cannot be deleted. */
const LEAVES_AFTER_MS = 1_000;
const LOOKS_EVERY_MS = 30_000;
const READS_EVERY_MS = 120_000;

/** Plays one story from a seed: the real rooms, worker and adapters, in a world in which everything can go wrong. */
export async function runStory(options: StoryOptions): Promise<StoryResult> {
  const ended = Promise.withResolvers<StoryResult>();
  const unheard = await unhandledIn(() => play(options).then(ended.resolve, ended.reject));
  const result = await ended.promise;
  for (const failure of new Set(unheard)) result.verdict.lost.push(`nobody heard of a failure: ${failure}`);
  return result;
}

async function play(options: StoryOptions): Promise<StoryResult> {
  const { seed, mutant = {}, effectsLaterThanBound = false, serviceAs, cluster = false } = options;
  const random = createSeededRandom(seed);
  const scenery = drawScenery(random.fork("scenery"), { startMs: START_MS, effectsLaterThanBound, serviceAs });
  const world = await createStoryWorld({ scenery, random, mutant, cluster, line: options.tell });
  const { clock, pool, stage, watch, outside } = world;
  const { endsAtMs } = scenery.weather;
  const read = async () => {
    const pages = pool.pages();
    if (pages) await checkPages(stage, { watch, calmSinceMs: endsAtMs, pages });
  };
  schedule(world);
  const { settingsAtMs } = scenery;
  // A run that slept drops the answers it gets and begins anew. Until then the pages show what was known before.
  const hasJustWoken = () => clock.nowMs() - pool.awakeSinceMs() < LOOKS_EVERY_MS;
  const looks = async () => (clock.nowMs() < endsAtMs || hasJustWoken() ? undefined : read());
  if (settingsAtMs !== null) clock.after(settingsAtMs, () => void saveInSettings(stage, looks));
  pool.boot();
  await clock.runUntil(endsAtMs);
  stage.timeline.tell("machine", () => "the weather ends, and what sticks goes on sticking");
  pool.calm();
  const restarts = scenery.tail === "boot";
  const sticksUntilMs = Math.max(endsAtMs, ...scenery.weather.stuck.map(({ untilMs }) => untilMs));
  // After this, every list and every GET shows what people did last, before the reconcile reads it.
  await clock.runFor(Math.max(scenery.weather.listsBehindMs, scenery.weather.getsBehindMs));
  const restart = () => {
    pool.reboot();
    watch.service.killed();
  };
  if (restarts) restart();
  let readAtMs = clock.nowMs();
  const look = async () => {
    checkDuring(stage, { watch, calmSinceMs: endsAtMs });
    if (clock.nowMs() - readAtMs < READS_EVERY_MS) return;
    if (hasJustWoken()) return;
    readAtMs = clock.nowMs();
    await read();
  };
  while (clock.nowMs() < sticksUntilMs) {
    await clock.runFor(LOOKS_EVERY_MS);
    await look();
  }
  // The next reconcile runs what was parked meanwhile.
  if (restarts && sticksUntilMs > endsAtMs) restart();
  const limitMs = sticksUntilMs + CONVERGES_WITHIN_MS;
  do {
    await clock.runFor(LOOKS_EVERY_MS);
    await look();
  } while (clock.nowMs() < limitMs && !(await isQuiet(world, outside)));
  await read();
  const pages = pool.pages();
  if (pages) await checkLastPages(stage, { watch, pages });
  await checkEnd(stage, { store: outside, watch });
  pool.end();
  return { seed, virtualMs: clock.nowMs() - START_MS, verdict: watch.verdict, played: [...stage.tally.counts] };
}

/** Schedules what people and strangers do, and what happens to templates. */
function schedule({ clock, stage, malformed }: StoryWorld): void {
  const { scenery, random, tally, timeline, accounts } = stage;
  const actions = random.fork("deeds");
  const lastsMs = scenery.weather.endsAtMs - START_MS;
  for (let count = 0; count < scenery.people; count += 1)
    clock.after(actions.between(2_000, lastsMs - 5_000), () => doSomething(stage));
  for (let count = 0; count < scenery.calmPeople; count += 1)
    clock.after(lastsMs + actions.between(2_000, 360_000), () => changeSomething(stage));
  for (const atMs of scenery.stalls?.formsAtMs ?? []) clock.after(atMs, () => sendForm(stage));
  for (const atMs of scenery.linksInstead) clock.after(atMs, () => linkInstead(stage));
  for (const { operation, at, fromMs } of scenery.weather.stuck)
    if (operation === "delete" && at) clock.after(fromMs - START_MS + LEAVES_AFTER_MS, () => void leave(stage, at));
  for (const atMs of scenery.comings)
    clock.after(atMs, () => {
      const done = comeOrGo(stage);
      tally.count("act: comeOrGo");
      timeline.tell("stranger", () => done);
    });
  const [{ shop, locationIds }] = scenery.shops as [(typeof scenery.shops)[number]];
  const own = () => templateOf(stage, { shop, locationId: locationIds[0]! });
  const { vanishes, malformed: spoils } = scenery;
  if (vanishes) {
    clock.after(vanishes.fromMs, () => {
      const templateId = own();
      if (!templateId) return;
      const hide = (hidden: boolean) => accounts.all.forEach((account) => account.hide(templateId, hidden));
      tally.count("service: a template vanishes for a moment");
      timeline.tell("service", () => `${templateId} is not to be found for a while`);
      hide(true);
      clock.after(vanishes.untilMs - vanishes.fromMs, () => hide(false));
    });
  }
  const closing = random.fork("pause and close");
  if (closing.chance(0.08)) {
    const at = { shop, locationId: locationIds[0]! };
    clock.after(closing.between(lastsMs / 3, lastsMs), () => void pauseAndClose(stage, at).catch(() => undefined));
  }
  const moving = random.fork("moving day");
  if (moving.chance(0.06)) {
    const at = { shop, locationId: moving.pick(locationIds) };
    playMovingDay(stage, { at, lastsMs, random: moving });
  }
  const { unseen, behind } = scenery.shopify;
  // Its webhooks tell of what no answer shows yet; somebody may change it more than once meanwhile.
  if (behind) {
    const changes = random.fork("changes unseen");
    for (let count = changes.between(1, 3); count > 0; count -= 1)
      clock.after(changes.between(behind.fromMs - START_MS + 1_000, lastsMs), () => changeUnseen(stage, behind));
  }
  // Shopify's webhook of a change comes sooner than the change is to be read.
  if (unseen) clock.after(unseen.fromMs - START_MS + 1_000, () => webhook(stage, unseen, "locations/update"));
  if (spoils) {
    clock.after(spoils.fromMs, () => {
      const strangers = accounts.all.flatMap(({ templates }) => [...templates.keys()]);
      const templateId = spoils.own ? own() : (strangers[0] ?? null);
      if (!templateId) return;
      timeline.tell("service", () => `${templateId} is shown malformed from now on`);
      malformed.add(templateId);
      if (spoils.untilMs !== null) clock.after(spoils.untilMs - spoils.fromMs, () => malformed.delete(templateId));
    });
  }
}

/**
 * Whether all is quiet: every generation was seen, no location is to be looked at again, no effect is under way, nobody is away, and
 * whatever froze had time to end.
 */
async function isQuiet({ clock, pool, stage }: StoryWorld, store: Store): Promise<boolean> {
  const { known, post, database } = stage;
  if (clock.nowMs() - pool.awakeSinceMs() < LOOKS_EVERY_MS) return false;
  if (known.away.size > 0 || post.undelivered() > 0 || awaitsMove(stage)) return false;
  for (const { state, kind, generation, observedGeneration, leaseUntilMs, dueAtMs } of database.rows("workItems")) {
    const isToCome = generation !== observedGeneration || (kind === "location" && dueAtMs < NEVER_MS);
    if (state === "active" && (isToCome || leaseUntilMs !== null)) return false;
  }
  return (await store.pendingWrites.count({ quarantineUntilMs: { gt: clock.nowMs() } })) === 0;
}
