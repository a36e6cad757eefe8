import { expect, test } from "vitest";
import { bench } from "../boot.ts";

test("the first page comes with one shop and with more, and each figure is told", async () => {
  const rows = await bench(["--shops", "3", "--rest", "100"]);
  expect(rows.filter(({ goal }) => goal !== "told").map(({ name, goal }) => [name, goal])).toEqual([
    ["3 shops: to the first page", "≤ 1500"],
    ["3 shops: memory at rest", "≤ 150"],
  ]);
  expect(rows.filter(({ figure }) => typeof figure !== "number" || Number.isNaN(figure))).toEqual([]);
});
