import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createClock } from "../../app/adapters/machine/clock.ts";
import { mapInTurns } from "../../app/runs/in-turns.ts";

test("gives others their turn whenever it has worked for a while, and keeps the order", async () => {
  let nowMs = 0;
  const workedMs: number[] = [];
  let sinceMs = 0;
  const clock = {
    monotonicMs: () => nowMs,
    turn: async () => {
      workedMs.push(nowMs - sinceMs);
      sinceMs = nowMs;
    },
  };
  const items = Array.from({ length: 100 }, (_one, index) => index);
  const results = await mapInTurns(clock, items, (item) => {
    nowMs += 4;
    return item * 2;
  });
  expect(results).toEqual(items.map((item) => item * 2));
  expect(Math.max(...workedMs)).toBeLessThan(20);
  expect(workedMs.length).toBeGreaterThan(20);
});

test("a short list takes no turn", async () => {
  const clock = { monotonicMs: () => 0, turn: () => Promise.reject(new Error("needless")) };
  expect(await mapInTurns(clock, [1, 2, 3], (item) => item + 1)).toEqual([2, 3, 4]);
});

test("those who wait for a turn go on one at a time, and the event loop goes round between them", async () => {
  const clock = createClock();
  const heard: string[] = [];
  const waiting = ["a", "b", "c"].map((name) => clock.turn(0).then(() => void heard.push(name)));
  for (let round = 0; heard.length < 3; round += 1) {
    const before = heard.length;
    await nextTurn();
    expect(heard.length - before).toBeLessThanOrEqual(1);
    if (round > 10) throw new Error("nobody had a turn");
  }
  await Promise.all(waiting);
  expect(heard).toEqual(["a", "b", "c"]);
});
