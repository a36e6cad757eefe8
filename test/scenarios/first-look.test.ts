import { expect, test } from "vitest";
import { connectAccount } from "../../app/account/connect-account.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";

/** A store's first reconcile finds locations that nobody has looked at yet. */

test("locations that nobody confirmed become known without a run of their own, however many they are", async () => {
  const world = await createWorld();
  for (let number = 1; number <= 300; number += 1) world.shopify.put(SHOP, shopifyLocation(number));
  const worker = world.start();
  await world.runFor(5_000);
  expect(await world.store.locations.count({ shop: SHOP })).toBe(300);
  expect(await world.store.workItems.count({ shop: SHOP, kind: "location" })).toBe(0);
  expect(world.calls).toEqual(["list"]);
  await world.clock.runWhile(worker.stop());
});

test("connecting while the first reconcile still reads locations costs one list", async () => {
  const world = await createWorld({ connected: false });
  world.shopify.put(SHOP, shopifyLocation(1));
  world.shopify.trouble = () => ({ delayMs: 3_000, fails: false });
  const worker = world.start();
  await world.runFor(1_000);
  const stated = {
    environment: "test",
    clientId: "client-1",
    clientSecret: "a-secret",
    scope: null,
    redirectUri: null,
  } as const;
  expect(await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }))).toEqual({
    kind: "connected",
  });
  await world.runFor(30_000);
  expect(world.calls).toEqual(["list"]);
  expect((await world.store.shops.find({ shop: SHOP }))!.reconciledAtMs).not.toBeNull();
  await world.clock.runWhile(worker.stop());
});

test("one that nobody confirmed but a webhook told of ends blocked, and a reconcile leaves it there", async () => {
  const world = await createWorld();
  const location = shopifyLocation(1);
  world.shopify.put(SHOP, location);
  const worker = world.start();
  await world.runFor(5_000);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  await receiveWebhook(world.services, { shop: SHOP, topic: "locations/update", webhookId: "w", payload: { id: 1 } });
  await world.runFor(5_000);
  const blocked = await world.workItem("location", location.locationId);
  expect(blocked).toMatchObject({ state: "blocked", reason: { code: "unconfirmed" } });
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(5_000);
  expect(await world.workItem("location", location.locationId)).toEqual(blocked);
  await world.clock.runWhile(worker.stop());
});
