import { expect, test } from "vitest";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World, WorldOptions } from "../fakes/world.ts";
import type { ShopifyLocation } from "../../app/ports.ts";

/**
 * Shopify's query answers what was true a while ago, from a replica that stands still, after its webhook has told of the change. The
 * webhook's body and the location's `updatedAt` say which is newer.
 */

const MINUTE_MS = 60_000;
const key = locationGid(1);

let webhooks = 0;
async function send(world: World, updated_at: unknown) {
  const webhookId = `w${(webhooks += 1)}`;
  const payload = { id: 1, updated_at };
  await receiveWebhook(world.services, { shop: SHOP, topic: "locations/update", webhookId, payload });
  world.services.wake();
}

/** Shopify tells of the location as it truly is, or says that it changed at another time. */
const tell = (world: World, atMs = world.shopify.known(SHOP, key)!.shopifyAtMs) => send(world, withOffset(atMs));

/** As Shopify writes it: the time of day in the shop, to the second. */
function withOffset(atMs: number): string {
  return new Date(atMs - 6 * 60 * MINUTE_MS).toISOString().replace(/\.\d+Z$/, "-06:00");
}

async function staged(policies: WorldOptions["policies"] = {}): Promise<World> {
  const world = await createWorld({ policies: { carriers: [], ...policies } });
  await world.addLocation(1);
  world.start();
  await world.runFor(3 * MINUTE_MS);
  expect(street(world)).toBe("101");
  return world;
}

const street = (world: World) => world.templateOf(key)?.address.street_number;
const page = (world: World) => readOrigin(world.services, { shop: SHOP, locationId: key });
const row = async (world: World) => (await world.store.locations.find({ shop: SHOP, locationId: key }))!;

function change(world: World, number: string, over: Partial<ShopifyLocation> = {}) {
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }), ...over }));
}

async function ask(world: World, kind: "location" | "reconcile") {
  await world.requestWork(kind, kind === "location" ? key : "shop");
  world.services.wake();
}

/** From now on answers show what is true at this time. */
function standStill(world: World, atMs = world.clock.nowMs()) {
  world.shopify.standsAt = () => atMs;
}
const catchUp = (world: World) => (world.shopify.standsAt = () => null);

/** The location has moved, and its template followed. `oldMs`: when Shopify still stood at the state before. */
async function moved(): Promise<{ world: World; oldMs: number }> {
  const world = await staged();
  const oldMs = world.clock.nowMs();
  await world.runFor(MINUTE_MS);
  change(world, "900");
  await tell(world);
  await world.runFor(MINUTE_MS);
  expect(street(world)).toBe("900");
  return { world, oldMs };
}

test("a change that Shopify does not show yet is asked for until it does, and the page says so", async () => {
  const world = await staged();
  standStill(world);
  await world.runFor(MINUTE_MS);
  change(world, "900");
  await tell(world);
  await world.runFor(3_000);
  expect(await page(world)).toMatchObject({ state: "waiting", reasonCode: "location_behind" });
  const asked = world.shopify.calls.location;
  await world.runFor(10 * MINUTE_MS);
  expect(world.shopify.calls.location - asked).toBeLessThan(15);
  expect(street(world)).toBe("101");
  catchUp(world);
  await world.runFor(2 * MINUTE_MS);
  expect(street(world)).toBe("900");
  expect(await page(world)).toMatchObject({ state: "ready" });
  expect(await row(world)).toMatchObject({ shopifyToldMs: null, behindSinceMs: null });
});

test("an older state is not written over a newer one, whoever asks for it", async () => {
  const { world, oldMs } = await moved();
  standStill(world, oldMs);
  const calls = world.calls.length;
  await tell(world);
  await ask(world, "location");
  await ask(world, "reconcile");
  await world.runFor(MINUTE_MS);
  expect(await row(world)).toMatchObject({ address: { address1: "Avenida Vallarta \u2060900" } });
  expect(await page(world)).toMatchObject({ state: "waiting", reasonCode: "location_behind" });
  expect(world.calls.slice(calls).filter((call) => call !== "list")).toEqual([]);
  catchUp(world);
  await world.runFor(2 * MINUTE_MS);
  expect(street(world)).toBe("900");
  expect(await page(world)).toMatchObject({ state: "ready" });
});

test("a list that is behind is not believed, and the location is asked for until Shopify shows it", async () => {
  const { world, oldMs } = await moved();
  standStill(world, oldMs);
  await ask(world, "reconcile");
  await world.runFor(30_000);
  expect(await page(world)).toMatchObject({ state: "waiting", reasonCode: "location_behind" });
  catchUp(world);
  await world.runFor(MINUTE_MS);
  expect(street(world)).toBe("900");
  expect((await row(world)).behindSinceMs).toBeNull();
});

test("a list that shows the same as before, as of later, is what older answers are held to", async () => {
  const world = await staged();
  change(world, "900");
  const oldMs = world.clock.nowMs();
  await world.runFor(MINUTE_MS);
  // Changed and changed back, and both webhooks are lost.
  change(world, "101");
  await ask(world, "reconcile");
  await world.runFor(MINUTE_MS);
  standStill(world, oldMs);
  await ask(world, "location");
  await world.runFor(MINUTE_MS);
  expect(street(world)).toBe("101");
});

test("a location that is active again keeps its template, though a replica shows it inactive", async () => {
  const world = await staged({ onDeactivate: "delete" });
  const { id } = world.templateOf(key)!;
  change(world, "101", { isActive: false });
  standStill(world);
  await world.runFor(MINUTE_MS);
  change(world, "101");
  await tell(world);
  await world.runFor(10 * MINUTE_MS);
  expect(world.calls).not.toContain("delete");
  catchUp(world);
  await world.runFor(30 * MINUTE_MS);
  expect(world.account.templates.has(id)).toBe(true);
  expect(await world.store.activity.count({ shop: SHOP, kind: "location_deactivated" })).toBe(0);
});

test("a deletion does not go on an answer that is behind a webhook which came since it was planned", async () => {
  const world = await staged({ onDeactivate: "delete" });
  change(world, "101", { isActive: false });
  await tell(world);
  standStill(world);
  world.shopify.trouble = () => ({ delayMs: 2_000, fails: false });
  await world.runFor(1_500);
  change(world, "101");
  await tell(world);
  await world.runFor(5 * MINUTE_MS);
  expect(world.calls).not.toContain("delete");
});

test("a location that is inactive by the newest state has its template deleted by rule", async () => {
  const world = await staged({ onDeactivate: "delete" });
  change(world, "101", { isActive: false });
  await tell(world);
  await world.runFor(MINUTE_MS);
  expect(world.account.templates.size).toBe(0);
});

test("an answer as old as the webhook says is not older, also where Shopify says the second alone", async () => {
  const world = await staged();
  change(world, "900");
  await tell(world, world.clock.nowMs());
  await world.runFor(30_000);
  expect(street(world)).toBe("900");
});

test("a webhook whose time is wrong holds up a location for a quarter of an hour, and no longer", async () => {
  const world = await staged();
  const wrongMs = world.clock.nowMs() + 59_000;
  change(world, "900");
  await tell(world, wrongMs);
  await world.runFor(14 * MINUTE_MS);
  expect(street(world)).toBe("101");
  await world.runFor(2 * MINUTE_MS);
  expect(street(world)).toBe("900");
  expect(await page(world)).toMatchObject({ state: "ready" });
});

test("a webhook that tells of the future, or of no time, only asks to look", async () => {
  const world = await staged();
  change(world, "900");
  await tell(world, world.clock.nowMs() + 2 * MINUTE_MS);
  await world.runFor(30_000);
  expect(street(world)).toBe("900");
  change(world, "901");
  for (const updated_at of ["yesterday", 12, null, "-271821-04-20T00:00:00Z"]) await send(world, updated_at);
  await world.runFor(30_000);
  expect(street(world)).toBe("901");
});

test("a clock of Shopify's that was ahead starves no location: what is older for so long is believed", async () => {
  const world = await staged();
  await world.store.locations.update({ shop: SHOP, locationId: key }, { shopifyAtMs: world.clock.nowMs() + 3_600_000 });
  change(world, "900");
  await tell(world);
  await world.runFor(10 * MINUTE_MS);
  expect(street(world)).toBe("101");
  await world.runFor(6 * MINUTE_MS);
  expect(street(world)).toBe("900");
  expect((await row(world)).shopifyAtMs).toBe(world.shopify.known(SHOP, key)!.shopifyAtMs);
});

test("a captured webhook that is sent again holds up nothing", async () => {
  const world = await staged();
  change(world, "900");
  const toldMs = world.shopify.known(SHOP, key)!.shopifyAtMs;
  await tell(world);
  await world.runFor(MINUTE_MS);
  change(world, "901");
  await tell(world);
  await world.runFor(MINUTE_MS);
  await tell(world, toldMs);
  expect(await row(world)).toMatchObject({ shopifyToldMs: null, behindSinceMs: null });
  expect(street(world)).toBe("901");
});

test("a location that is gone is believed gone as ever, though a webhook has told of a newer state", async () => {
  const world = await staged({ onDelete: "delete" });
  await tell(world, world.clock.nowMs());
  world.shopify.remove(SHOP, key);
  await world.runFor(3 * MINUTE_MS);
  expect(world.account.templates.size).toBe(0);
  expect(await row(world)).toMatchObject({ shopifyToldMs: null, behindSinceMs: null });
  expect(await world.workItem("location", key)).toMatchObject({ state: "active", pendingSinceMs: null });
});

test("what an earlier release kept has no time, and is asked for once", async () => {
  const world = await staged();
  await world.store.locations.update({ shop: SHOP, locationId: key }, { shopifyAtMs: null });
  await ask(world, "reconcile");
  await world.runFor(30_000);
  expect((await row(world)).shopifyAtMs).toBe(world.shopify.known(SHOP, key)!.shopifyAtMs);
});
