import { describe, expect, test } from "vitest";
import { callsBetween, expectCheap, expectOthersServed, homeOf, HOUR_MS, MINUTE_MS, staged } from "./stuck-stage.ts";
import type { Stage } from "./stuck-stage.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";

/** A template whose every operation the service refuses with 401, whatever token it is shown. Everything else goes through with it. */

const REFUSED: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "said", status: 401, body: JSON.stringify({ message: "No autorizado" }), afterMs: 100 },
};

async function refusedStage(locations: number): Promise<Stage> {
  const stage = await staged(locations);
  stage.stick(({ templateId }) => templateId === stage.stuckId, REFUSED);
  return stage;
}

const renewals = ({ world }: Stage, fromMs: number, untilMs: number): number =>
  world.requests.filter(({ operation, atMs }) => operation === "token" && atMs >= fromMs && atMs < untilMs).length;

test("costs at most 60 calls in its first hour and 12 an hour after, and renews no token that serves others", async () => {
  const stage = await refusedStage(2);
  const { world } = stage;
  const sinceMs = world.clock.nowMs();
  await stage.change(0, "900");
  await world.runFor(5 * HOUR_MS);
  const hours = [0, 1, 2, 3, 4].map((hour) => sinceMs + hour * HOUR_MS);
  const calls = hours.map((fromMs) => callsBetween(stage, fromMs, fromMs + HOUR_MS));
  const tokens = hours.map((fromMs) => renewals(stage, fromMs, fromMs + HOUR_MS));
  expect(calls[0]).toBeLessThanOrEqual(60);
  for (const count of calls.slice(1)) expect(count).toBeLessThanOrEqual(12);
  // Within the first three hours the first refusal of all renews the token, its end after two hours does, and the first refusal of the new one.
  expect(tokens.slice(0, 3).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(3);
  const { needs } = await homeOf(stage);
  expect(needs).toMatchObject([{ need: "parked", failure: { code: "unauthorized" } }]);
  await world.clock.runWhile(stage.worker.stop());
});

test("holds up none of the others", async () => {
  const stage = await refusedStage(4);
  await stage.change(0, "900");
  await expectOthersServed(stage, 5);
  await stage.world.runFor(5 * MINUTE_MS);
  expect(await stage.world.store.connections.find({ id: "connection-1" })).toMatchObject({ failures: 0 });
  await stage.world.clock.runWhile(stage.worker.stop());
});

test("keeps nobody from a new token, once the service refuses the present one for everything", async () => {
  const stage = await refusedStage(2);
  const { world } = stage;
  await stage.change(0, "900");
  await world.runFor(HOUR_MS);
  const tokens = new Set<string>();
  let areRevoked = false;
  stage.stick(({ operation, templateId, token }) => {
    if (operation === "token") return false;
    if (!areRevoked) tokens.add(token);
    return templateId === stage.stuckId || (areRevoked && tokens.has(token));
  }, REFUSED);
  await stage.change(1, "901");
  await world.runFor(2 * MINUTE_MS);
  expect(tokens.size).toBe(1);
  areRevoked = true;
  await stage.change(1, "902");
  await world.runFor(MINUTE_MS);
  expect(stage.numberThere(1)).toBe("902");
  await world.clock.runWhile(stage.worker.stop());
});

const answering = (status: number, body: string): CallOutcome => ({
  ...REFUSED,
  answer: { kind: "said", status, body, afterMs: 100 },
});

describe.each([
  ["401", REFUSED, "unauthorized"],
  ["the service's own 403", answering(403, JSON.stringify({ message: "No autorizado" })), "forbidden"],
  ["a proxy's 403", answering(403, "<html><body>Blocked</body></html>"), "edge_blocked"],
])("a list that always gets %s, alone", (_name, outcome, code) => {
  const refusedList = async (locations: number) => {
    const stage = await staged(locations);
    stage.stick(({ operation }) => operation === "list", outcome);
    await stage.world.requestWork("reconcile", "shop");
    stage.world.services.wake();
    return stage;
  };

  test("is the look's own failure, and is told on Home", async () => {
    const stage = await refusedList(1);
    const { world } = stage;
    await world.runFor(11 * MINUTE_MS);
    expect(await world.store.connections.find({ id: "connection-1" })).toMatchObject({ failures: 0, suspects: [] });
    expect((await homeOf(stage)).troubles).toMatchObject([{ trouble: "book", failure: { code } }]);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("holds up none of the known links, at no time", async () => {
    const stage = await refusedList(3);
    for (let round = 1; round <= 5; round += 1) {
      await stage.world.requestWork("reconcile", "shop");
      await stage.world.runFor(3_000);
      await stage.change(1, `${round}77`);
      await stage.world.runFor(3_000);
      expect(stage.numberThere(1)).toBe(`${round}77`);
    }
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("costs at most 60 calls in its first hour and 12 an hour after", async () => {
    const stage = await refusedList(2);
    const sinceMs = stage.world.clock.nowMs();
    await stage.world.runFor(10 * HOUR_MS);
    expectCheap(stage, sinceMs);
    await stage.world.clock.runWhile(stage.worker.stop());
  });
});

test("a service that refuses everything is the connection's failure", async () => {
  const stage = await staged(2);
  stage.stick(({ operation }) => operation !== "token", REFUSED);
  await stage.change(0, "900");
  await stage.world.runFor(5 * MINUTE_MS);
  expect((await stage.world.store.connections.find({ id: "connection-1" }))!.failures).toBeGreaterThan(3);
  await stage.world.clock.runWhile(stage.worker.stop());
});
