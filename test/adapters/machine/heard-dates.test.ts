import { expect, test } from "vitest";
import { createHeardDates } from "../../../app/adapters/machine/heard-dates.ts";
import { createProcessClock } from "../../../app/adapters/machine/clock.ts";
import { createVirtualClock } from "../../fakes/clock.ts";
import { createMachine } from "../../fakes/machine.ts";

const HOUR_MS = 3_600_000;
const SAID_MS = Date.parse("Sat, 22 Nov 2026 10:00:00 GMT");

function listening() {
  const world = createVirtualClock(SAID_MS + 700);
  const machine = createMachine(world);
  return { world, machine, dates: createHeardDates(createProcessClock(machine)) };
}

test("a server's last word goes on with the monotonic clock, each source by itself", async () => {
  const { world, dates } = listening();
  dates.heard("service", "Sat, 22 Nov 2026 10:00:00 GMT");
  await world.runFor(60_000);
  dates.heard("shopify", "Sat, 22 Nov 2026 10:01:00 GMT");
  dates.heard("service", undefined);
  dates.heard("service", "yesterday");
  await world.runFor(60_000);
  expect(dates.opinions()).toEqual([
    { source: "service", nowMs: SAID_MS + 120_000 },
    { source: "shopify", nowMs: SAID_MS + 120_000 },
  ]);
  await world.runFor(24 * HOUR_MS);
  expect(dates.opinions()).toEqual([]);
});

test("a word says nothing more once the machine slept or its clock was set, until that is taken back", async () => {
  const { world, machine, dates } = listening();
  dates.heard("service", "Sat, 22 Nov 2026 10:00:00 GMT");
  machine.jump(-HOUR_MS);
  expect(dates.opinions()).toEqual([]);
  machine.jump(HOUR_MS);
  expect(dates.opinions()).toHaveLength(1);
  machine.suspend(HOUR_MS);
  await world.runFor(2 * HOUR_MS);
  expect(dates.opinions()).toEqual([]);
});
