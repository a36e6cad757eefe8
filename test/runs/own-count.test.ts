import { expect, test } from "vitest";
import { countAsKnown, keepKnown, knownForMs } from "../../app/runs/own-count.ts";
import { createWorld } from "../fakes/world.ts";

const MINUTE_MS = 60_000;

test("what a process knows of is counted from when it first knew of it, whatever the wall clock says", async () => {
  const { clock, machine, services } = await createWorld();
  expect(knownForMs(services.clock, "a")).toBe(0);
  await clock.runFor(MINUTE_MS);
  machine.jump(24 * 60 * MINUTE_MS);
  expect(knownForMs(services.clock, "a")).toBe(MINUTE_MS);
});

test("something else under the same key is counted anew", async () => {
  const { clock, services } = await createWorld();
  knownForMs(services.clock, "a", 1);
  await clock.runFor(MINUTE_MS);
  expect(knownForMs(services.clock, "a", 2)).toBe(0);
});

test("what another process has counted goes on", async () => {
  const { clock, services } = await createWorld();
  countAsKnown(services.clock, "a", MINUTE_MS);
  await clock.runFor(MINUTE_MS);
  expect(knownForMs(services.clock, "a")).toBe(2 * MINUTE_MS);
});

test("what is gone is forgotten, and not what came while it was looked for, nor what has another name", async () => {
  const { clock, services } = await createWorld();
  for (const key of ["one a", "one b", "two a"]) countAsKnown(services.clock, key, MINUTE_MS);
  const readMs = services.clock.monotonicMs();
  await clock.runFor(MINUTE_MS);
  knownForMs(services.clock, "one c");
  await clock.runFor(5);
  keepKnown(services.clock, "one ", { keys: ["one a"], readMs });
  const known = ["one a", "one b", "one c", "two a"].map((key) => knownForMs(services.clock, key));
  expect(known).toEqual([2 * MINUTE_MS + 5, 0, 5, 2 * MINUTE_MS + 5]);
});
