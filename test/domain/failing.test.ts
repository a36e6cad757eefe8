import { describe, expect, test } from "vitest";
import { NEVER_MS } from "../../app/domain/backoff.ts";
import { keepsFailing, waitsLong } from "../../app/domain/failing.ts";
import type { WorkItemReason } from "../../app/domain/records.ts";
import { NOW_MS, workItemRecord } from "../fakes/records.ts";

const MINUTE_MS = 60_000;

test.each([
  ["does not fail", {}, false],
  ["failed four times in a row", { failures: 4, failingSinceMs: NOW_MS - MINUTE_MS }, false],
  ["failed five times in a row", { failures: 5, failingSinceMs: NOW_MS - MINUTE_MS }, true],
  [
    "has failed for ten minutes, and was requested again since",
    { failures: 0, failingSinceMs: NOW_MS - 10 * MINUTE_MS },
    true,
  ],
  [
    "failed once, after it had waited for ten minutes",
    { failures: 1, failingSinceMs: NOW_MS - MINUTE_MS, pendingSinceMs: NOW_MS - 10 * MINUTE_MS },
    true,
  ],
  ["waits for ten minutes and has not failed", { pendingSinceMs: NOW_MS - 10 * MINUTE_MS }, false],
  ["was given up", { state: "parked" }, true],
  // A clock that was right, or another wrong one, wrote it: nobody knows for how long it has failed.
  ["has failed since tomorrow", { failures: 1, failingSinceMs: NOW_MS + 24 * 60 * MINUTE_MS }, true],
  ["has failed since a time that is a few seconds ahead", { failures: 1, failingSinceMs: NOW_MS + 5_000 }, false],
  [
    "was last written long ago and fails since a minute",
    { updatedAtMs: 1, failures: 1, failingSinceMs: NOW_MS - MINUTE_MS },
    false,
  ],
] as const)("a work item that %s: told is %s %s", (_, over, told) => {
  expect(keepsFailing(workItemRecord(over), NOW_MS)).toBe(told);
});

describe("a work item that something was asked of ten minutes ago waits long", () => {
  const reason: WorkItemReason = {
    code: "book_unreadable",
    message: null,
    fields: null,
    requestId: null,
    atMs: NOW_MS,
  };
  const waiting = { reason, dueAtMs: NOW_MS + MINUTE_MS, pendingSinceMs: NOW_MS - 10 * MINUTE_MS };

  test.each([
    ["for the reason that it gives", {}, true],
    ["also while a run looks again", { dueAtMs: NOW_MS, leaseUntilMs: NOW_MS + MINUTE_MS }, true],
    ["but not since nine minutes", { pendingSinceMs: NOW_MS - 9 * MINUTE_MS }, false],
    ["but not where it only stands in the queue", { dueAtMs: NOW_MS - 2 * MINUTE_MS }, false],
    ["but not where it was asked anew a moment ago", { reason: null }, false],
    ["but not where a job that was cancelled left it", { dueAtMs: NEVER_MS }, false],
    ["but not once it was served", { observedGeneration: 1, pendingSinceMs: null }, false],
  ])("%s", (_, over, told) => {
    expect(waitsLong(workItemRecord({ ...waiting, ...over }), NOW_MS)).toBe(told);
  });
});
