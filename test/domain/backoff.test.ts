import { expect, test } from "vitest";
import {
  connectionBackoffMs,
  costRestMs,
  ownBackoffMs,
  reconcileDelayMs,
  restsUntilMs,
} from "../../app/domain/backoff.ts";

test("a connection rests 5 to 60 seconds, and no longer than a fifth of the time for which it had no answer", () => {
  expect([1, 6, 7, 20, 21].map(connectionBackoffMs)).toEqual([5_000, 5_000, 6_000, 60_000, 60_000]);
  let withoutAnswerMs = 0;
  for (let failures = 1; failures <= 50; failures += 1) {
    const restMs = connectionBackoffMs(failures);
    expect(restMs).toBeLessThanOrEqual(Math.max(5_000, withoutAnswerMs / 5 + 1));
    withoutAnswerMs += restMs;
  }
});

test("a connection's rest that ends later than any rest does was dated by another clock, and is none", () => {
  const nowMs = 1_800_000_000_000;
  expect(restsUntilMs(null, nowMs)).toBeNull();
  expect(restsUntilMs(nowMs, nowMs)).toBeNull();
  expect(restsUntilMs(nowMs + 60_000, nowMs)).toBe(nowMs + 60_000);
  expect(restsUntilMs(nowMs + 60_001, nowMs)).toBeNull();
  expect(restsUntilMs(nowMs + 365 * 24 * 3_600_000, nowMs)).toBeNull();
});

test("a work item's own failures rest 2 seconds to 15 minutes, and up to an eighth more by chance", () => {
  expect([1, 2, 3, 9, 10, 20].map((failures) => ownBackoffMs(failures, 0))).toEqual([
    2_000, 4_000, 8_000, 512_000, 900_000, 900_000,
  ]);
  expect(ownBackoffMs(10, 0.999)).toBeGreaterThan(1_012_000);
  expect(ownBackoffMs(10, 0.999)).toBeLessThanOrEqual(1_012_500);
  expect(ownBackoffMs(1, 0.5)).toBe(2_125);
});

test("failures that cost many calls rest so long that eleven calls an hour are enough", () => {
  const failingForMs = 3_600_000;
  const minutes = (failures: number, calls: number) =>
    costRestMs(failures, { calls, inAll: failures * calls, failingForMs }) / 60_000;
  expect([1, 2, 5, 20, 100].map((failures) => minutes(failures, 1))).toEqual([0, 0, 0, 0, 0]);
  expect([1, 2, 3, 4, 20].map((failures) => minutes(failures, 5))).toEqual([0, 0, 0, 30, 30]);
  expect([2, 3, 4, 6, 11].map((calls) => minutes(20, calls))).toEqual([12, 20, 30, 60, 60]);
  expect([minutes(1, 110), minutes(2, 110)]).toEqual([0, 600]);
  expect([19, 20].map((inAll) => costRestMs(10, { calls: 4, inAll, failingForMs }) / 60_000)).toEqual([0, 30]);
});

test("what has failed for less than an hour rests less: thirty calls an hour are enough", () => {
  const minutes = (calls: number, failingForMs: number) =>
    costRestMs(20, { calls, inAll: 20 * calls, failingForMs }) / 60_000;
  expect([2, 3, 5, 10].map((calls) => minutes(calls, 3_599_999))).toEqual([4, 6, 10, 20]);
  expect(minutes(5, 3_600_000)).toBe(30);
  // A long book's reading takes as much of the next hour.
  expect(minutes(11, 0)).toBe(60);
});

test("everything is looked at every six hours, more or less", () => {
  expect(reconcileDelayMs(0)).toBe(5.25 * 3_600_000);
  expect(reconcileDelayMs(0.5)).toBe(6 * 3_600_000);
  expect(reconcileDelayMs(0.999_999)).toBeLessThanOrEqual(6.75 * 3_600_000);
});
