import { expect, test } from "vitest";
import { bench } from "../soak-memory.ts";
import { slopeOf } from "./slope.ts";

const NAME = "95 % interval of the heap's slope";

test("a shop's hours are played, and nothing is astray in the end", async () => {
  const rows = await bench(["--hours", "2", "--warm-up", "1"]);
  expect(rows[0]).toMatchObject({
    name: NAME,
    goal: "contains 0",
    figure: expect.stringMatching(/^-?[\d.]+ to -?[\d.]+$/),
  });
  expect(rows.find(({ name }) => name.startsWith("locations astray"))).toMatchObject({ met: true });
});

test("it sees what piles up", async () => {
  const rows = await bench(["--hours", "2", "--warm-up", "1", "--leak", "1000"]);
  expect(rows[0]).toMatchObject({ name: NAME, met: false });
});

test("a line's slope, and between what it lies", () => {
  const wave = Array.from({ length: 100 }, (_one, hour) => [hour, hour % 2] as const);
  const { slope, low, high } = slopeOf(wave.map(([hour, up]) => [hour, 3 * hour + up]));
  expect(slope).toBeCloseTo(3, 2);
  expect([low < 3, high > 3, high - low < 0.02]).toEqual([true, true, true]);
  expect(() => slopeOf([[0, 1]])).toThrow("too few");
});

test("neighbours that are alike say less", () => {
  const blocks = (length: number) =>
    slopeOf(Array.from({ length: 120 }, (_one, hour) => [hour, Math.floor(hour / length) % 2] as const));
  const width = ({ low, high }: { low: number; high: number }) => high - low;
  expect(width(blocks(10))).toBeGreaterThan(2 * width(blocks(1)));
});
