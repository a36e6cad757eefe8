import { describe, expect, test } from "vitest";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { FAILS } from "../scenarios/worker/stuck-stage.ts";

/**
 * A signed webhook that somebody captured and sends again and again, under a new delivery id each time: Shopify signs no header. None is
 * refused, and no change is lost, but how often something is looked at is not his to say.
 */

const MINUTE_MS = 60_000;
let deliveries = 0;

async function staged(locations = 2) {
  const world = await createWorld({ policies: { carriers: [], onDeactivate: "delete" } });
  for (let number = 1; number <= locations; number += 1) await world.addLocation(number);
  const worker = world.start();
  await world.runFor(3 * MINUTE_MS);
  const looked: string[] = [];
  const asked = { standing: 0 };
  const { shopify } = world.services;
  world.services.shopify = {
    ...shopify,
    location: (shop, locationId) => {
      looked.push(locationId);
      return shopify.location(shop, locationId);
    },
    standing: (shop) => {
      asked.standing += 1;
      return shopify.standing(shop);
    },
  };
  return { world, looked, asked, end: () => world.clock.runWhile(worker.stop()) };
}

function say({ services }: World, topic: string, payload: object) {
  deliveries += 1;
  return receiveWebhook(services, { shop: SHOP, topic, webhookId: `d${deliveries}`, payload });
}

/** The same body again and again, for so long. */
async function replay(
  world: World,
  { topic, payload, everyMs, forMs }: { topic: string; payload: object; everyMs: number; forMs: number },
) {
  for (let atMs = 0; atMs < forMs; atMs += everyMs) {
    expect(await say(world, topic, payload)).toBe("accepted");
    await world.runFor(everyMs);
  }
}

const uninstalled = { topic: "app/uninstalled", payload: { myshopify_domain: SHOP } };
const ofLocation = (number: number) => ({ topic: "locations/update", payload: { id: number } });
const numberOf = (world: World, key: string) => world.templateOf(key)?.address.street_number;

describe("a location's webhook, replayed", () => {
  test.each([100, 400, 1_000, 3_000])(
    "every %d ms has the location looked at once in five seconds",
    async (everyMs) => {
      const { world, looked, end } = await staged();
      await replay(world, { ...ofLocation(1), everyMs, forMs: 2 * MINUTE_MS });
      await world.runFor(10_000);
      expect(looked.length).toBeGreaterThanOrEqual(20);
      expect(looked.length).toBeLessThanOrEqual(27);
      await end();
    },
  );

  test.each([100, 400, 1_000, 3_000])("every %d ms holds up no change of the location", async (everyMs) => {
    const { world, end } = await staged();
    const [key] = (await world.store.links.list({ shop: SHOP })).map(({ locationId }) => locationId).toSorted();
    for (const number of ["901", "902", "903"]) {
      await replay(world, { ...ofLocation(1), everyMs, forMs: 20_000 });
      world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));
      await replay(world, { ...ofLocation(1), everyMs, forMs: 15_000 });
      expect(numberOf(world, key!)).toBe(number);
    }
    await end();
  });

  test("a last change, told a moment after another one, is looked at within six seconds", async () => {
    const { world, end } = await staged();
    const key = shopifyLocation(1).locationId;
    for (const number of ["901", "902"]) {
      world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number }) }));
      await say(world, "locations/update", { id: 1 });
      await world.runFor(2_500);
    }
    await world.runFor(4_500);
    expect(numberOf(world, key)).toBe("902");
    await end();
  });

  test("is not forgotten while the process is down", async () => {
    const { world, end } = await staged();
    const key = shopifyLocation(1).locationId;
    await say(world, "locations/update", { id: 1 });
    await world.runFor(2_000);
    await end();
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "903" }) }));
    await say(world, "locations/update", { id: 1 });
    expect(await world.workItem("location", key)).toMatchObject({
      generation: (await world.workItem("location", key)).observedGeneration,
    });
    await world.runFor(10_000);
    const item = await world.workItem("told", key);
    expect(item.generation).toBe(item.observedGeneration + 1);
    // Without the look at everything that follows a boot.
    world.services.store.shops.list = () => Promise.resolve([]);
    const next = world.start();
    await world.runFor(5_000);
    expect(numberOf(world, key)).toBe("903");
    await world.clock.runWhile(next.stop());
  });

  test("puts off no other location's", async () => {
    const { world, end } = await staged();
    await replay(world, { ...ofLocation(1), everyMs: 500, forMs: 10_000 });
    world.shopify.put(SHOP, shopifyLocation(2, { address: mexicanAddress({ number: "904" }) }));
    await say(world, "locations/update", { id: 2 });
    await world.runFor(3_000);
    expect(numberOf(world, shopifyLocation(2).locationId)).toBe("904");
    await end();
  });

  test("of a location that fails by itself has it tried once in a minute, and ends that once it is well", async () => {
    const { world, looked, end } = await staged();
    const key = shopifyLocation(1).locationId;
    const { id } = world.templateOf(key)!;
    world.outcomeOf = (_, { operation, templateId }) => (operation === "get" && templateId === id ? FAILS : PROMPT);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "905" }) }));
    await replay(world, { ...ofLocation(1), everyMs: 1_000, forMs: 10 * MINUTE_MS });
    looked.length = 0;
    await replay(world, { ...ofLocation(1), everyMs: 1_000, forMs: 10 * MINUTE_MS });
    expect(looked.length).toBeLessThanOrEqual(11);
    world.outcomeOf = () => PROMPT;
    await replay(world, { ...ofLocation(1), everyMs: 1_000, forMs: 2 * MINUTE_MS });
    expect(numberOf(world, key)).toBe("905");
    await end();
  });

  test("that is put off stops a deletion whose last look at the location was before it", async () => {
    const { world, end } = await staged();
    const key = shopifyLocation(1).locationId;
    const { id } = world.templateOf(key)!;
    world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
    const { location } = world.services.shopify;
    let looks = 0;
    world.services.shopify.location = async (shop, locationId) => {
      const found = await location(shop, locationId);
      // The first look plans the deletion, the second one confirms it: right after that the location is back.
      if (locationId === key && (looks += 1) === 2) {
        world.shopify.put(SHOP, shopifyLocation(1));
        await say(world, "locations/activate", { id: 1 });
      }
      return found;
    };
    await say(world, "locations/deactivate", { id: 1 });
    await world.runFor(10_000);
    expect(looks).toBeGreaterThanOrEqual(3);
    expect(world.calls).not.toContain("delete");
    expect(world.templateOf(key)?.id).toBe(id);
    await end();
  });

  test("that is put off before a deletion's looks at the location does not hold it up", async () => {
    const { world, end } = await staged();
    const key = shopifyLocation(1).locationId;
    world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
    await say(world, "locations/deactivate", { id: 1 });
    await say(world, "locations/update", { id: 1 });
    await world.runFor(4_000);
    expect(world.templateOf(key)).toBeUndefined();
    await end();
  });
});

describe("a shop's webhook, replayed every five seconds", () => {
  test("that it has left: it is shut, and its book read, once in ten minutes; Shopify is asked once in a minute", async () => {
    const { world, asked, end } = await staged();
    const before = world.calls.filter((call) => call === "list").length;
    await replay(world, { ...uninstalled, everyMs: 5_000, forMs: 20 * MINUTE_MS });
    await world.runFor(MINUTE_MS);
    expect(await world.store.activity.count({ shop: SHOP, kind: "uninstall_told" })).toBeLessThanOrEqual(3);
    expect(world.calls.filter((call) => call === "list").length - before).toBeLessThanOrEqual(6);
    expect(asked.standing).toBeGreaterThanOrEqual(3);
    expect(asked.standing).toBeLessThanOrEqual(24);
    expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({
      uninstallToldAtMs: null,
      uninstalledAtMs: null,
    });
    await end();
  });

  test("that it may have left, in a body that names no shop: Shopify is asked once in a minute", async () => {
    const { world, asked, end } = await staged();
    await replay(world, { topic: "app/uninstalled", payload: { id: 1 }, everyMs: 5_000, forMs: 10 * MINUTE_MS });
    expect(asked.standing).toBeGreaterThanOrEqual(8);
    expect(asked.standing).toBeLessThanOrEqual(11);
    await end();
  });

  test("that it is to be erased: Shopify is asked once in ten minutes, and erases nothing", async () => {
    const { world, asked, end } = await staged();
    const payload = { shop_id: 1, shop_domain: SHOP };
    await replay(world, { topic: "shop/redact", payload, everyMs: 5_000, forMs: 20 * MINUTE_MS });
    expect(asked.standing).toBeLessThanOrEqual(3);
    expect(await world.store.activity.count({ shop: SHOP, kind: "redact_kept" })).toBeLessThanOrEqual(3);
    expect(await world.store.shops.count({ shop: SHOP })).toBe(1);
    await end();
  });

  test("that its scopes changed: everything is looked at once in two minutes", async () => {
    const { world, end } = await staged();
    const before = world.calls.filter((call) => call === "list").length;
    await replay(world, { topic: "app/scopes_update", payload: {}, everyMs: 5_000, forMs: 10 * MINUTE_MS });
    const lists = world.calls.filter((call) => call === "list").length - before;
    expect(lists).toBeGreaterThanOrEqual(4);
    expect(lists).toBeLessThanOrEqual(12);
    await end();
  });
});

test("a shop that leaves while a replayed word of it is put off is shut within a minute, and forgotten once that is confirmed", async () => {
  const { world, end } = await staged();
  await say(world, uninstalled.topic, uninstalled.payload);
  await world.runFor(2 * MINUTE_MS);
  expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ uninstallToldAtMs: null, access: "open" });
  world.shopify.uninstall(SHOP);
  await say(world, uninstalled.topic, uninstalled.payload);
  await world.runFor(MINUTE_MS);
  expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ access: "refused", uninstalledAtMs: null });
  await world.runFor(11 * MINUTE_MS);
  expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).not.toBeNull();
  await end();
});

test("while a shop that has left is being found out, the same word again changes no rest between two questions", async () => {
  const { world, asked, end } = await staged();
  world.shopify.holdSession(SHOP, false);
  await replay(world, { ...uninstalled, everyMs: 30_000, forMs: 120 * MINUTE_MS });
  // 1, 1, 1.5, 2.25 … minutes apart.
  expect(asked.standing).toBeLessThanOrEqual(14);
  await end();
});
