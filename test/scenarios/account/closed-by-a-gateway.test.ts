import { expect, test } from "vitest";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";

/**
 * For three minutes a gateway answers everything, the token endpoint included, with its own JSON 401 that has both members of a token error.
 * The credentials are right all the time. A service that serves again is used again soon, and not only at the next look at everything.
 */

const BODY = '{"error":"unauthorized","error_description":"Full authentication is required to access this resource"}';

test("a connection that a gateway closed for three minutes serves a quarter of an hour later", async () => {
  const stage = await staged(4);
  const { world } = stage;
  stage.stick(() => true, {
    arrivesAfterMs: 20,
    effectAfterMs: null,
    answer: { kind: "said", status: 401, body: BODY, afterMs: 20 },
  });
  for (const index of [0, 1, 2, 3]) await stage.change(index, String(1_000 + index));
  await world.runFor(3 * MINUTE_MS);
  world.outcomeOf = () => PROMPT;
  const healedMs = world.clock.nowMs();
  while (stage.numberThere(3) !== "1003" && world.clock.nowMs() - healedMs < 8 * HOUR_MS) await world.runFor(MINUTE_MS);
  expect((world.clock.nowMs() - healedMs) / MINUTE_MS).toBeLessThanOrEqual(15);
  await world.clock.runWhile(stage.worker.stop());
});
