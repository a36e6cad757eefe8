import { expect, test } from "vitest";
import { bench } from "../converge.ts";

test("a first sync takes the fewest calls, and as long as two a second allow", async () => {
  const rows = await bench(["--locations", "40", "--templates", "30"]);
  expect(rows.filter(({ goal }) => goal !== "told").map(({ name, met }) => [name, met])).toEqual([
    ["calls ÷ fewest calls", true],
    ["time ÷ (calls ÷ 2 a second)", true],
    ["locations linked", true],
    ["templates in the book", true],
  ]);
});
