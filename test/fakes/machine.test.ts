import { expect, test } from "vitest";
import { createProcessClock } from "../../app/adapters/machine/clock.ts";
import { createVirtualClock } from "./clock.ts";
import { createMachine } from "./machine.ts";

function started() {
  const world = createVirtualClock(1_000_000);
  const machine = createMachine(world);
  return { world, machine, clock: createProcessClock(machine) };
}

test("a process's time of day goes on evenly while the wall clock is set, until it is adjusted", async () => {
  const { world, machine, clock } = started();
  await world.runFor(500);
  machine.jump(60_000);
  expect([clock.nowMs(), clock.machineMs()]).toEqual([1_000_500, 1_060_500]);
  await world.runFor(500);
  machine.jump(-3_600_000);
  expect(clock.nowMs()).toBe(1_001_000);
  clock.adjust(clock.machineMs() - clock.nowMs());
  expect(clock.nowMs()).toBe(clock.machineMs());
});

test("a process that begins while the wall clock is wrong believes it", async () => {
  const { world, machine } = started();
  machine.jump(86_400_000);
  await world.runFor(1_000);
  const second = createProcessClock(machine);
  expect(second.nowMs()).toBe(1_000_000 + 86_400_000 + 1_000);
});

test("while a machine sleeps no timer fires and only its wall clock goes on", async () => {
  const { world, machine, clock } = started();
  const fired: number[] = [];
  clock.after(2_000, () => fired.push(world.nowMs()));
  await world.runFor(1_000);
  machine.suspend(10_000);
  await world.runFor(5_000);
  expect([Math.floor(clock.monotonicMs()), clock.nowMs(), clock.machineMs()]).toEqual([1_000, 1_001_000, 1_006_000]);
  await world.runFor(60_000);
  expect(fired).toEqual([1_012_000]);
  expect(Math.floor(clock.monotonicMs())).toBe(56_000);
});
