import { expect, test } from "vitest";
import { runScript } from "../adapters/store/processes/run.ts";

/** A process of its own, whose errors nobody caught. */

test("a rejection nobody handled is logged and counted, and the process goes on; a thrown error ends it", async () => {
  const script = runScript({ script: `${import.meta.dirname}/processes/uncaught.ts` });
  await script.line("goes on");
  expect(await script.ended).toBe(1);
  const logged = script.lines
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as { level: number; msg: string; rejections?: number; error: { message: string } });
  expect(logged.map(({ msg, rejections, error }) => [msg, rejections, error.message])).toEqual([
    ["nobody handled a rejected promise", 1, "no answer to Bearer [redacted]"],
    ["nobody handled a rejected promise", 2, "a word, Bearer [redacted]"],
    ["the process cannot go on", undefined, "half-way with access_token=[redacted]"],
  ]);
  expect(script.lines.join("\n")).not.toMatch(/abcdefgh/);
});
