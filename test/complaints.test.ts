import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { expectComplaint, takeComplaints } from "./complaints.ts";

test.each(["error", "warn"] as const)("console.%s is a complaint, with all that was said", (level) => {
  console[level]("three of %s", "four", { and: 5 });
  expect(takeComplaints()).toEqual([`console.${level}: three of four { and: 5 }`]);
});

test("a warning of the process is one", async () => {
  process.emitWarning("something is deprecated");
  await nextTurn();
  expect(takeComplaints()).toEqual([expect.stringContaining("something is deprecated")]);
});

test("one that was expected is none", () => {
  expectComplaint(/of four/);
  console.warn("three of four");
  console.warn("five of four");
  expect(takeComplaints()).toEqual([]);
});

test("one that was expected and does not come is one", () => {
  expectComplaint(/of four/);
  expect(takeComplaints()).toEqual(["expected, but it did not come: /of four/"]);
});

test.fails("a test with a complaint fails", () => {
  console.error("nobody expected this");
});
