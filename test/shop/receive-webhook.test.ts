import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";
import type { OpenedStore } from "../adapters/store/open-store.ts";
import { floodWithWebhooks } from "../bench/webhooks/flood.ts";
import { IS_WHOLE } from "../whole.ts";

const say = (topic: string, webhookId: string, payload: unknown = { id: 1 }, shop = SHOP) => ({
  shop,
  topic,
  webhookId,
  payload,
});

describe("a webhook", () => {
  test("of a location requests its work item, once a delivery", async () => {
    const world = await createWorld();
    for (const topic of [
      "locations/create",
      "locations/update",
      "LOCATIONS_UPDATE",
      "locations/activate",
      "locations/deactivate",
      "locations/delete",
    ]) {
      expect(await receiveWebhook(world.services, say(topic, topic))).toBe("accepted");
      expect(await receiveWebhook(world.services, say(topic, topic))).toBe("duplicate");
      await world.clock.runFor(5_000);
    }
    expect((await world.workItem("location", locationGid(1))).generation).toBe(6);
  });

  test("of an unknown shop does nothing", async () => {
    const world = await createWorld();
    expect(await receiveWebhook(world.services, say("locations/update", "w", { id: 1 }, "nobody.myshopify.com"))).toBe(
      "unknown_shop",
    );
    expect(await world.store.workItems.count({})).toBe(0);
  });

  test.each([
    [null],
    ["text"],
    [{}],
    [{ id: "x" }],
    [{ id: { deep: 1 } }],
    [{ id: { toString: "x" } }],
    [{ id: [1] }],
    [[1]],
  ])("with payload %j is accepted and harms nothing", async (payload) => {
    const world = await createWorld();
    expect(await receiveWebhook(world.services, say("locations/update", "w", payload))).toBe("accepted");
    expect(await world.store.workItems.count({})).toBe(0);
  });

  test("with an id that no delivery has leaves a short receipt, and is known again", async () => {
    const world = await createWorld();
    const long = "x".repeat(12_000);
    expect(await receiveWebhook(world.services, say("locations/update", long))).toBe("accepted");
    expect(await receiveWebhook(world.services, say("locations/update", long))).toBe("duplicate");
    expect((await world.store.receipts.list({}))[0]!.webhookId.length).toBeLessThanOrEqual(255);
  });

  test("whose receipt and request cannot be stored together is thrown, so that it comes again", async () => {
    const world = await createWorld();
    const store = { ...world.store, transaction: () => Promise.reject(new Error("disk")) };
    await expect(receiveWebhook({ ...world.services, store }, say("locations/update", "w"))).rejects.toThrow("disk");
    expect(await receiveWebhook(world.services, say("locations/update", "w"))).toBe("accepted");
  });

  test.each(["customers/data_request", "customers/redact"])("%s is answered and noted", async (topic) => {
    const world = await createWorld();
    const payload = { shop_domain: SHOP, customer: { id: 1 } };
    expect(await receiveWebhook(world.services, say(topic, "w", payload))).toBe("accepted");
    expect(await world.store.activity.count({ kind: topic.replace("/", "_") })).toBe(1);
  });

  const hook = (topic: string, payload: unknown, webhookId = "w") => say(topic, webhookId, payload);

  test.each([
    ["shop/redact", { shop_domain: "another.myshopify.com" }],
    ["shop/redact", { shop_id: 1 }],
    ["shop/redact", null],
    ["shop/redact", { shop_domain: SHOP, customer: { id: 1 }, orders_to_redact: [] }],
    ["shop/redact", { shop_domain: `${SHOP}.evil.example` }],
    ["shop/redact", { shop_domain: { toString: SHOP } }],
    ["app/uninstalled", { myshopify_domain: "another.myshopify.com", domain: SHOP }],
    ["app/uninstalled", { domain: "another.myshopify.com" }],
    ["customers/redact", { shop_domain: "another.myshopify.com" }],
    ["customers/redact", { id: 1 }],
    ["customers/data_request", { shopify_domain: SHOP, action_run_id: "r", handle: "verify-origin" }],
  ])("%s does nothing when its signed body says %j", async (topic, payload) => {
    const world = await createWorld();
    const warned: Record<string, unknown>[] = [];
    const log = { ...world.services.log, warn: (fields: Record<string, unknown>) => void warned.push(fields) };
    expect(await receiveWebhook({ ...world.services, log }, hook(topic, payload))).toBe("another_shop");
    expect(warned).toMatchObject([{ shop: SHOP, topic }]);
    expect(await world.store.workItems.count({})).toBe(0);
    expect(await world.store.activity.count({})).toBe(0);
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstallToldAtMs).toBeNull();
  });

  test.each([
    ["app/uninstalled", { myshopify_domain: SHOP.toUpperCase(), domain: "tienda.example" }, "uninstall"],
    ["shop/redact", { shop_id: 1, shop_domain: SHOP }, "redact"],
  ] as const)("%s with the body %j is its header's shop's", async (topic, payload, kind) => {
    const world = await createWorld();
    expect(await receiveWebhook(world.services, hook(topic, payload))).toBe("accepted");
    expect(await receiveWebhook(world.services, hook(topic, payload))).toBe("duplicate");
    expect(await world.workItem(kind, "shop")).toMatchObject({ generation: 1, observedGeneration: 0 });
  });

  test.each([[{}], [{ domain: "tienda.example" }], [{ id: 1 }], [null]])(
    "app/uninstalled with the body %j, which may be another topic's, only asks whether the shop has left",
    async (payload) => {
      const world = await createWorld();
      expect(await receiveWebhook(world.services, hook("app/uninstalled", payload))).toBe("accepted");
      expect(await world.workItem("uninstall", "shop")).toMatchObject({ generation: 1, observedGeneration: 0 });
      const { uninstallToldAtMs, refusedAtMs } = (await world.store.shops.find({ shop: SHOP }))!;
      expect([uninstallToldAtMs, refusedAtMs]).toEqual([null, null]);
      await world.addLocation(1);
      const worker = world.start();
      await world.requestWork("location", locationGid(1));
      await world.runFor(60_000);
      // The shop goes on.
      expect(world.templateOf(locationGid(1))).toBeDefined();
      expect(await world.store.activity.count({ kind: "uninstall_told" })).toBe(0);
      await world.clock.runWhile(worker.stop());
    },
  );

  test("shop/redact of a shop nobody knows does nothing", async () => {
    const world = await createWorld();
    const nobody = "nobody.myshopify.com";
    expect(await receiveWebhook(world.services, say("shop/redact", "w", { shop_domain: nobody }, nobody))).toBe(
      "unknown_shop",
    );
    expect(await world.store.shops.count({})).toBe(1);
  });

  test("app/scopes_update is noted and everything is looked at", async () => {
    const world = await createWorld();
    await receiveWebhook(world.services, say("app/scopes_update", "w"));
    await world.clock.runFor(120_000);
    await receiveWebhook(world.services, say("APP_SCOPES_UPDATE", "w2"));
    expect((await world.workItem("reconcile", "shop")).generation).toBe(2);
  });
});

describe("a flood of webhooks, shuffled and each three times, over the real store", () => {
  let opened: OpenedStore;

  beforeAll(async () => {
    opened = await openFreshStore();
  });
  afterAll(() => opened.close());

  // `npm run bench -- webhooks` does it with ten thousand.
  test("ends in the state that Shopify is in", async () => {
    const flood = await floodWithWebhooks(opened.store, { webhooks: IS_WHOLE ? 400 : 150, seed: 11 });
    expect(flood).toMatchObject({ receipts: flood.expectedReceipts, templates: flood.locations, astray: [] });
  });
});
