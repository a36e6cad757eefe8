import { expect, test } from "vitest";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { callsBetween, FAILS, homeOf, HOUR_MS, SILENT, staged } from "./stuck-stage.ts";
import type { Stage } from "./stuck-stage.ts";

/** An address book of several pages to which somebody adds a template whenever a page of it was read. */

const PER_PAGE = 20;

async function restless(pages: number): Promise<Stage> {
  const stage = await staged(1);
  const { world } = stage;
  const { account } = world;
  const like = structuredClone(account.templates.get(stage.stuckId)!);
  const add = (name: string) =>
    account.create({ alias_name: name, address_type: "from", address_attributes: { ...like.address } });
  // One page less at the begin: those that are added fill up the rest.
  for (let count = 0; count < PER_PAGE * (pages - 1) + 1; count += 1) add(`Ajena ${count}`);
  let added = 0;
  world.outcomeOf = (_operation, { operation, page }) => {
    if (operation === "list" && page === pages) {
      const newest = [...account.templates.keys()].at(-1)!;
      account.delete(newest);
      if (added++ % 2 === 0) for (const name of ["uno", "dos"]) add(`${name} ${added}`);
    }
    return PROMPT;
  };
  return stage;
}

const hoursOf = (hours: number): number[] => Array.from({ length: hours }, (_, hour) => hour);

test.each([2, 3, 5, 10, 20, 30, 40])(
  "of %d pages: a look at everything that never gets it whole costs few calls, is told, and ends when it rests",
  async (pages) => {
    const stage = await restless(pages);
    const { world } = stage;
    const sinceMs = world.clock.nowMs();
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(24 * HOUR_MS);
    const [first, ...later] = hoursOf(24).map((hour) =>
      callsBetween(stage, sinceMs + hour * HOUR_MS, sinceMs + (hour + 1) * HOUR_MS),
    );
    // A book mostly changes once, so a short one is read up to five times at first; then one reading at a time, and one at least.
    expect(first).toBeLessThanOrEqual(Math.max(60, 2 * pages));
    for (const count of later) expect(count).toBeLessThanOrEqual(Math.max(12, pages + 1));
    // A book of more pages than twelve is read less often than once an hour.
    expect(later.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(12 * later.length);
    expect((await homeOf(stage)).troubles).toMatchObject([{ trouble: "book", failure: { code: "unreadable" } }]);
    world.outcomeOf = () => PROMPT;
    await world.runFor(7 * HOUR_MS);
    expect(await world.workItem("reconcile", "shop")).toMatchObject({ failures: 0, reason: null });
    await world.clock.runWhile(stage.worker.stop());
  },
);

test("a book that changes during one reading is read again at once", async () => {
  const stage = await restless(3);
  const { world } = stage;
  const meddle = world.outcomeOf;
  let readings = 0;
  world.outcomeOf = (operation, request) => {
    if (operation === "list" && request.page === 1) readings += 1;
    return readings === 1 ? meddle(operation, request) : PROMPT;
  };
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(20_000);
  expect(readings).toBeGreaterThan(1);
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ failures: 0, reason: null });
  await world.clock.runWhile(stage.worker.stop());
});

test("a book that changed during its readings for four minutes is read within ten minutes after", async () => {
  const stage = await restless(2);
  const { world } = stage;
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(4 * 60_000);
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ reason: { code: "unreadable" } });
  world.outcomeOf = () => PROMPT;
  await world.runFor(10 * 60_000);
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ failures: 0, reason: null });
  await world.clock.runWhile(stage.worker.stop());
});

/** A book of so many pages, whose last page the service always fails to give. */
async function broken(pages: number): Promise<Stage> {
  const stage = await staged(1);
  const { account } = stage.world;
  const { address } = structuredClone(account.templates.get(stage.stuckId)!);
  for (let count = 1; count < PER_PAGE * pages; count += 1)
    account.create({ alias_name: `Ajena ${count}`, address_type: "from", address_attributes: { ...address } });
  stage.stick(({ operation, page }) => operation === "list" && page === pages);
  return stage;
}

async function expectWithin(stage: Stage, sinceMs: number, most: { first: number; looks?: number }): Promise<void> {
  await stage.world.runFor(24 * HOUR_MS);
  const [first, ...later] = hoursOf(24).map((hour) =>
    callsBetween(stage, sinceMs + hour * HOUR_MS, sinceMs + (hour + 1) * HOUR_MS),
  );
  expect(first).toBeLessThanOrEqual(most.first);
  expect(later.reduce((sum, count) => sum + count)).toBeLessThanOrEqual(12 * later.length + (most.looks ?? 0));
}

test.each([2, 3, 5, 10, 25, 29, 39, 60])(
  "of %d pages, the last of which always fails: costs few calls, too",
  async (pages) => {
    const stage = await broken(pages);
    const sinceMs = stage.world.clock.nowMs();
    await stage.world.requestWork("reconcile", "shop");
    stage.world.services.wake();
    // Each page before it is read once in the hour. The rest asks for the last page alone, or for a list of one row.
    await expectWithin(stage, sinceMs, { first: Math.max(60, pages + 21) });
    await stage.world.clock.runWhile(stage.worker.stop());
  },
);

test.each([5, 10, 19])("of %d pages, the last of which fails now so and now so: costs no more", async (pages) => {
  const stage = await broken(pages);
  const { world } = stage;
  const ways = [FAILS, SILENT];
  let failed = 0;
  world.outcomeOf = (_, { operation, page }) =>
    operation === "list" && page === pages ? ways[failed++ % ways.length]! : PROMPT;
  const sinceMs = world.clock.nowMs();
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await expectWithin(stage, sinceMs, { first: 60 });
  await world.clock.runWhile(stage.worker.stop());
});

test.each([2, 5, 10, 18, 28])("a create that always fails, in a book of %d pages, costs few calls", async (pages) => {
  const stage = await broken(pages);
  const { world } = stage;
  world.outcomeOf = () => PROMPT;
  await world.requestWork("reconcile", "shop");
  await world.runFor(30 * 60_000);
  stage.stick(({ operation }) => operation === "create");
  const sinceMs = world.clock.nowMs();
  await world.addLocation(2);
  await stage.tell(2);
  // The first try, two readings to know that it made nothing, and the next one. A look at everything comes every six hours all the same, and reads the book twice where something is to be made.
  await expectWithin(stage, sinceMs, { first: 60, looks: 4 * 2 * pages });
  await world.clock.runWhile(stage.worker.stop());
});
