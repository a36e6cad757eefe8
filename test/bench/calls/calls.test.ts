import { expect, test } from "vitest";
import { bench } from "../calls.ts";

test("each contender answers in turns, and each ratio has a row with its goal", async () => {
  const rows = await bench(["--rounds", "2", "--calls", "20", "--warm-up", "1"]);
  const ratios = rows.filter(({ goal }) => goal !== "told");
  expect(ratios.map(({ goal }) => goal)).toEqual(["≤ 1.5", "≤ 1.5", "< 1", "< 1", "≤ 1.5", "≤ 1.5", "< 1", "< 1"]);
  expect(rows.filter(({ figure }) => !(Number(figure) > 0))).toEqual([]);
  expect(new Set(rows.map(({ name }) => name)).size).toBe(rows.length);
});
