import { describe, expect, test } from "vitest";
import { afterBusinessDays } from "../../app/domain/business-days.ts";

/** In Mexico City, which is six hours behind UTC all year. */
const at = (local: string) => Date.parse(`${local}:00-06:00`);

describe("two business days later", () => {
  // 2 November 2026 is a Monday.
  test.each([
    ["Monday noon", "2026-11-02T12:00", "2026-11-04T12:00"],
    ["Thursday night", "2026-11-05T23:30", "2026-11-09T23:30"],
    ["Friday morning", "2026-11-06T09:00", "2026-11-10T09:00"],
    ["Friday's last minute", "2026-11-06T23:59", "2026-11-10T23:59"],
    ["Saturday", "2026-11-07T15:00", "2026-11-11T00:00"],
    ["Sunday's last minute", "2026-11-08T23:59", "2026-11-11T00:00"],
    ["Monday's first minute", "2026-11-09T00:00", "2026-11-11T00:00"],
  ])("than %s", (_name, from, to) => {
    expect(new Date(afterBusinessDays(at(from), 2)).toISOString()).toBe(new Date(at(to)).toISOString());
  });

  test("is within the seven days a question is followed, whenever it was asked", () => {
    for (let hour = 0; hour < 7 * 24; hour += 1) {
      const asked = at("2026-11-02T00:30") + hour * 3_600_000;
      const days = (afterBusinessDays(asked, 2) - asked) / 86_400_000;
      expect(days).toBeGreaterThanOrEqual(2);
      expect(days).toBeLessThanOrEqual(4);
    }
  });
});
