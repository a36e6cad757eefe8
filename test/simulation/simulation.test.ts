import { describe, expect, test } from "vitest";
import { createVirtualClock } from "../fakes/clock.ts";
import { createMachine } from "../fakes/machine.ts";
import { createMemoryDatabase } from "../fakes/memory-store.ts";
import {
  addressTemplate,
  connectionRecord,
  jobItemRecord,
  linkRecord,
  shopRecord,
  SHOP,
  workItemRecord,
  templateRecord,
} from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import { noteCancelled } from "./oracle/cancelled.ts";
import type { CancelledItem } from "./people/stage.ts";
import { isFaulty } from "./oracle/figures.ts";
import { verdictsShownFresh } from "./oracle/verdicts.ts";
import { MUTANTS } from "./mutants/mutants.ts";
import type { MutantName } from "./mutants/mutants.ts";
import { runBatch } from "./run-batch.ts";
import { pagesOver } from "./story/pages.ts";
import { runStory } from "./story/run-story.ts";
import { createLife, storeThroughLife } from "./story/sim-process.ts";
import { IS_WHOLE } from "../whole.ts";

/** A short form of what `npm run simulate` does at length. */
const SCHEDULES = IS_WHOLE ? 120 : 60;
const batch = { from: 1, count: 120, mutant: null, effectsLaterThanBound: false, untilCaught: false };

test(`${SCHEDULES} stories: nothing is counted against the app`, async () => {
  const { failing } = await runBatch({ ...batch, count: SCHEDULES });
  expect(failing.map(({ seed, verdict }) => ({ seed, verdict }))).toEqual([]);
});

test("a seed replays alone, to the same end", async () => {
  const once = await runStory({ seed: 39 });
  expect(await runStory({ seed: 39 })).toEqual(once);
  const [told, again]: string[][] = [[], []];
  await runStory({ seed: 40, tell: (line) => told!.push(line) });
  await runStory({ seed: 40, tell: (line) => again!.push(line) });
  expect(told!.length).toBeGreaterThan(5);
  expect(again).toEqual(told);
});

test("effects later than the quarantine allows are seen", async () => {
  // Among these at least two meet one.
  const { failing } = await runBatch({ ...batch, from: 201, effectsLaterThanBound: true, untilCaught: true });
  expect(failing).toHaveLength(1);
});

/** Some mutants, each with a seed that catches it; `npm run simulate -- --mutants` plays all of them. */
const SHOWN_BY: Partial<Record<MutantName, number>> = {
  "a PATCH without a GET before it": 1,
  "an unclear create is repeated without looking": 1,
  "a new process sends at once": 336,
  "no quarantine after an unclear end": 99,
  "Home does not say what fails": 6,
  "no fence on a run's writes": 17,
};

describe("a deliberate fault in the protocol is caught", () => {
  test.each(Object.entries(SHOWN_BY))("%s", async (name, from) => {
    const mutant = name as MutantName;
    expect(MUTANTS).toHaveProperty([mutant]);
    const { failing } = await runBatch({ ...batch, from: from!, mutant, untilCaught: true });
    expect(failing.some(({ verdict }) => isFaulty(verdict))).toBe(true);
  });
});

test("the oracle leafs through all pages of the address book, as a person can", async () => {
  const world = await createWorld();
  for (let number = 1; number <= 60; number += 1) {
    const template = addressTemplate({ id: `template-${number}` });
    await world.store.templates.insert(templateRecord({ templateId: template.id, template }));
  }
  const book = await pagesOver(world.services).book(SHOP);
  expect(new Set(book!.rows.map(({ templateId }) => templateId)).size).toBe(60);
});

test("a process that dies in a transaction leaves nothing of it, and never hears again", async () => {
  const clock = createVirtualClock();
  const database = createMemoryDatabase();
  const handle = database.open();
  let calls = 0;
  const life = createLife({
    clock,
    machine: createMachine(clock),
    onTick: (one) => void ((calls += 1) === 3 && one.die()),
    onDeath: () => handle.crash(),
  });
  const store = storeThroughLife(life, handle);
  let heard = false;
  void store
    .transaction(SHOP, async (tables) => {
      await tables.shops.insert(shopRecord());
      await tables.activity.count({});
    })
    .then(() => (heard = true));
  await clock.runFor(1_000);
  expect(heard).toBe(false);
  expect(await database.open().shops.find({ shop: SHOP })).toBeNull();
});

test.each([
  ["sends nothing of it", 1, null, true],
  ["may send what others asked for before the answer came", 2, null, false],
  ["sends nothing whose confirmation was withdrawn, whoever asked", 2, { linkId: null }, true],
])("a job whose cancelling was answered %s", async (_what, generation, confirmed, isNoted) => {
  const database = createMemoryDatabase();
  const store = database.open();
  await store.shops.insert(shopRecord());
  const workItem = workItemRecord({ kind: "location", generation });
  await store.workItems.insert(workItem);
  const item = jobItemRecord({ workItemId: workItem.id, generation: 1, confirmed, state: "cancelled" });
  await store.jobItems.insert(item);
  const cancelled: CancelledItem[] = [];
  noteCancelled({ database, known: { cancelled } }, item.jobId);
  expect(cancelled.map(({ workItemId }) => workItemId)).toEqual(isNoted ? [workItem.id] : []);
});

test.each([
  ["what no list contradicts", { disputedSinceMs: null, leaseOwner: "a run" }, 1],
  ["what a list contradicts and nobody reads anew", { disputedSinceMs: 1, leaseOwner: null }, 1],
  ["what a list contradicted less than a minute ago", { disputedSinceMs: 60_000, leaseOwner: null }, 0],
  ["what a list contradicts, while the location's run reads it", { disputedSinceMs: 1, leaseOwner: "a run" }, 0],
])(
  "a verdict on a former address is shown as fresh: %s",
  async (_what, { disputedSinceMs, leaseOwner }, objections) => {
    const database = createMemoryDatabase();
    const store = database.open();
    const template = addressTemplate();
    const locationId = "gid://shopify/Location/1";
    await store.shops.insert(shopRecord());
    const connection = connectionRecord();
    await store.connections.insert(connection);
    const at = { shop: SHOP, connectionId: connection.id, templateId: template.id };
    await store.links.insert(linkRecord({ ...at, locationId }));
    await store.templates.insert(templateRecord({ ...at, template, disputedSinceMs }));
    await store.workItems.insert(workItemRecord({ shop: SHOP, kind: "location", key: locationId, leaseOwner }));
    const account = {
      templates: new Map([[template.id, template]]),
      askedFor: new Map([[`${template.id} fedex`, ["another address"]]]),
      changedAtMs: () => 0,
    };
    const list = { rows: [{ locationId, standings: [{ carrier: "fedex", outcome: "accepted", stale: false }] }] };
    const shown = verdictsShownFresh(
      { database, accounts: { of: () => account } as never, nowMs: () => 100_000 },
      { shop: SHOP, list: list as never, service: { lastShown: () => Infinity }, disputedAtMs: () => disputedSinceMs },
    );
    expect(shown).toHaveLength(objections);
  },
);

test("a frozen process makes no call before it thaws", async () => {
  const clock = createVirtualClock();
  const database = createMemoryDatabase();
  const handle = database.open();
  const machine = createMachine(clock);
  const life = createLife({ clock, machine, onTick: () => undefined, onDeath: () => undefined });
  const store = storeThroughLife(life, handle);
  const isThere = async () => (await handle.shops.find({ shop: SHOP })) !== null;
  life.freeze(1_000);
  void store.shops.insert(shopRecord());
  await clock.runFor(999);
  expect(await isThere()).toBe(false);
  await clock.runFor(1);
  expect(await isThere()).toBe(true);
});
