import { describe, expect, test } from "vitest";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { readOrigins } from "../../../app/pages/read-origins.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import {
  callsBetween,
  expectCheap,
  expectOthersServed,
  expectTold,
  homeOf,
  HOUR_MS,
  MINUTE_MS,
  staged,
  WORDS,
} from "./stuck-stage.ts";
import type { Stage, Sticks } from "./stuck-stage.ts";
import { ALL_ORIGINS } from "../../../app/views/origins.ts";

/** Calls about one template that the service always answers with a failure. */

const STUCK: [string, (stage: Stage) => Sticks][] = [
  [
    "whose template cannot be read",
    ({ stuckId }) =>
      ({ operation, templateId }) =>
        operation === "get" && templateId === stuckId,
  ],
  [
    "whose template cannot be changed",
    ({ stuckId }) =>
      ({ operation, templateId }) =>
        operation === "update" && templateId === stuckId,
  ],
];

describe.each(STUCK)("a location %s", (_, sticksAt) => {
  test.each([10, 1])("holds up none of %d others", async (others) => {
    const stage = await staged(others + 1);
    stage.stick(sticksAt(stage));
    await stage.change(0, "900");
    await expectOthersServed(stage, 5);
    expect(stage.numberThere(0)).toBe("101");
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("rests the connection for nobody", async () => {
    const stage = await staged(4);
    stage.stick(sticksAt(stage));
    const rests: number[] = [];
    const { connections } = stage.world.store;
    const update = connections.update.bind(connections);
    connections.update = (where, patch) => {
      if (patch.backoffUntilMs) rests.push(patch.backoffUntilMs);
      return update(where, patch);
    };
    await stage.change(0, "900");
    for (let hour = 0; hour < 24; hour += 1) {
      await stage.change(1, String(2_000 + hour));
      await stage.world.runFor(HOUR_MS);
    }
    expect(rests).toEqual([]);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("costs at most 60 calls in its first hour and 12 an hour after, in a shop where nothing else happens", async () => {
    const stage = await staged(2);
    stage.stick(sticksAt(stage));
    const sinceMs = stage.world.clock.nowMs();
    await stage.change(0, "900");
    await stage.world.runFor(30 * HOUR_MS);
    expectCheap(stage, sinceMs);
    expect(callsBetween(stage, sinceMs, sinceMs + HOUR_MS)).toBeGreaterThan(10);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test.each([1, 3])("is on Home, in the list and on its page within 15 minutes, beside %d others", async (others) => {
    const stage = await staged(others + 1);
    const { world, keys } = stage;
    stage.stick(sticksAt(stage));
    const sinceMs = world.clock.nowMs();
    await stage.change(0, "900");
    await world.runFor(15 * MINUTE_MS);
    for (let hour = 0; hour < 8; hour += 1) {
      const { needs } = await homeOf(stage);
      expect(needs).toMatchObject([{ need: "parked", count: 1, origins: [{ name: "Bodega 1" }] }]);
      expectTold(stage, needs[0]!.failure, sinceMs);
      const query = { ...ALL_ORIGINS, tab: "needs_you" as const };
      const list = (await readOrigins(world.services, { shop: SHOP, query }))!;
      expect(list.rows.map(({ name, state }) => [name, state])).toEqual([["Bodega 1", "parked"]]);
      const page = (await readOrigin(world.services, { shop: SHOP, locationId: keys[0]! }))!;
      expectTold(stage, page.failure, sinceMs);
      await world.runFor(HOUR_MS);
    }
    world.outcomeOf = () => PROMPT;
    await world.runFor(7 * HOUR_MS);
    expect((await homeOf(stage)).needs.filter(({ need }) => need === "parked")).toEqual([]);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("is told though every few minutes something asks for it anew", async () => {
    const stage = await staged(2);
    stage.stick(sticksAt(stage));
    for (let round = 0; round < 5; round += 1) {
      await stage.change(0, String(900 + round));
      await stage.world.runFor(3 * MINUTE_MS);
    }
    expect((await homeOf(stage)).needs).toMatchObject([
      { need: "parked", count: 1, failure: { serviceMessage: WORDS } },
    ]);
    await stage.world.clock.runWhile(stage.worker.stop());
  });

  test("is parked in the end, tells the service's words, and comes through when the service is well again", async () => {
    const stage = await staged(2);
    const { world, keys } = stage;
    stage.stick(sticksAt(stage));
    await stage.change(0, "900");
    const sinceMs = world.clock.nowMs();
    await world.runFor(2 * HOUR_MS);
    const isParked = async () => (await world.workItem("location", keys[0]!)).state === "parked";
    while (!(await isParked()) && world.clock.nowMs() < sinceMs + 6 * HOUR_MS) await world.runFor(MINUTE_MS);
    const item = await world.workItem("location", keys[0]!);
    expect(item).toMatchObject({ state: "parked", failures: 20, reason: { code: "server_error", message: WORDS } });
    expect(item.failingSinceMs).toBeLessThan(sinceMs + MINUTE_MS);
    expect(world.requests.map(({ requestId }) => requestId)).toContain(item.reason!.requestId);
    world.outcomeOf = () => PROMPT;
    await world.runFor(25 * MINUTE_MS);
    expect(stage.numberThere(0)).toBe("900");
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ state: "active", failingSinceMs: null });
    await world.clock.runWhile(stage.worker.stop());
  });
});

test("a location that keeps failing says why, also when it was told of again and waits for its quarantine", async () => {
  const stage = await staged(2);
  const { world, keys, stuckId } = stage;
  stage.stick(({ operation, templateId }) => operation === "update" && templateId === stuckId);
  const sinceMs = world.clock.nowMs();
  await stage.change(0, "900");
  await world.runFor(15 * MINUTE_MS);
  const item = () => world.workItem("location", keys[0]!);
  const failures = (await item()).failures + 1;
  expect(failures).toBeGreaterThan(4);
  while ((await item()).failures < failures) await world.runFor(1_000);
  await stage.tell(1);
  for (const passedMs of [0, MINUTE_MS / 2]) {
    await world.runFor(passedMs);
    expect(await item()).toMatchObject({ failures, generation: 3, observedGeneration: 1 });
    const { needs } = await homeOf(stage);
    expect(needs).toMatchObject([{ need: "parked", count: 1, origins: [{ name: "Bodega 1" }] }]);
    expectTold(stage, needs[0]!.failure, sinceMs);
  }
  await world.clock.runWhile(stage.worker.stop());
});

test("a look at everything that keeps failing and was asked for anew says what it waits for", async () => {
  const stage = await staged(1);
  const { world } = stage;
  const nowMs = world.clock.nowMs();
  const { id, generation } = await world.workItem("reconcile", "shop");
  const failing = { failures: 6, failingSinceMs: nowMs, reason: null, generation: generation + 1, dueAtMs: nowMs };
  await world.store.workItems.update({ id }, failing);
  const rests = { backoffUntilMs: nowMs + MINUTE_MS, failures: 1, lastFaultKind: "server_error" } as const;
  await world.store.connections.update({ shop: SHOP }, rests);
  world.services.wake();
  await world.runFor(5_000);
  expect(await world.workItem("reconcile", "shop")).toMatchObject({ failures: 6, reason: { code: "server_error" } });
  await world.clock.runWhile(stage.worker.stop());
});
