import { describe, expect, test } from "vitest";
import { SHOP } from "../fakes/records.ts";
import type { World } from "../fakes/world.ts";
import { eventOf, HOUR_MS, request, synced, use } from "./stage.ts";

/** How events come from the outbox to Flow. */

/** What Flow has got, repetitions aside. */
const idsOf = (world: World) => [...new Set(world.shopify.flow.map(({ id }) => id))];

describe("the outbox", () => {
  async function filled(count: number): Promise<World> {
    const world = await synced();
    await use(world);
    await world.runFor();
    for (let number = 1; number <= count; number += 1) await world.store.flowEvents.insert(eventOf(world, number));
    await request(world, "flow", "give");
    return world;
  }

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
    world.shopify.trouble = () => ({ delayMs: 0, fails: false });
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

  test("is empty once the app was uninstalled, and Flow is told nothing more", async () => {
    const world = await filled(3);
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
    await world.runFor(HOUR_MS);
    expect(world.shopify.calls.tellFlow).toBe(tellFlow);
  });
});
