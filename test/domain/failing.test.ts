import { expect, test } from "vitest";
import { keepsFailing } from "../../app/domain/failing.ts";
import { NOW_MS, targetRecord } from "../fakes/records.ts";

const MINUTE_MS = 60_000;

test.each([
  ["does not fail", {}, false],
  ["failed four times in a row", { failures: 4, failingSinceMs: NOW_MS - MINUTE_MS }, false],
  ["failed five times in a row", { failures: 5, failingSinceMs: NOW_MS - MINUTE_MS }, true],
  ["has failed for ten minutes, and was raised since", { failures: 0, failingSinceMs: NOW_MS - 10 * MINUTE_MS }, true],
  ["was given up", { state: "parked" }, true],
] as const)("a target that %s: told is %s %s", (_, over, told) => {
  expect(keepsFailing(targetRecord(over), NOW_MS)).toBe(told);
});
