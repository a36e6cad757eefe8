import { expect, test } from "vitest";
import { dayBeginsMs, dayEndsMs, hourMs } from "../../app/domain/zone-days.ts";

const iso = (atMs: number | null) => atMs && new Date(atMs).toISOString();

test.for([
  ["Mexico City, six hours behind", "2026-11-20", "America/Mexico_City", "2026-11-20T06:00Z", "2026-11-21T06:00Z"],
  ["Tijuana, the day its clocks go forward", "2026-03-08", "America/Tijuana", "2026-03-08T08:00Z", "2026-03-09T07:00Z"],
  ["Tijuana, the day they go back", "2026-11-01", "America/Tijuana", "2026-11-01T07:00Z", "2026-11-02T08:00Z"],
  [
    "Havana, whose clocks go forward over midnight",
    "2026-03-08",
    "America/Havana",
    "2026-03-08T05:00Z",
    "2026-03-09T04:00Z",
  ],
  ["Havana, whose midnight comes twice", "2026-11-01", "America/Havana", "2026-11-01T04:00Z", "2026-11-02T05:00Z"],
  ["ahead of UTC", "2026-01-01", "Asia/Kolkata", "2025-12-31T18:30Z", "2026-01-01T18:30Z"],
  ["the last of a leap February", "2028-02-29", "UTC", "2028-02-29T00:00Z", "2028-03-01T00:00Z"],
] as const)("%s", ([_title, day, zone, begins, ends]) => {
  expect([iso(dayBeginsMs(day, zone)), iso(dayEndsMs(day, zone))]).toEqual(
    [begins, ends].map((text) => new Date(text).toISOString()),
  );
});

test.for(["", "2026-02-30", "2026-13-01", "20 nov", "2026-1-1", "99999-01-01"])("%s is no day", (day) => {
  expect([dayBeginsMs(day, "UTC"), dayEndsMs(day, "UTC")]).toEqual([null, null]);
});

test.for([
  ["Mexico City, where clocks are not changed", "2026-12-01T09:00", "America/Mexico_City", "2026-12-01T15:00Z"],
  ["Cancún, an hour ahead of it", "2026-12-01T09:00", "America/Cancun", "2026-12-01T14:00Z"],
  ["Chihuahua, as Mexico City", "2026-07-01T09:00", "America/Chihuahua", "2026-07-01T15:00Z"],
  ["Tijuana in summer", "2026-07-01T09:00", "America/Tijuana", "2026-07-01T16:00Z"],
  ["Tijuana in winter", "2026-12-01T09:00", "America/Tijuana", "2026-12-01T17:00Z"],
  ["Tijuana, just before its clocks go forward", "2027-03-14T01:59", "America/Tijuana", "2027-03-14T09:59Z"],
  [
    "Tijuana, an hour that its clocks leave out: the time after it",
    "2027-03-14T02:30",
    "America/Tijuana",
    "2027-03-14T10:30Z",
  ],
  ["Ciudad Juárez, the same", "2027-03-14T02:00", "America/Ciudad_Juarez", "2027-03-14T09:00Z"],
  ["Tijuana, an hour that comes twice: the first", "2026-11-01T01:30", "America/Tijuana", "2026-11-01T08:30Z"],
  ["Madrid, an hour left out", "2027-03-28T02:30", "Europe/Madrid", "2027-03-28T01:30Z"],
  ["Madrid, an hour that comes twice: the first", "2027-10-31T02:30", "Europe/Madrid", "2027-10-31T00:30Z"],
] as const)("%s", ([_title, hour, zone, at]) => {
  expect(iso(hourMs(hour, zone))).toBe(new Date(at).toISOString());
});

test.for(["", "2026-12-01", "2027-02-30T10:00", "2026-12-01T24:00", "2026-12-01T9:00", "2026-12-01T09:00:00"])(
  "%s is no hour",
  (hour) => {
    expect(hourMs(hour, "America/Mexico_City")).toBeNull();
  },
);
