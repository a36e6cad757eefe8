import { expect, test } from "vitest";
import { callsBetween, expectOthersServed, homeOf, HOUR_MS, MINUTE_MS, staged } from "./stuck-stage.ts";
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
  // Within the first three hours the first refusal of all renews the token, and so does its end after two hours.
  expect(tokens.slice(0, 3).reduce((sum, count) => sum + count)).toBeLessThanOrEqual(2);
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
