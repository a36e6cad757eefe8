import { expect, test } from "vitest";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome } from "../../fakes/shipping/network.ts";
import { FAILS, MINUTE_MS, SILENT, staged } from "./stuck-stage.ts";

/** A service that is there for ten seconds of each minute: what changed is there after some of these minutes, whatever it says in between. */

const UP_MS = 10_000;
const SERVED_WITHIN_MS = 10 * MINUTE_MS;

function refuses(status: number): CallOutcome {
  const body = JSON.stringify({ message: "no" });
  return { arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "said", status, body, afterMs: 100 } };
}

const BREAKS_OFF: CallOutcome = {
  arrivesAfterMs: null,
  effectAfterMs: null,
  answer: { kind: "reset", afterMs: 50 },
};

/** The second of the minute in which everything changes: while the service is there, just after it has gone, and later. */
const BEGINS_AT_S = [0, 12, 31, 50];

test.each([
  ["answers 500", FAILS],
  ["answers 503", refuses(503)],
  ["answers 401", refuses(401)],
  ["answers 403", refuses(403)],
  ["answers 429", refuses(429)],
  ["breaks off", BREAKS_OFF],
  ["is silent", SILENT],
])("ten locations that change at once are served by a service that %s for most of each minute", async (_, outcome) => {
  for (const beginsAtS of BEGINS_AT_S) {
    const stage = await staged(10, { seed: 1 + beginsAtS });
    const { world, keys } = stage;
    const changedMs = world.clock.nowMs();
    const isUp = () => (world.clock.nowMs() - changedMs + beginsAtS * 1_000) % MINUTE_MS < UP_MS;
    world.outcomeOf = () => (isUp() ? PROMPT : outcome);
    for (const index of keys.keys()) await stage.change(index, String(500 + index));
    const behind = () => [...keys.keys()].filter((index) => stage.numberThere(index) !== String(500 + index));
    while (behind().length > 0 && world.clock.nowMs() < changedMs + SERVED_WITHIN_MS) await world.runFor(5_000);
    expect({ beginsAtS, behind: behind() }).toEqual({ beginsAtS, behind: [] });
    expect(world.account.duplicates()).toBe(0);
    await world.clock.runWhile(stage.worker.stop());
  }
});
