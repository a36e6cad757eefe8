import { expect, test } from "vitest";
import type { WorkItemReason } from "../../app/domain/records.ts";
import { afterOwnFailure } from "../../app/runs/own-failure.ts";
import { workItemRecord } from "../fakes/records.ts";

const MINUTE_MS = 60_000;
const reasonOf = (code: WorkItemReason["code"], calls?: number): WorkItemReason => ({
  ...{ code, message: null, fields: null, requestId: null, ...(calls === undefined ? {} : { calls }) },
  atMs: 0,
});
const fails = { reason: reasonOf("server_error"), chance: 0, nowMs: 0 };

/** How long a location rests after its fifth failure in a row, which took four calls for the address book. */
function restMs(before: WorkItemReason | null): number {
  const item = workItemRecord({ kind: "location", failures: 4, failingSinceMs: 0, reason: before });
  return afterOwnFailure(item, { ...fails, calls: 4 }).dueAtMs;
}

test.each([
  ["16 calls of the same kind", reasonOf("server_error", 16), 30 * MINUTE_MS],
  ["16 calls of another kind", reasonOf("edge_blocked", 16), 30 * MINUTE_MS],
  ["a call each, of the same kind", reasonOf("server_error", 4), 32_000],
  ["a call each, of another kind", reasonOf("edge_blocked", 4), 32_000],
  [
    "nobody knows how many calls, for it waited since: as many as this one",
    reasonOf("book_unconfirmed"),
    30 * MINUTE_MS,
  ],
  ["nobody knows how many calls, for the reason is forgotten: as many as this one", null, 30 * MINUTE_MS],
])("failures before cost %s", (_what, before, ms) => {
  expect(restMs(before)).toBe(ms);
});

test("what failures cost is added up whatever their kinds, and begins anew with them", () => {
  let item = workItemRecord({ kind: "location", failures: 0, reason: reasonOf("timeout", 30) });
  const costs = [3, 1, 7].map((calls, index) => {
    const reason = reasonOf(index % 2 === 0 ? "timeout" : "server_error");
    item = { ...item, ...afterOwnFailure(item, { ...fails, reason, calls }) };
    return item.reason!.calls;
  });
  expect(costs).toEqual([3, 4, 11]);
});
