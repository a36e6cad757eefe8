import fc from "fast-check";
import { expect, test } from "vitest";
import { createServerClock } from "../../../../app/adapters/shipping/slots/server-clock.ts";

/** Queries, each so long after the one before, so long on its way there and back. */
const queries = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 600_000 }),
    wayMs: fc.integer({ min: 0, max: 2_000 }),
    backMs: fc.integer({ min: 0, max: 2_000 }),
  }),
  { minLength: 2, maxLength: 30 },
);

test("a clock that is slewed, as clocks are, has not jumped, however long queries take", () => {
  fc.assert(
    fc.property(queries, fc.double({ min: -0.0005, max: 0.0005, noNaN: true }), (each, slew) => {
      const server = createServerClock();
      let atMs = 0;
      for (const { afterMs, wayMs, backMs } of each) {
        const sentMs = atMs + afterMs;
        const readMs = sentMs + wayMs;
        atMs = readMs + backMs;
        const nowMs = 1_800_000_000_000 + readMs * (1 + slew);
        expect(server.hasJumped({ nowMs, sentMs, answeredMs: atMs })).toBe(false);
      }
    }),
  );
});

test("a jump is noticed once, by the first query after it, if any query before was quick", () => {
  const server = createServerClock();
  const read = (sentMs: number, wayMs: number, aheadMs: number) =>
    server.hasJumped({ nowMs: 1_800_000_000_000 + sentMs + wayMs / 2 + aheadMs, sentMs, answeredMs: sentMs + wayMs });
  expect([read(0, 4, 0), read(1_000, 800, 0), read(2_000, 4, 40), read(3_000, 4, 40)]).toEqual([
    false,
    false,
    true,
    false,
  ]);
  // Back is no harm: what rests rests longer.
  expect([read(4_000, 4, -9_000), read(5_000, 4, -9_000), read(6_000, 4, -8_900)]).toEqual([false, false, true]);
});
