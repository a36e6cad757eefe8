import { expect, test } from "vitest";
import { createProcessClock } from "../../../app/adapters/machine/clock.ts";
import { createHeardDates } from "../../../app/adapters/machine/heard-dates.ts";
import { createSharedClock } from "../../../app/adapters/machine/shared-clock.ts";
import { createTimekeeper } from "../../../app/worker/timekeeper.ts";
import { createVirtualClock } from "../../fakes/clock.ts";
import { createMachine } from "../../fakes/machine.ts";
import { createMemoryDatabase } from "../../fakes/memory-store.ts";
import { QUIET, SETTINGS } from "../../fakes/app-process.ts";
import { pendingWriteRecord, SHOP, shopRecord, workItemRecord } from "../../fakes/records.ts";

/** Machines whose wall clocks are wrong, and one database whose time they go by. */

const HOUR_MS = 3_600_000;
const NEAR_MS = 150;
/** How long the timekeepers' looks may take of the virtual time. */
const LOOKS_MS = 3_000;

function createPlace() {
  const world = createVirtualClock();
  const database = { aheadMs: 0, isThere: true, tookMs: 4 };
  const memory = createMemoryDatabase();

  /** A machine that is ahead by so much, a process on it, and its timekeeper. */
  const boot = async (aheadMs: number) => {
    const machine = createMachine(world);
    machine.jump(aheadMs);
    const askMs = async () => {
      const { tookMs } = database;
      await world.sleep(tookMs / 2);
      if (!database.isThere) throw new Error("gone");
      const timeMs = world.nowMs() + database.aheadMs;
      await machine.whileAwake(world.sleep(tookMs / 2));
      return timeMs;
    };
    const clock = await world.runWhile(createSharedClock({ machine, askMs, log: QUIET }));
    const store = memory.open();
    const services = { store, clock, dates: createHeardDates(clock), log: QUIET, settings: SETTINGS } as never;
    return { machine, clock, store, keeper: createTimekeeper(services, { alone: false }) };
  };
  const timeMs = () => world.nowMs() + database.aheadMs;
  const errorOf = ({ clock }: Awaited<ReturnType<typeof boot>>) => Math.abs(clock.nowMs() - timeMs());
  return { world, database, boot, timeMs, errorOf };
}

test("processes whose machines are an hour off say the database's time, by both of their clocks", async () => {
  const { boot, errorOf, timeMs } = createPlace();
  for (const aheadMs of [0, HOUR_MS, -HOUR_MS]) {
    const booted = await boot(aheadMs);
    expect(errorOf(booted)).toBeLessThan(NEAR_MS);
    expect(Math.abs(booted.clock.machineMs() - timeMs())).toBeLessThan(NEAR_MS);
  }
});

test("setting a wall clock changes nothing, and both clocks say the database's time again soon", async () => {
  const { world, boot, errorOf, timeMs } = createPlace();
  const booted = await boot(0);
  const adjusted: number[] = [];
  const { adjust } = booted.clock;
  booted.clock.adjust = (byMs) => void (adjusted.push(byMs), adjust(byMs));
  booted.machine.jump(HOUR_MS);
  expect(booted.clock.sharedAheadMs!()).toBe(null);
  await world.runWhile(booted.keeper.look());
  await world.runFor(3_000);
  expect(Math.abs(booted.clock.machineMs() - timeMs())).toBeLessThan(NEAR_MS);
  await world.runWhile(booted.keeper.look());
  expect(errorOf(booted)).toBeLessThan(NEAR_MS);
  expect(adjusted).toEqual([]);
});

test("clocks that drift are corrected by little and little", async () => {
  const { world, database, boot, errorOf } = createPlace();
  const booted = await boot(0);
  for (let times = 0; times < 60; times += 1) {
    database.aheadMs += 30;
    const before = booted.clock.nowMs() - booted.clock.monotonicMs();
    await world.runFor(10_000);
    expect(errorOf(booted)).toBeLessThan(NEAR_MS);
    expect(Math.abs(booted.clock.nowMs() - booted.clock.monotonicMs() - before)).toBeLessThan(NEAR_MS);
  }
});

test("an answer that took long does not count where a shorter one came", async () => {
  const { world, database, boot, errorOf } = createPlace();
  const booted = await boot(0);
  database.tookMs = 900;
  world.after(11_000, () => (database.tookMs = 4));
  await world.runFor(30_000);
  expect(errorOf(booted)).toBeLessThan(NEAR_MS);
});

test.each([
  ["a machine that slept", HOUR_MS],
  ["a database whose clock was set ahead", HOUR_MS],
  ["a database whose clock was set back", -HOUR_MS],
])("%s: the date is taken over at once, and what is waited for begins anew", async (what, byMs) => {
  const { world, database, boot, errorOf, timeMs } = createPlace();
  const [one, two] = [await boot(0), await boot(HOUR_MS)];
  await one.store.shops.insert(shopRecord());
  const untilMs = timeMs() + 30_000;
  const lease = { leaseOwner: "me", leaseUntilMs: untilMs, dueAtMs: untilMs };
  await one.store.workItems.insert(workItemRecord({ id: "held", ...lease }));
  await one.store.pendingWrites.insert(pendingWriteRecord({ committedAtMs: timeMs(), quarantineUntilMs: untilMs }));
  if (what.startsWith("a machine")) {
    one.machine.suspend(byMs);
    await world.runFor(byMs + 2_000);
  } else {
    database.aheadMs += byMs;
    await world.runFor(12_000);
  }
  for (const { keeper } of [one, two]) await world.runWhile(keeper.look());
  expect([one, two].map(errorOf).every((errorMs) => errorMs < NEAR_MS)).toBe(true);
  const held = (await one.store.workItems.find({ shop: SHOP }))!;
  expect(Math.abs(held.leaseUntilMs! - timeMs() - SETTINGS.leaseMs)).toBeLessThan(LOOKS_MS);
  const unclear = (await one.store.pendingWrites.find({ shop: SHOP }))!;
  expect(Math.abs(unclear.quarantineUntilMs - timeMs() - SETTINGS.quarantineMs)).toBeLessThan(LOOKS_MS);
});

test("while the database is gone the time goes on, and a sleep in that time is made up for when it is back", async () => {
  const { world, database, boot, errorOf } = createPlace();
  const booted = await boot(0);
  database.isThere = false;
  await world.runFor(60_000);
  expect(errorOf(booted)).toBeLessThan(NEAR_MS);
  booted.machine.suspend(HOUR_MS);
  await world.runFor(HOUR_MS + 5_000);
  await world.runWhile(booted.keeper.look());
  expect(booted.clock.sharedAheadMs!()).toBe(null);
  database.isThere = true;
  await world.runFor(12_000);
  await world.runWhile(booted.keeper.look());
  expect(errorOf(booted)).toBeLessThan(NEAR_MS);
});

test("a process that goes by its own time has no other to follow", () => {
  expect(createProcessClock(createMachine(createVirtualClock())).sharedAheadMs).toBe(undefined);
});
