import { expect, test } from "vitest";
import { createSeededRandom } from "../../fakes/random.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { REPLY_LOST, REQUEST_LOST } from "../../fakes/shipping/outcomes.ts";
import { createWorld } from "../../fakes/world.ts";
import { FAILS, HOUR_MS, MINUTE_MS, SILENT, staged } from "./stuck-stage.ts";

/** Bad days: a service that comes and goes, processes that die in the middle of creates, and clocks that jump. */

const UP_MS = 20_000;

test.each([
  ["answers 500", FAILS],
  ["is silent", SILENT],
  ["does what it is asked, and does not say so", REPLY_LOST],
  ["loses what it is asked", REQUEST_LOST],
])("sixty locations that change at once follow a service that %s every other twenty seconds", async (_, outcome) => {
  const stage = await staged(60);
  const { world, keys } = stage;
  const begunMs = world.clock.nowMs();
  world.outcomeOf = () => ((world.clock.nowMs() - begunMs) % (2 * UP_MS) < UP_MS ? PROMPT : outcome);
  for (const index of keys.keys()) await stage.change(index, String(500 + index));
  const behind = () => [...keys.keys()].filter((index) => stage.numberThere(index) !== String(500 + index));
  while (behind().length > 0 && world.clock.nowMs() < begunMs + 20 * MINUTE_MS) await world.runFor(10_000);
  expect(behind()).toEqual([]);
  expect(world.account.duplicates()).toBe(0);
  world.outcomeOf = () => PROMPT;
  await world.runFor(10 * MINUTE_MS);
  expect(await world.store.pendingWrites.count({})).toBe(0);
  await world.clock.runWhile(stage.worker.stop());
});

test.each(Array.from({ length: 6 }, (_, seed) => seed + 1))(
  "processes that die and are born again in the middle of creates double and lose nothing, story %d",
  async (seed) => {
    const random = createSeededRandom(seed);
    const world = await createWorld({ seed, policies: { carriers: [] } });
    for (let number = 1; number <= 20; number += 1) await world.addLocation(number);
    const outcomes = [PROMPT, PROMPT, PROMPT, FAILS, SILENT, REPLY_LOST, REQUEST_LOST];
    world.outcomeOf = () => random.pick(outcomes);
    const alone = seed % 2 === 0;
    let first = world.boot({ alone });
    let second = alone ? null : world.boot({ alone: false });
    let offMs = 0;
    for (let round = 0; round < 15; round += 1) {
      await world.clock.runFor(random.between(1, 40) * 1_000);
      if (random.chance(0.4)) {
        const byMs = random.pick([MINUTE_MS, HOUR_MS, 24 * HOUR_MS]) * (random.chance(0.5) ? 1 : -1);
        world.machine.jump(byMs);
        offMs += byMs;
      }
      if (random.chance(0.5)) {
        first.kill();
        first = world.boot({ alone });
      } else if (second && random.chance(0.5)) {
        second.kill();
        second = world.boot({ alone: false });
      }
    }
    world.machine.jump(-offMs);
    world.outcomeOf = () => PROMPT;
    const calmMs = world.clock.nowMs();
    while ((await world.store.links.count({ shop: SHOP })) < 20 && world.clock.nowMs() < calmMs + 30 * MINUTE_MS)
      await world.clock.runFor(10_000);
    await world.clock.runFor(10 * MINUTE_MS);
    expect(await world.store.links.count({ shop: SHOP })).toBe(20);
    expect(world.account.templates.size).toBe(20);
    first.kill();
    second?.kill();
  },
);
