import { afterEach, expect, test, vi } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { LONG_TEST_MS } from "../../patience.ts";

/** The clock of this process on the machine's own. */

const YEAR_MS = 365 * 24 * 3_600_000;

afterEach(() => void vi.useRealTimers());

test.each([
  ["ahead", YEAR_MS],
  ["back", -YEAR_MS],
])("a wall clock that is set a year %s changes no duration and no time of day, and is seen", (_, byMs) => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const clock = createClock();
  const [monotonicMs, nowMs, machineMs] = [clock.monotonicMs(), clock.nowMs(), clock.machineMs()];
  vi.setSystemTime(machineMs + byMs);
  expect(clock.machineMs() - machineMs).toBe(byMs);
  for (const lastedMs of [clock.monotonicMs() - monotonicMs, clock.nowMs() - nowMs]) {
    expect(lastedMs).toBeGreaterThanOrEqual(0);
    expect(lastedMs).toBeLessThan(LONG_TEST_MS);
  }
});
