import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { machineWaitsMs } from "./machine-waits.ts";

test("a process that nobody knows has waited for nothing", () => {
  expect([machineWaitsMs(null), machineWaitsMs(2 ** 30)]).toEqual([0, 0]);
});

test.runIf(existsSync("/proc/self/schedstat"))("two that share one processor each wait for the other", async () => {
  const busy = "setTimeout(() => {}, 60000); while (true);";
  const two = [1, 2].map(() => spawn("taskset", ["-c", "0", process.execPath, "-e", busy]));
  try {
    await expect.poll(() => two.every(({ pid }) => machineWaitsMs(pid!) > 100)).toBe(true);
  } finally {
    for (const one of two) one.kill("SIGKILL");
  }
});
