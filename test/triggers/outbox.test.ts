import { describe, expect, test } from "vitest";
import { AppError } from "../../app/domain/errors.ts";
import { readHome } from "../../app/pages/read-home.ts";
import { welcomeShop } from "../../app/shop/welcome-shop.ts";
import { triggersInUse } from "../../app/triggers/note-events.ts";
import { useTrigger } from "../../app/triggers/use-trigger.ts";
import { SHOP } from "../fakes/records.ts";
import type { World } from "../fakes/world.ts";
import { eventOf, HOUR_MS, request, synced, use } from "./stage.ts";

/** How events come from the outbox to Flow. */

/** What Flow has got, repetitions aside. */
const idsOf = (world: World) => [...new Set(world.shopify.flow.map(({ id }) => id))];

async function filled(count: number): Promise<World> {
  const world = await synced();
  await use(world);
  await world.runFor();
  for (let number = 1; number <= count; number += 1) await world.store.flowEvents.insert(eventOf(world, number));
  await request(world, "flow", "give");
  return world;
}

/** Shopify answers again. What Flow got while the answers were lost does not count: all of it is told again. */
function back(world: World): void {
  (world.shopify.flow as unknown[]).length = 0;
  world.shopify.trouble = () => ({ delayMs: 0, fails: false });
}

describe("the outbox", () => {
  test("gives each event in order, and again where Flow did not answer", async () => {
    const world = await filled(120);
    let asked = 0;
    world.shopify.trouble = () => ({ delayMs: 10, fails: (asked += 1) % 3 === 0 });
    await world.runFor(HOUR_MS);
    expect(idsOf(world)).toEqual(Array.from({ length: 120 }, (_, index) => `event-${index + 1}`));
    expect(await world.store.flowEvents.count({})).toBe(0);
  });

  test("keeps events while Shopify is away for hours", async () => {
    const world = await filled(3);
    world.shopify.trouble = () => ({ delayMs: 0, fails: true });
    await world.runFor(6 * HOUR_MS);
    expect(await world.store.flowEvents.count({})).toBe(3);
    back(world);
    await world.runFor(HOUR_MS);
    expect(idsOf(world)).toEqual(["event-1", "event-2", "event-3"]);
  });

  test("goes on behind an event that Flow refuses for good, or that is over a day old, and Activity has both", async () => {
    const world = await filled(3);
    await world.store.flowEvents.update({ id: "event-1" }, { atMs: world.clock.nowMs() - 24 * HOUR_MS - 1 });
    world.shopify.flowRefuses = ({ id }) => id === "event-2";
    await world.runFor();
    expect(world.shopify.flow.map(({ id }) => id)).toEqual(["event-3"]);
    const lines = await world.store.activity.list({ kind: { in: ["flow_late", "flow_refused"] } });
    expect(lines.map(({ kind, locationName, detail }) => [kind, locationName, detail])).toEqual([
      ["flow_late", "Bodega 1", "origin-ready"],
      ["flow_refused", "Bodega 2", "origin-ready: Flow does not take it"],
    ]);
  });

  test("tells production's Activity what became of production's events, whichever account is in use by then", async () => {
    const world = await filled(2);
    await world.store.flowEvents.update({ id: "event-1" }, { atMs: world.clock.nowMs() - 24 * HOUR_MS - 1 });
    world.shopify.flowRefuses = () => true;
    await world.store.connections.update({ shop: SHOP }, { environment: "test" });
    await world.runFor();
    const lines = await world.store.activity.list({ kind: { in: ["flow_late", "flow_refused"] } });
    expect(lines.map(({ kind, environment }) => [kind, environment])).toEqual([
      ["flow_late", "production"],
      ["flow_refused", "production"],
    ]);
  });

  test("is empty once the app was uninstalled, and Flow is told nothing more until a workflow is turned on anew", async () => {
    const world = await filled(3);
    const { toldMs } = (await world.store.shops.find({ shop: SHOP }))!.flow["origin-ready"]!;
    world.shopify.trouble = () => ({ delayMs: 0, fails: true });
    await world.runFor(60_000);
    world.shopify.uninstall(SHOP);
    world.shopify.trouble = () => ({ delayMs: 0, fails: false });
    await world.store.shops.update({ shop: SHOP }, { uninstallToldAtMs: world.clock.nowMs() });
    await request(world, "uninstall", "shop");
    await world.runFor(HOUR_MS);
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).not.toBeNull();
    expect(await world.store.flowEvents.count({})).toBe(0);
    expect(await world.store.flowOrigins.count({})).toBe(0);
    const { tellFlow } = world.shopify.calls;
    world.shopify.install(SHOP);
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
    // Flow repeats a word from before the uninstall.
    const said = { shop: SHOP, trigger: "origin-ready", isUsed: true } as const;
    expect(await useTrigger(world.services, { ...said, toldMs })).toBe("noted");
    await world.runFor(HOUR_MS);
    expect(await world.store.workItems.count({ kind: "flow" })).toBe(0);
    expect(world.shopify.calls.tellFlow).toBe(tellFlow);
    // Its owner turns the workflow on again.
    await useTrigger(world.services, { ...said, toldMs: world.clock.nowMs() });
    await world.runFor(HOUR_MS);
    expect(triggersInUse((await world.store.shops.find({ shop: SHOP }))!)).toEqual(["origin-ready"]);
    expect(world.shopify.calls.tellFlow).toBe(tellFlow);
  });
});

describe("an event that Shopify always fails at", () => {
  const MINUTE_MS = 60_000;

  /** Shopify answers each of these events with a failure. Returns how often it was asked about them. */
  function stick(world: World, stuck: readonly string[]): { calls: number } {
    const asked = { calls: 0 };
    const { takeEvent } = world.shopify;
    world.shopify.takeEvent = (event) => {
      if (!stuck.includes(event.id)) return takeEvent(event);
      asked.calls += 1;
      throw new AppError({ kind: "shopify_unavailable", message: "Shopify: HTTP 502", effect: "none", status: 502 });
    };
    return asked;
  }

  const troubles = async (world: World) =>
    (await readHome(world.services, { shop: SHOP }))!.troubles.map(({ trouble, failure }) => [trouble, failure.code]);

  test.each([
    ["the first", ["event-1"]],
    ["one in the middle", ["event-4"]],
    ["the last", ["event-6"]],
    ["every other one", ["event-1", "event-3", "event-5"]],
    ["all but one", ["event-1", "event-2", "event-4", "event-5", "event-6"]],
  ])("holds up no other, where it is %s", async (_name, stuck) => {
    const world = await filled(6);
    stick(world, stuck);
    await world.runFor(10 * MINUTE_MS);
    const others = ["event-1", "event-2", "event-3", "event-4", "event-5", "event-6"];
    expect(idsOf(world).sort()).toEqual(others.filter((id) => !stuck.includes(id)));
    // What is new waits for none of them.
    await world.store.flowEvents.insert(eventOf(world, 7));
    await request(world, "flow", "give");
    await world.runFor(MINUTE_MS);
    expect(idsOf(world)).toContain("event-7");
  });

  test("is tried at ever longer intervals, told on Home until it gets through, and leaves nothing behind", async () => {
    const world = await filled(3);
    const stuck = ["event-1"];
    const asked = stick(world, stuck);
    await world.runFor(15 * MINUTE_MS);
    expect(await troubles(world)).toEqual([["flow", "shopify_unavailable"]]);
    await world.runFor(HOUR_MS - 15 * MINUTE_MS);
    expect(asked.calls).toBeLessThan(20);
    asked.calls = 0;
    await world.runFor(HOUR_MS);
    expect(asked.calls).toBeLessThanOrEqual(4);
    stuck.length = 0;
    await world.runFor(20 * MINUTE_MS);
    expect(idsOf(world).at(-1)).toBe("event-1");
    expect(await troubles(world)).toEqual([]);
    expect(await world.store.flowEvents.count({})).toBe(0);
    expect(await world.store.workItems.count({ kind: "flow", key: "event-1" })).toBe(0);
  });

  test("goes to Activity when it is over a day old, and Home says no more of it", async () => {
    const world = await filled(3);
    stick(world, ["event-2"]);
    await world.runFor(25 * HOUR_MS);
    expect((await world.store.activity.list({ kind: "flow_late" })).map(({ locationName }) => locationName)).toEqual([
      "Bodega 2",
    ]);
    expect(await troubles(world)).toEqual([]);
    expect(await world.store.workItems.count({ kind: "flow", key: "event-2" })).toBe(0);
  });

  test("is forgotten with the last workflow", async () => {
    const world = await filled(3);
    const asked = stick(world, ["event-1"]);
    await world.runFor(10 * MINUTE_MS);
    await use(world, false);
    asked.calls = 0;
    await world.runFor(HOUR_MS);
    expect(asked.calls).toBe(0);
    expect(await troubles(world)).toEqual([]);
  });

  test("is every event: the line rests as a whole, in its order, and Home says so until Shopify is back", async () => {
    const world = await filled(6);
    world.shopify.trouble = () => ({ delayMs: 0, fails: true });
    await world.runFor(15 * MINUTE_MS);
    expect(await troubles(world)).toEqual([["flow", "shopify_unavailable"]]);
    const { tellFlow } = world.shopify.calls;
    await world.runFor(2 * HOUR_MS);
    expect(world.shopify.calls.tellFlow - tellFlow).toBeLessThanOrEqual(2 * 12);
    await world.runFor(20 * HOUR_MS);
    back(world);
    await world.runFor(20 * MINUTE_MS);
    expect(idsOf(world)).toEqual(["event-1", "event-2", "event-3", "event-4", "event-5", "event-6"]);
    expect(await troubles(world)).toEqual([]);
    expect(await world.store.activity.count({ kind: "flow_late" })).toBe(0);
  });
});
