import { expect, test } from "vitest";
import type { WorkItemReason } from "../../app/domain/records.ts";
import { afterOwnFailure } from "../../app/runs/own-failure.ts";
import { workItemRecord } from "../fakes/records.ts";

const MINUTE_MS = 60_000;
const reasonOf = (code: WorkItemReason["code"]): WorkItemReason => ({
  ...{ code, message: null, fields: null, requestId: null },
  atMs: 0,
});

/** How long a location rests after its fifth failure in a row, which took so many calls for the address book. */
function restMs(before: WorkItemReason | null, calls = 4): number {
  const item = workItemRecord({ kind: "location", failures: 4, failingSinceMs: 0, reason: before });
  return afterOwnFailure(item, { reason: reasonOf("server_error"), chance: 0, nowMs: 0, calls }).dueAtMs;
}

test.each([
  ["of the same", reasonOf("server_error"), 30 * MINUTE_MS],
  ["of what it then waited behind", reasonOf("book_unconfirmed"), 30 * MINUTE_MS],
  ["of what is forgotten", null, 30 * MINUTE_MS],
  ["of something else, which may have cost one call and is over", reasonOf("edge_blocked"), 32_000],
])("failures cost what the last one did where the one before was %s", (_what, before, ms) => {
  expect(restMs(before)).toBe(ms);
});

test("and no more is let through than a first hour may cost", () => {
  expect(restMs(reasonOf("edge_blocked"), 8)).toBe(60 * MINUTE_MS);
});
