import { expect, test } from "vitest";
import type { TestSpecification, Vitest } from "vitest/node";
import { LongestFirst } from "./longest-first.ts";

interface Kept {
  project?: string;
  size: number;
  /** Of the last run; null: none. */
  duration: number | null;
}

/** The names in the order in which they begin. */
async function order(files: Record<string, Kept>): Promise<string[]> {
  const of = (key: string) => files[key.split(":")[1]!]!;
  const cache = {
    getFileTestResults: (key: string) =>
      of(key).duration === null ? undefined : { duration: of(key).duration, failed: false },
    getFileStats: (key: string) => ({ size: of(key).size }),
  };
  const sequencer = new LongestFirst({ cache, config: { root: "/root" } } as unknown as Vitest);
  const specifications = Object.entries(files).map(
    ([name, { project = "unit" }]) => ({ project: { name: project }, moduleId: `/root/${name}` }) as TestSpecification,
  );
  return (await sequencer.sort(specifications)).map(({ moduleId }) => moduleId.slice("/root/".length));
}

test("what took longest in the last run begins first, whatever its size", async () => {
  expect(
    await order({
      quick: { size: 90_000, duration: 10 },
      slow: { size: 100, duration: 9_000 },
      middling: { project: "e2e", size: 5_000, duration: 500 },
    }),
  ).toEqual(["slow", "middling", "quick"]);
});

test("what has never run here is guessed: by its folder, then by size", async () => {
  expect(
    await order({
      small: { size: 1_000, duration: null },
      large: { size: 20_000, duration: null },
      "test/adapters/store/processes.test.ts": { size: 500, duration: null },
      "test/e2e/browser.test.ts": { project: "e2e", size: 500, duration: null },
      quick: { size: 1_000, duration: 1_000 },
    }),
  ).toEqual(["test/e2e/browser.test.ts", "test/adapters/store/processes.test.ts", "large", "quick", "small"]);
});
