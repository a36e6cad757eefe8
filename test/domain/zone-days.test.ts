import { expect, test } from "vitest";
import { dayBeginsMs, dayEndsMs } from "../../app/domain/zone-days.ts";

const iso = (atMs: number | null) => atMs && new Date(atMs).toISOString();

test.for([
  ["Mexico City, six hours behind", "2026-11-20", "America/Mexico_City", "2026-11-20T06:00Z", "2026-11-21T06:00Z"],
  ["Tijuana, the day its clocks go forward", "2026-03-08", "America/Tijuana", "2026-03-08T08:00Z", "2026-03-09T07:00Z"],
  ["Tijuana, the day they go back", "2026-11-01", "America/Tijuana", "2026-11-01T07:00Z", "2026-11-02T08:00Z"],
  ["ahead of UTC", "2026-01-01", "Asia/Kolkata", "2025-12-31T18:30Z", "2026-01-01T18:30Z"],
  ["the last of a leap February", "2028-02-29", "UTC", "2028-02-29T00:00Z", "2028-03-01T00:00Z"],
] as const)("%s", ([_title, day, zone, begins, ends]) => {
  expect([iso(dayBeginsMs(day, zone)), iso(dayEndsMs(day, zone))]).toEqual(
    [begins, ends].map((text) => new Date(text).toISOString()),
  );
});

test.for(["", "2026-02-30", "2026-13-01", "20 nov", "2026-1-1", "99999-01-01"])("%s is no day", (day) => {
  expect(dayBeginsMs(day, "UTC")).toBeNull();
});
