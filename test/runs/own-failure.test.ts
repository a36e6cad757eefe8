import { expect, test } from "vitest";
import type { WorkItemReason } from "../../app/domain/records.ts";
import { NEVER_MS, PARK_AFTER_FAILURES, WORK_ITEM_KINDS } from "../../app/domain/backoff.ts";
import { afterOwnFailure } from "../../app/runs/own-failure.ts";
import { workItemRecord } from "../fakes/records.ts";

const MINUTE_MS = 60_000;
const reasonOf = (code: WorkItemReason["code"], calls?: number): WorkItemReason => ({
  ...{ code, message: null, fields: null, requestId: null, ...(calls === undefined ? {} : { calls }) },
  atMs: 0,
});
const fails = { reason: reasonOf("server_error"), chance: 0, nowMs: 0 };

/** How long a location rests after its fifth failure in a row, which took four calls for the address book. */
function restMs(before: WorkItemReason | null, failingSinceMs = -60 * MINUTE_MS): number {
  const item = workItemRecord({ kind: "location", failures: 4, failingSinceMs, reason: before });
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

test("what has failed for less than an hour comes again sooner", () => {
  expect(restMs(reasonOf("server_error", 16), -60 * MINUTE_MS + 1)).toBe(Math.round((60 * MINUTE_MS) / 7));
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

test("only what a page shows with a button is parked after many failures", () => {
  const ends = WORK_ITEM_KINDS.map((kind) => {
    const item = workItemRecord({ kind, failures: PARK_AFTER_FAILURES - 1, failingSinceMs: 0 });
    const { state, dueAtMs } = afterOwnFailure(item, fails);
    expect(dueAtMs >= NEVER_MS, kind).toBe(state === "parked");
    return [kind, state];
  });
  expect(Object.fromEntries(ends)).toEqual({
    location: "parked",
    template: "parked",
    verification: "parked",
    reconcile: "active",
    job: "active",
    uninstall: "active",
    redact: "active",
    told: "active",
    flow: "active",
    move: "active",
  });
  const before = workItemRecord({ kind: "verification", failures: PARK_AFTER_FAILURES - 2, failingSinceMs: 0 });
  expect(afterOwnFailure(before, fails).state).toBe("active");
});
