import { describe, expect, test } from "vitest";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { PARK_AFTER_FAILURES } from "../../../app/domain/backoff.ts";
import { SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, Operation } from "../../fakes/shipping/network.ts";
import { callsBetween, FAILS, homeOf, HOUR_MS, MINUTE_MS, SILENT, staged } from "./stuck-stage.ts";
import type { Stage, Sticks } from "./stuck-stage.ts";
import { mexicanAddress, shopifyLocation } from "../../fakes/world.ts";

/**
 * The service gives tokens for hours and answers nothing else. What changed meanwhile is given up after twenty tries, and nobody presses
 * anything when the service is back.
 */

const UNREADABLE: CallOutcome = {
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: { kind: "unreadable", afterMs: 20 },
};
const NOT_TOKENS: readonly Operation[] = ["get", "list", "update", "create", "delete", "verify"];
const API: Sticks = ({ operation }) => NOT_TOKENS.includes(operation);

/** The look at everything by itself comes every six hours; the outage falls between two. */
async function lookedJustNow({ world }: Stage): Promise<void> {
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(2 * MINUTE_MS);
  const { dueAtMs } = await world.workItem("reconcile", "shop");
  expect(dueAtMs - world.clock.nowMs()).toBeGreaterThan(5 * HOUR_MS);
}

async function parked({ world }: Stage): Promise<number> {
  return world.store.workItems.count({ shop: SHOP, state: "parked" });
}

async function follows(stage: Stage, indexes: readonly number[]): Promise<number> {
  const { world } = stage;
  const sinceMs = world.clock.nowMs();
  while (indexes.some((index) => stage.numberThere(index) !== String(900 + index))) {
    await world.runFor(10_000);
    if (world.clock.nowMs() - sinceMs > 6 * HOUR_MS) break;
  }
  return world.clock.nowMs() - sinceMs;
}

describe.each([
  ["answers 500", FAILS],
  ["is silent", SILENT],
  ["answers what nobody can read", UNREADABLE],
])("an API that %s for hours beside tokens that work", (_name, outcome) => {
  test("is followed by every change of meanwhile within 25 minutes", async () => {
    const stage = await staged(10);
    const { world, keys } = stage;
    await lookedJustNow(stage);
    stage.stick(API, outcome);
    for (const index of keys.keys()) await stage.change(index, String(900 + index));
    while ((await parked(stage)) < keys.length) await world.runFor(MINUTE_MS);
    expect((await world.workItem("reconcile", "shop")).dueAtMs - world.clock.nowMs()).toBeGreaterThan(HOUR_MS);
    world.outcomeOf = () => PROMPT;
    expect(await follows(stage, [...keys.keys()])).toBeLessThan(25 * MINUTE_MS);
    expect((await homeOf(stage)).needs).toEqual([]);
    await world.clock.runWhile(stage.worker.stop());
  });
});

test("whose templates alone are stuck stays told, and costs no more, while the others come back", async () => {
  const stage = await staged(6);
  const { world, keys, stuckId } = stage;
  await lookedJustNow(stage);
  stage.stick(API);
  for (const index of keys.keys()) await stage.change(index, String(900 + index));
  while ((await parked(stage)) < keys.length) await world.runFor(MINUTE_MS);
  const isStuck: Sticks = ({ operation, templateId }) => operation === "get" && templateId === stuckId;
  stage.stick(isStuck);
  expect(await follows(stage, [1, 2, 3, 4, 5])).toBeLessThan(50 * MINUTE_MS);
  const backMs = world.clock.nowMs();
  for (let quarter = 0; quarter < 8; quarter += 1) {
    expect((await homeOf(stage)).needs).toMatchObject([{ need: "parked", count: 1 }]);
    const { failure } = (await readOrigin(world.services, { shop: SHOP, locationId: keys[0]! }))!;
    expect(failure).toMatchObject({ code: "server_error" });
    await world.runFor(15 * MINUTE_MS);
  }
  for (let fromMs = backMs; fromMs <= backMs + HOUR_MS; fromMs += 5 * MINUTE_MS)
    expect(callsBetween(stage, fromMs, fromMs + HOUR_MS)).toBeLessThanOrEqual(12);
  await world.clock.runWhile(stage.worker.stop());
});

test("forty that are given up for good are tried one after another, and cost together what one does", async () => {
  const stage = await staged(42);
  const { world, keys } = stage;
  const stuck = keys.slice(0, 40);
  const ids = stuck.map((key) => world.templateOf(key)!.id);
  stage.stick(({ operation, templateId }) => operation === "get" && ids.includes(templateId));
  for (const [index, key] of stuck.entries()) {
    const address = mexicanAddress({ number: String(900 + index) });
    world.shopify.put(SHOP, shopifyLocation(index + 1, { address }));
    const item = await world.workItem("location", key);
    const nowMs = world.clock.nowMs();
    const reason = { code: "server_error", message: null, fields: null, requestId: null, atMs: nowMs } as const;
    const asked = { generation: item.generation + 1, state: "parked", failures: PARK_AFTER_FAILURES } as const;
    await world.store.workItems.update({ id: item.id }, { ...asked, reason, failingSinceMs: nowMs - 3 * HOUR_MS });
  }
  const sinceMs = world.clock.nowMs();
  await world.runFor(4 * HOUR_MS);
  for (let fromMs = sinceMs; fromMs <= sinceMs + 3 * HOUR_MS; fromMs += 10 * MINUTE_MS)
    expect(callsBetween(stage, fromMs, fromMs + HOUR_MS)).toBeLessThanOrEqual(12);
  const tried = new Set(world.requests.filter(({ atMs }) => atMs >= sinceMs).map(({ templateId }) => templateId));
  expect(ids.filter((id) => tried.has(id)).length).toBeGreaterThan(8);
  await world.clock.runWhile(stage.worker.stop());
});
