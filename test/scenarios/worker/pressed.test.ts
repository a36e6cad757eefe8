import { describe, expect, test } from "vitest";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { syncOrigin } from "../../../app/origins/sync-origin.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { FAILS, homeOf, MINUTE_MS, SILENT, staged } from "./stuck-stage.ts";

/** Somebody presses "Sync now" of an origin that fails, every three seconds for half an hour. */

const PRESSES = 600;

describe.each([
  ["whose GET answers 500", "get", FAILS],
  ["whose GET is silent", "get", SILENT],
  ["whose PATCH answers 500", "update", FAILS],
  ["whose PATCH is silent", "update", SILENT],
] as const)("an origin %s, pressed every three seconds", (_name, operation, outcome) => {
  test("says why all the while, costs little, and holds up none of the others", async () => {
    const stage = await staged(6);
    const { world, keys, stuckId } = stage;
    stage.stick((request) => request.operation === operation && request.templateId === stuckId, outcome);
    await stage.change(0, "900");
    const sinceMs = world.clock.nowMs();
    const presses: Promise<unknown>[] = [];
    const others = [1, 2, 3, 4, 5];
    const pressesARound = (2 * MINUTE_MS) / 3_000;
    for (let press = 0; press < PRESSES; press += 1) {
      const round = Math.floor(press / pressesARound) + 1;
      if (press % pressesARound === 0)
        for (const index of others) await stage.change(index, String(1_000 * round + index));
      presses.push(syncOrigin(world.services, { shop: SHOP, locationId: keys[0]! }));
      for (const ms of [300, 1_200, 1_500]) {
        await world.runFor(ms);
        if (world.clock.nowMs() - sinceMs < 15 * MINUTE_MS) continue;
        const { needs } = await homeOf(stage);
        expect(needs).toMatchObject([{ need: "parked", failure: { waits: false } }]);
        const page = (await readOrigin(world.services, { shop: SHOP, locationId: keys[0]! }))!;
        expect(page.failure).not.toBeNull();
      }
      if (press % pressesARound === pressesARound - 1)
        for (const index of others) expect(stage.numberThere(index)).toBe(String(1_000 * round + index));
    }
    const calls = world.requests.filter(({ atMs, templateId }) => atMs >= sinceMs && templateId === stuckId);
    expect(calls.length).toBeLessThan(1.2 * PRESSES);
    await world.clock.runWhile(Promise.all(presses));
    world.outcomeOf = () => PROMPT;
    await world.clock.runWhile(syncOrigin(world.services, { shop: SHOP, locationId: keys[0]! }));
    await world.runFor(2 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    await world.clock.runWhile(stage.worker.stop());
  });
});
