import { expect, test } from "vitest";
import { bench } from "../limiters.ts";
import { LIMITERS } from "./contenders.ts";
import { pictureOf } from "./picture.ts";

test("each limiter has its rows, something of each arrives, and ours is never over", async () => {
  const rows = await bench(["--seconds", "4"]);
  const namesOf = (figure: string) => rows.filter(({ name }) => name.endsWith(`: ${figure}`));
  for (const { words } of LIMITERS) expect(rows.filter(({ name }) => name.startsWith(`${words}: `)).length).toBe(4);
  expect(namesOf("calls a second").filter(({ figure }) => !(Number(figure) > 0))).toEqual([]);
  expect(rows.filter(({ goal }) => goal !== "told")).toEqual([
    expect.objectContaining({ name: "ours: sliding seconds over 2", figure: 0, met: true }),
    expect.objectContaining({ name: "ours: most arrivals in a second", met: true }),
  ]);
});

test("the picture says in words what its bars show", () => {
  const picture = pictureOf([{ words: "ours", overEachMinute: 0, eachSecond: 1.6 }], { longestDelayMs: 400 });
  expect(picture).toContain('role="img"');
  expect(picture).toMatch(/<desc id="description">.*ours: 0 a minute, 1\.60 calls a second\.<\/desc>/);
});
