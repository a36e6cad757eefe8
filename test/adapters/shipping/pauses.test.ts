import { describe, expect, test } from "vitest";
import { createPauses, retryAfterMs } from "../../../app/adapters/shipping/pauses.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { virtualClock } from "./support/virtual-clock.ts";

describe("Retry-After", () => {
  const nowMs = Date.UTC(2026, 0, 1, 12, 0, 0);
  const date = (ms: number) => new Date(ms).toUTCString();
  test.each([
    ["seconds", "3", null, 3_000],
    ["a fraction", " 0.5 ", null, 500],
    ["a date", date(nowMs + 7_000), null, 7_000],
    ["a date by a clock an hour ahead", date(nowMs + 3_607_000), date(nowMs + 3_600_000), 7_000],
    ["a date that is over", date(nowMs - 9_000), null, 0],
    ["a date beside an unreadable clock", date(nowMs + 2_000), "soon", 2_000],
  ])("%s", (_name, retryAfter, theirDate, expected) => {
    expect(retryAfterMs({ retryAfter, date: theirDate }, nowMs)).toBe(expected);
  });
  test.each([null, "", "soon", "-1", "1e9", "12:00"])("%s says nothing", (retryAfter) => {
    expect(retryAfterMs({ retryAfter, date: null }, nowMs)).toBeNull();
  });
});

describe("pauses", () => {
  const place = { shop: "s", client: "c" };
  const hit = (ms: number | null, sentAtMonotonicMs: number) => ({ ms, sentAtMonotonicMs });

  test("hold the shop and the client, and nobody else", () => {
    const clock = virtualClock();
    const pauses = createPauses({ clock, random: createSeededRandom(1) });
    pauses.add(place, hit(3_000, 0));
    expect([pauses.untilMs({ shop: "s" }), pauses.untilMs({ shop: "other", client: "c" })]).toEqual([3_000, 3_000]);
    expect(pauses.untilMs({ shop: "other", client: "other" })).toBe(-Infinity);
  });

  test("without a stated time double with each strike, and begin anew once it flows", () => {
    const clock = virtualClock();
    const pauses = createPauses({ clock, random: createSeededRandom(1) });
    const lengths = [];
    for (let strike = 0; strike < 8; strike += 1) {
      const nowMs = clock.monotonicMs();
      pauses.add(place, hit(null, nowMs));
      lengths.push(pauses.untilMs(place) - nowMs);
      clock.leap(pauses.untilMs(place) - nowMs);
    }
    expect(lengths.slice(0, 4)).toEqual([1_000, 2_000, 4_000, 8_000]);
    // No two of the longest are alike: a service that refuses for a part of each minute is not met in that part for ever.
    expect(new Set(lengths.slice(4)).size).toBe(4);
    expect(Math.min(...lengths.slice(4))).toBeGreaterThanOrEqual(10_000);
    expect(Math.max(...lengths)).toBeLessThan(20_000);
    pauses.flowing(place);
    pauses.add(place, hit(null, clock.monotonicMs()));
    expect(pauses.untilMs(place) - clock.monotonicMs()).toBe(1_000);
  });

  test("a second 429 of the same moment is no second strike", () => {
    const clock = virtualClock();
    const pauses = createPauses({ clock, random: createSeededRandom(1) });
    clock.leap(100);
    pauses.add(place, hit(null, 0));
    clock.leap(50);
    pauses.add(place, hit(null, 20));
    expect(pauses.untilMs(place)).toBe(1_150);
  });

  test("are never shorter than a second nor longer than a quarter of an hour, and a shorter one does not end a longer", () => {
    const pauses = createPauses({ clock: virtualClock(), random: createSeededRandom(1) });
    pauses.add(place, hit(0, 0));
    expect(pauses.untilMs(place)).toBe(1_000);
    pauses.add(place, hit(1e12, 0));
    expect(pauses.untilMs(place)).toBe(900_000);
    pauses.add(place, hit(5_000, 0));
    expect(pauses.untilMs(place)).toBe(900_000);
  });

  test("an answer that comes during a pause does not end it", () => {
    const pauses = createPauses({ clock: virtualClock(), random: createSeededRandom(1) });
    pauses.add(place, hit(5_000, 0));
    pauses.flowing(place);
    expect(pauses.untilMs(place)).toBe(5_000);
  });
});
