import { describe, expect, test } from "vitest";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { ensureWelcomed, welcomeShop } from "../../../app/shop/welcome-shop.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld } from "../../fakes/world.ts";

const NEW = "nueva.myshopify.com";

describe("a shop that comes", () => {
  test("is known once, however often it signs in, and everything of it is looked at", async () => {
    const world = await createWorld();
    await world.clock.runWhile(Promise.all([1, 2, 3].map(() => welcomeShop(world.services, { shop: NEW }))));
    expect(await world.store.shops.count({ shop: NEW })).toBe(1);
    expect(await world.store.activity.count({ shop: NEW, kind: "installed" })).toBe(1);
    expect((await world.workItem("reconcile", "shop", NEW)).generation).toBe(1);
  });

  test("is there for each of several requests that come together, and again after it was erased", async () => {
    const world = await createWorld();
    const visit = async () => {
      await ensureWelcomed(world.services, { shop: NEW });
      return (await world.store.shops.find({ shop: NEW }))?.uninstalledAtMs;
    };
    expect(await world.clock.runWhile(Promise.all([visit(), visit(), visit()]))).toEqual([null, null, null]);
    await world.store.eraseShop(NEW);
    expect(await world.clock.runWhile(visit())).toBeNull();
    await world.store.shops.update({ shop: NEW }, { uninstalledAtMs: world.clock.nowMs() });
    expect(await world.clock.runWhile(visit())).toBeNull();
  });

  test("is welcome even while Shopify does not tell its time zone", async () => {
    const world = await createWorld();
    world.shopify.trouble = () => ({ delayMs: 1, fails: true });
    await world.clock.runWhile(welcomeShop(world.services, { shop: NEW }));
    expect(await world.store.shops.find({ shop: NEW })).toMatchObject({ timeZone: "America/Mexico_City" });
  });
});

test("a shop that Shopify froze is looked at again when it has thawed, though nothing says so", async () => {
  const world = await createWorld();
  const worker = world.start();
  await world.runFor();
  const key = await world.addLocation(1);
  world.shopify.freeze(SHOP, true);
  await world.requestWork("location", key);
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(24 * 3_600_000);
  expect(await world.workItem("location", key)).toMatchObject({ state: "blocked", reason: { code: "shopify_frozen" } });
  expect((await world.store.connections.find({ shop: SHOP }))!).toMatchObject({ state: "active", version: 1 });
  world.shopify.freeze(SHOP, false);
  await world.runFor(20 * 60_000);
  expect(world.templateOf(key)).toBeDefined();
  await world.clock.runWhile(worker.stop());
});

test("activity is kept ninety days, receipts a month", async () => {
  const world = await createWorld();
  const worker = world.start();
  await world.runFor();
  await receiveWebhook(world.services, {
    shop: SHOP,
    topic: "customers/redact",
    webhookId: "w",
    payload: { shop_domain: SHOP },
  });
  const oldest = world.clock.nowMs();
  await world.runFor(8 * 24 * 3_600_000);
  expect(await world.store.receipts.count({ shop: SHOP })).toBe(1);
  await world.runFor(23 * 24 * 3_600_000);
  expect(await world.store.receipts.count({ shop: SHOP })).toBe(0);
  expect(await world.store.activity.count({ shop: SHOP, atMs: { lte: oldest } })).toBeGreaterThan(0);
  await world.runFor(60 * 24 * 3_600_000);
  expect(await world.store.activity.count({ shop: SHOP, atMs: { lte: oldest } })).toBe(0);
  await world.clock.runWhile(worker.stop());
});
