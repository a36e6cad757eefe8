import { setTimeout as sleep } from "node:timers/promises";
import { confirmReviewed } from "../../sandbox/play/mapped-shops.ts";
import * as pages from "../../sandbox/play/pages.ts";
import { until } from "../../sandbox/play/until.ts";
import type { StuckShop, StuckWorld } from "./stuck-world.ts";
import { addressOf, WORDS } from "./stuck-world.ts";

/** What is measured of one stuck operation; times are null where it never came. */
export interface StuckStory {
  /** From the change until the last healthy location's template had followed. */
  allFollowedMs: number | null;
  /** Healthy ones that never did, by name. */
  behind: string[];
  /**
   * From the first call that failed until Home of each shop concerned named what is stuck, with the service's words and a request id that
   * the service got.
   */
  onHomeMs: number | null;
  /** What Home lacked, when it did not come. */
  missingOnHome: string[];
  /** Calls of what is stuck, per shop concerned, while this was looked at, and for how long that was. */
  stuckCallsEach: number;
  watchedMs: number;
  /** With the list stuck: what the page of a location that opened meanwhile says; null where that does not apply. */
  newcomer: string | null;
}

const LOOKS_EVERY_MS = 1_000;

/** How long it has failed when the others change: by then a connection that rests would be resting. */
const FAILS_FIRST_MS = 15_000;
/** A list that does not answer is the connection's failure at first; that it is the list alone is known within a minute or so. */
const SILENT_FIRST_MS = 75_000;

/** Lets it fail first, then changes every healthy location, and watches until all is seen or the time is over. */
export async function playStuck(
  world: StuckWorld,
  { followWithinMs, homeWithinMs }: { followWithinMs: number; homeWithinMs: number },
): Promise<StuckStory> {
  const { sandbox, shops, mode } = world;
  const calls = world.getStuck();
  const listIsStuck = mode === "list" || mode === "slow-list";
  await (listIsStuck ? restart(world) : changeTheStuck(world));
  await until({
    what: "The first call that fails",
    read: calls,
    holds: (count) => count > 0,
    withinMs: 60_000,
  });
  const failsSinceMs = Date.now();
  await sleep(mode === "slow-list" ? SILENT_FIRST_MS : FAILS_FIRST_MS);
  const changedAtMs = Date.now();
  const street = "Avenida Hidalgo";
  for (const { state, healthy } of shops)
    for (const { id } of healthy) sandbox.admin.locations.change(state, id, { address: addressOf(street, id % 1_000) });
  const newcomers = listIsStuck ? await openOne(world) : [];
  const concerned = shops.filter(({ stuckTemplateId }) => stuckTemplateId !== null || newcomers.length > 0);
  const story: StuckStory = {
    allFollowedMs: null,
    behind: [],
    onHomeMs: null,
    missingOnHome: [],
    stuckCallsEach: 0,
    watchedMs: 0,
    newcomer: null,
  };
  while (Date.now() - failsSinceMs < homeWithinMs) {
    const changedMs = Date.now() - changedAtMs;
    story.behind = shops.flatMap((shop) => behindIn(world, shop, street));
    if (story.allFollowedMs === null && story.behind.length === 0) story.allFollowedMs = changedMs;
    story.missingOnHome = await missingOnHomes(world, concerned);
    if (story.onHomeMs === null && story.missingOnHome.length === 0) story.onHomeMs = Date.now() - failsSinceMs;
    if (story.allFollowedMs !== null && story.onHomeMs !== null) break;
    if (story.allFollowedMs === null && changedMs > followWithinMs) break;
    await sleep(LOOKS_EVERY_MS);
  }
  for (const { shop, id } of newcomers) story.newcomer = (await pages.origin(shop, id)).state;
  return { ...story, stuckCallsEach: calls() / Math.max(1, concerned.length), watchedMs: Date.now() - failsSinceMs };
}

/** The look at everything after a start reads the list. */
async function restart({ sandbox: { app } }: StuckWorld): Promise<void> {
  await app.stop();
  await app.start();
}

async function changeTheStuck({ sandbox, shops }: StuckWorld): Promise<void> {
  for (const { state, stuckTemplateId } of shops) {
    const [first] = state.locations.values();
    if (stuckTemplateId !== null && first)
      sandbox.admin.locations.change(state, first.id, { address: addressOf("Calle Atorada", 1) });
  }
}

function behindIn({ service }: StuckWorld, shop: StuckShop, street: string): string[] {
  const templates = service.templates(shop.clientId, "production");
  return shop.healthy.flatMap(({ name, id }) => {
    const template = templates.find((each) => String(each["alias_name"]).startsWith(`${name} [`));
    const { street1, street_number: number } = (template?.["address"] ?? {}) as Record<string, string>;
    return street1 === street && number === String(id % 1_000) ? [] : [name];
  });
}

/** Home as data: whatever it shows of it, the words and the request id are in there. */
async function missingOnHomes(world: StuckWorld, concerned: readonly StuckShop[]): Promise<string[]> {
  const ids = world.stuckRequestIds();
  const missing: string[] = [];
  for (const shop of concerned) {
    const home = JSON.stringify(await pages.home(shop));
    // A list that does not answer in time says no words.
    if (world.mode !== "slow-list" && !home.includes(WORDS)) missing.push(`${shop.name}: the service's words`);
    if (![...ids].some((id) => id !== "" && home.includes(id))) missing.push(`${shop.name}: a request id`);
  }
  return missing;
}

/** A location that opens while the list is stuck, confirmed by its owner: making its template must wait. */
async function openOne({ sandbox, shops }: StuckWorld): Promise<{ shop: StuckShop; id: number }[]> {
  const opened: { shop: StuckShop; id: number }[] = [];
  for (const shop of shops) {
    const address = { ...addressOf("Calle Nueva", 7), phone: "3336151111" };
    const outcome = sandbox.admin.locations.create(shop.state, { name: `Nueva ${shop.plan.handle}`, address });
    if (!outcome.ok) throw new Error(outcome.problem);
    opened.push({ shop, id: outcome.location.id });
  }
  await sandbox.admin.webhooks.idle();
  for (const { shop } of opened)
    for (let tries = 0; tries < 30; tries += 1) {
      if ((await confirmReviewed(shop)).length > 0) break;
      await sleep(LOOKS_EVERY_MS);
    }
  return opened;
}
