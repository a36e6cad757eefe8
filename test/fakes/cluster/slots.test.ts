import { expect, test } from "vitest";
import { createMachine } from "../../../app/adapters/machine/clock.ts";
import { describeTurns, turnOn } from "../../contracts/turns.ts";
import { createVirtualClock } from "../clock.ts";
import { createMemorySlots } from "./slots.ts";

/** The budget in memory promises what PostgreSQL's functions do. */

const slots = createMemorySlots({ clock: createMachine(), isCurrent: () => true }).open();
describeTurns((text, values) => slots.turn(text, values));

test("after a crash of its server nobody has a slot until whatever was sent has arrived", async () => {
  const clock = createVirtualClock();
  const memory = createMemorySlots({ clock, isCurrent: () => true });
  const query = (text: string, values: unknown[]) => memory.open().turn<Record<string, unknown>>(text, values);
  const ask = async () => (await turnOn(query, { own: "crashed", asks: [{}] }))[0]!.wait_ms;
  expect(await ask()).toBeNull();
  memory.crash();
  expect(await ask()).toBe(18_000);
  await clock.runFor(17_999);
  expect(await ask()).toBe(1);
  await clock.runFor(1);
  expect(await ask()).toBeNull();
});
