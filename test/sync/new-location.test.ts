import { expect, test } from "vitest";
import { readHome } from "../../app/pages/read-home.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** Shopify tells of a location that its answers have never shown: they may be behind, and no row of ours remembers it. */

const MINUTE_MS = 60_000;
let webhooks = 0;

async function tellOf(world: World, id: number) {
  const webhookId = `w${(webhooks += 1)}`;
  await receiveWebhook(world.services, { shop: SHOP, topic: "locations/create", webhookId, payload: { id } });
  world.services.wake();
}

test("a location that is new, and that Shopify does not show yet, is asked for until it does, and for a quarter of an hour at most", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  world.start();
  await world.runFor(3 * MINUTE_MS);
  await tellOf(world, 1);
  await tellOf(world, 2);
  await world.runFor(4 * MINUTE_MS);
  expect((await readHome(world.services, { shop: SHOP }))!.queue).toMatchObject({ waiting: 0, later: 0 });
  await world.addLocation(1);
  await world.runFor(2 * MINUTE_MS);
  expect(world.templateOf(locationGid(1))?.address.street_number).toBe("101");
  await world.runFor(12 * MINUTE_MS);
  const asked = world.shopify.calls.location;
  expect(asked).toBeLessThanOrEqual(30);
  expect(await world.workItem("location", locationGid(2))).toMatchObject({ state: "active", pendingSinceMs: null });
  await world.runFor(60 * MINUTE_MS);
  expect(world.shopify.calls.location).toBe(asked);
});

test("the quarter of an hour begins when Shopify answers again, however long it was out of reach", async () => {
  const world = await createWorld({ policies: { carriers: [] } });
  world.start();
  await world.runFor(3 * MINUTE_MS);
  world.shopify.trouble = () => ({ delayMs: 0, fails: true });
  await tellOf(world, 1);
  await tellOf(world, 3);
  await world.runFor(20 * MINUTE_MS);
  world.shopify.trouble = () => ({ delayMs: 0, fails: false });
  const asked = world.shopify.calls.location;
  await tellOf(world, 2);
  const reasonOf = async (number: number) => (await world.workItem("location", locationGid(number))).reason?.code;
  while ((await reasonOf(1)) !== "location_behind") await world.runFor(10_000);
  await world.runFor(8 * MINUTE_MS);
  await world.addLocation(1);
  await world.runFor(3 * MINUTE_MS);
  expect(world.templateOf(locationGid(1))?.address.street_number).toBe("101");
  await world.runFor(30 * MINUTE_MS);
  for (const number of [2, 3])
    expect(await world.workItem("location", locationGid(number))).toMatchObject({ pendingSinceMs: null });
  expect(world.shopify.calls.location - asked).toBeLessThanOrEqual(60);
});

/** A world whose only location has a template, and can leave and be told of. */
async function oneThatLeaves() {
  const world = await createWorld({ policies: { carriers: [], onDeactivate: "unlink" } });
  const locationId = await world.addLocation(1);
  world.start();
  await world.runFor(3 * MINUTE_MS);
  const tell = async (topic: "create" | "update" | "delete") => {
    const webhookId = `w${(webhooks += 1)}`;
    const payload = { id: 1, ...(topic !== "delete" && { updated_at: new Date(world.clock.nowMs()).toISOString() }) };
    await receiveWebhook(world.services, { shop: SHOP, topic: `locations/${topic}`, webhookId, payload });
    world.services.wake();
  };
  return {
    world,
    tell,
    leave: () => world.shopify.remove(SHOP, locationId),
    comeBack: () => world.shopify.put(SHOP, shopifyLocation(1)),
    isLinked: async () => (await world.store.links.count({ shop: SHOP, locationId })) > 0,
    item: () => world.workItem("location", locationId),
  };
}

test("one that had left, and that Shopify tells of again before it shows it, is asked for until it does", async () => {
  const { world, tell, leave, comeBack, isLinked, item } = await oneThatLeaves();
  leave();
  await tell("delete");
  await world.runFor(2 * MINUTE_MS);
  expect(await isLinked()).toBe(false);
  await tell("create");
  await world.runFor(4 * MINUTE_MS);
  // That it has left is done: nobody waits for anything, and nothing stands still.
  expect(await item()).toMatchObject({ state: "active", pendingSinceMs: null });
  comeBack();
  await world.runFor(2 * MINUTE_MS);
  expect(await isLinked()).toBe(true);
});

test("a late word of before it left is asked about for a quarter of an hour, and then not any more", async () => {
  const { world, tell, leave, isLinked, item } = await oneThatLeaves();
  leave();
  await tell("delete");
  await world.runFor(2 * MINUTE_MS);
  const before = world.shopify.calls.location;
  await tell("update");
  await world.runFor(2 * MINUTE_MS);
  expect(await item()).toMatchObject({ state: "active", pendingSinceMs: null });
  await world.runFor(15 * MINUTE_MS);
  const asked = world.shopify.calls.location;
  expect(asked - before).toBeLessThanOrEqual(20);
  await world.runFor(2 * 60 * MINUTE_MS);
  expect(world.shopify.calls.location - asked).toBeLessThanOrEqual(1);
  expect(await isLinked()).toBe(false);
});

test("an owner reads of nothing that stands still where Shopify answers none of these questions", async () => {
  const { world, tell, leave, comeBack, isLinked, item } = await oneThatLeaves();
  leave();
  await tell("delete");
  await world.runFor(2 * MINUTE_MS);
  await tell("create");
  await world.runFor(MINUTE_MS);
  world.shopify.trouble = () => ({ delayMs: 0, fails: true });
  await world.runFor(5 * MINUTE_MS);
  expect(await item()).toMatchObject({ state: "active", pendingSinceMs: null, failures: 0, reason: null });
  world.shopify.trouble = () => ({ delayMs: 0, fails: false });
  comeBack();
  await world.runFor(3 * MINUTE_MS);
  expect(await isLinked()).toBe(true);
  // The webhook's own look is work that is to be done, however long it takes.
  leave();
  await tell("delete");
  await world.runFor(2 * MINUTE_MS);
  world.shopify.trouble = () => ({ delayMs: 0, fails: true });
  await tell("create");
  comeBack();
  await world.runFor(30 * MINUTE_MS);
  expect((await item()).failures).toBeGreaterThan(0);
  world.shopify.trouble = () => ({ delayMs: 0, fails: false });
  await world.runFor(30 * MINUTE_MS);
  expect(await isLinked()).toBe(true);
});
