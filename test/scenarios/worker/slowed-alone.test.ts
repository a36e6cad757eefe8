import { describe, expect, test } from "vitest";
import { SHOP } from "../../fakes/records.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { callsBetween, expectCheap, homeOf, HOUR_MS, MINUTE_MS, staged, WORDS } from "./stuck-stage.ts";

/** Templates that the service answers with 429 for good, whatever the pace, beside others that it serves. */

const NAMES_NO_TIME: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 429, body: JSON.stringify({ message: WORDS }), afterMs: 100 },
};
const FOR_A_SECOND: CallOutcome = { ...NAMES_NO_TIME, answer: { kind: "rate_limited", afterMs: 100 } };

const STUCK = 40;
const HEALTHY = 10;

describe.each([
  ["GET", "get", "names no time", NAMES_NO_TIME, WORDS],
  ["PATCH", "update", "names no time", NAMES_NO_TIME, WORDS],
  ["GET", "get", "asks for a second", FOR_A_SECOND, null],
  ["PATCH", "update", "asks for a second", FOR_A_SECOND, null],
] as const)(
  "forty templates whose %s (%s) is answered by a 429 that %s",
  (...[, operation, , outcome, serviceMessage]) => {
    test("hold up ten others for two minutes at most, are told within a quarter of an hour, and cost little", async () => {
      const stage = await staged(STUCK + HEALTHY);
      const { world, keys } = stage;
      const ids = keys.slice(0, STUCK).map((key) => world.templateOf(key)!.id);
      stage.stick((request) => request.operation === operation && ids.includes(request.templateId), outcome);
      const sinceMs = world.clock.nowMs();
      for (let index = 0; index < STUCK; index += 1) await stage.change(index, String(900 + index));
      await world.runFor(15_000);
      const others = Array.from({ length: HEALTHY }, (_, at) => STUCK + at);
      for (let round = 1; round <= 7; round += 1) {
        for (const index of others) await stage.change(index, String(1_000 * round + index));
        await world.runFor(2 * MINUTE_MS);
        for (const index of others) expect(stage.numberThere(index)).toBe(String(1_000 * round + index));
      }
      await world.runFor(sinceMs + 15 * MINUTE_MS - world.clock.nowMs());
      const { needs } = await homeOf(stage);
      expect(needs).toMatchObject([{ need: "parked", count: STUCK }]);
      expect(needs[0]!.failure).toMatchObject({ code: "rate_limited", serviceMessage });
      expect(world.requests.map(({ requestId }) => requestId)).toContain(needs[0]!.failure!.requestId);
      await world.runFor(3 * HOUR_MS);
      for (const id of ids) {
        const times = world.requests.filter(({ templateId }) => templateId === id).map(({ atMs }) => atMs);
        const within = (fromMs: number) => times.filter((atMs) => atMs >= fromMs && atMs < fromMs + HOUR_MS).length;
        expect(within(sinceMs)).toBeLessThanOrEqual(60);
        for (let fromMs = sinceMs + HOUR_MS; fromMs < sinceMs + 3 * HOUR_MS; fromMs += 10 * MINUTE_MS)
          expect(within(fromMs)).toBeLessThanOrEqual(12);
      }
      await world.clock.runWhile(stage.worker.stop());
    });
  },
);

test("one alone, in a shop where nothing else happens, costs little and rests the connection for nobody", async () => {
  const stage = await staged(2);
  const { world, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "get" && templateId === stuckId, NAMES_NO_TIME);
  const sinceMs = world.clock.nowMs();
  await stage.change(0, "900");
  await world.runFor(5 * HOUR_MS);
  expectCheap(stage, sinceMs);
  expect(await world.store.connections.find({ shop: SHOP })).toMatchObject({ lastFaultAtMs: null });
  await world.clock.runWhile(stage.worker.stop());
});

test("a service that answers everything with 429 is the connection's failure, and is asked seldom", async () => {
  const stage = await staged(10);
  const { world, keys } = stage;
  stage.stick(() => true, NAMES_NO_TIME);
  const sinceMs = world.clock.nowMs();
  for (const index of keys.keys()) await stage.change(index, String(900 + index));
  await world.runFor(2 * HOUR_MS);
  expect((await world.store.connections.find({ shop: SHOP }))!.failures).toBeGreaterThan(3);
  expect(callsBetween(stage, sinceMs + HOUR_MS, sinceMs + 2 * HOUR_MS)).toBeLessThanOrEqual(120);
  await world.clock.runWhile(stage.worker.stop());
});
