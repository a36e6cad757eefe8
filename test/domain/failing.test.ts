import { expect, test } from "vitest";
import { keepsFailing } from "../../app/domain/failing.ts";
import { NOW_MS, targetRecord } from "../fakes/records.ts";

const MINUTE_MS = 60_000;
const OLD = { createdAtMs: NOW_MS - 10 * MINUTE_MS } as const;

test.each([
  ["does not fail", {}, false],
  ["failed four times in a row", { failures: 4, failingSinceMs: NOW_MS - MINUTE_MS }, false],
  ["failed five times in a row", { failures: 5, failingSinceMs: NOW_MS - MINUTE_MS }, true],
  ["has failed for ten minutes, and was raised since", { failures: 0, failingSinceMs: NOW_MS - 10 * MINUTE_MS }, true],
  ["was given up", { state: "parked" }, true],
  // A clock that was right, or another wrong one, wrote it: nobody knows for how long it has failed.
  ["has failed since tomorrow", { failures: 1, failingSinceMs: NOW_MS + 24 * 60 * MINUTE_MS }, true],
  ["has failed since a time that is a few seconds ahead", { failures: 1, failingSinceMs: NOW_MS + 5_000 }, false],
  ["was made long ago and fails since a minute", { ...OLD, failures: 1, failingSinceMs: NOW_MS - MINUTE_MS }, false],
  [
    "is a change by hand, was sent ten minutes ago and fails since a minute",
    { ...OLD, kind: "template", failures: 1, failingSinceMs: NOW_MS - MINUTE_MS },
    true,
  ],
  ["is a change by hand, was sent ten minutes ago and has not failed", { ...OLD, kind: "template" }, false],
] as const)("a target that %s: told is %s %s", (_, over, told) => {
  expect(keepsFailing(targetRecord(over), NOW_MS)).toBe(told);
});
