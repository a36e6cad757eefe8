import { describe, expect, test } from "vitest";
import { createLife, storeThroughLife } from "./sim-process.ts";
import { createVirtualClock } from "../fakes/clock.ts";
import { createMachine } from "../fakes/machine.ts";
import { createMemoryDatabase } from "../fakes/memory-store.ts";
import { shopRecord, SHOP } from "../fakes/records.ts";
import type { MutantName } from "./mutants.ts";
import { isFaulty, runBatch } from "./run-batch.ts";
import { runSchedule } from "./schedule.ts";

/** A short run of what `npm run simulate` does at length. */
const SCHEDULES = 300;

const batch = { from: 1, count: SCHEDULES, mutant: null, effectsLaterThanBound: false, untilCaught: false };

test(`${SCHEDULES} stories: nothing lost, doubled, overwritten or too fast`, { timeout: 240_000 }, async () => {
  const { totals, failing } = await runBatch(batch);
  expect(failing).toEqual([]);
  expect(totals).toMatchObject({ schedules: SCHEDULES, lost: 0, duplicates: 0, overwritten: 0, secondsOverLimit: 0 });
});

test("a seed replays alone, to the same end", async () => {
  const once = await runSchedule({ seed: 39 });
  expect(await runSchedule({ seed: 39 })).toEqual(once);
  const [told, again]: string[][] = [[], []];
  await runSchedule({ seed: 40, tell: (line) => told!.push(line) });
  await runSchedule({ seed: 40, tell: (line) => again!.push(line) });
  expect(told!.length).toBeGreaterThan(5);
  expect(again).toEqual(told);
});

test("effects later than the quarantine allows are seen", { timeout: 240_000 }, async () => {
  const { failing } = await runBatch({ ...batch, effectsLaterThanBound: true, untilCaught: true });
  expect(failing).toHaveLength(1);
});

/** The seeds that showed them first; `npm run simulate -- --mutants` looks for them anew. */
const SHOWN_BY: Record<MutantName, number> = {
  "no intent is written before a write": 8,
  "no quarantine after an unclear end": 16,
  "no fence on a run's writes": 294,
  "an unclear end counts as a refusal": 8,
  "an unclear update counts as done, its payload trusted": 64,
  "a PATCH without a GET before it": 1,
  "what they had before is not compared": 1,
  "a change during a run is taken for seen": 44,
  "an unclear create is repeated without looking": 1,
  "only the first page is looked at": 135,
  "a new process sends at once": 1,
  "a slot without an answer is free after a second": 192,
};

describe("a deliberate fault in the protocol is caught", () => {
  test.each(Object.entries(SHOWN_BY) as [MutantName, number][])("%s", { timeout: 240_000 }, async (mutant, seed) => {
    const { failing } = await runBatch({ ...batch, from: seed, mutant, untilCaught: true });
    expect(failing.some(isFaulty)).toBe(true);
  });
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
    .transaction(async (tables) => {
      await tables.shops.insert(shopRecord());
      await tables.activity.count({});
    })
    .then(() => (heard = true));
  await clock.runFor(1_000);
  expect(heard).toBe(false);
  expect(await database.open().shops.find({ shop: SHOP })).toBeNull();
});
