import { describe, expect, test } from "vitest";
import { probeWhileSeen } from "../../app/pages/probe-while-seen.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const HOUR_MS = 3_600_000;

test("a service that is down for three hours: every change arrives after it, and nobody presses anything", async () => {
  const world = await createWorld();
  const keys: string[] = [];
  for (let number = 1; number <= 20; number += 1) keys.push(await world.addLocation(number));
  const worker = world.start();
  await world.runFor(60_000);
  expect(world.account.templates.size).toBe(20);

  const downUntilMs = world.clock.nowMs() + 3 * HOUR_MS;
  let requests = 0;
  world.outcomeOf = () => {
    if (world.clock.nowMs() >= downUntilMs) return PROMPT;
    requests += 1;
    return { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } };
  };
  for (const [index, key] of keys.entries()) {
    world.shopify.put(SHOP, shopifyLocation(index + 1, { address: mexicanAddress({ number: String(500 + index) }) }));
    await receiveWebhook(world.services, {
      shop: SHOP,
      topic: "locations/update",
      webhookId: `w${index}`,
      payload: { id: index + 1 },
    });
    await world.runFor(5 * 60_000);
    expect((await world.store.locations.find({ shop: SHOP, locationId: key }))!.address.address1).toContain(
      String(500 + index),
    );
  }
  await world.clock.runUntil(downUntilMs);
  // One probe a minute, each tried three times by the transport.
  expect(requests).toBeLessThan(3 * 3 * 60 + 60);
  expect((await world.store.connections.find({ shop: SHOP }))!.failures).toBeGreaterThan(3);
  for (const item of await world.store.workItems.list({ shop: SHOP })) expect(item.state).toBe("active");

  await world.runFor(5 * 60_000);
  for (const [index, key] of keys.entries())
    expect(world.templateOf(key)!.address.street_number).toBe(String(500 + index));
  expect(world.account.templates.size).toBe(20);
  expect((await world.store.connections.find({ shop: SHOP }))!).toMatchObject({ failures: 0, backoffUntilMs: null });
  await world.clock.runWhile(worker.stop());
});

describe("while somebody looks at a page", () => {
  /** A service that has been down for so long that the connection rests a minute, and is up again when this resolves. */
  async function backAfterTenMinutes() {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.runFor(60_000);
    let isDown = true;
    world.outcomeOf = () =>
      isDown ? { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } } : PROMPT;
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "500" }) }));
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(10 * 60_000);
    // The worst moment: the rest has just begun.
    const failures = (await world.store.connections.find({ shop: SHOP }))!.failures;
    while ((await world.store.connections.find({ shop: SHOP }))!.failures === failures) await world.runFor(500);
    isDown = false;
    return { world, key, worker };
  }
  const isBack = async (world: World) => (await world.store.connections.find({ shop: SHOP }))!.failures === 0;

  test("a service that is back is seen within fifteen seconds", async () => {
    const { world, key, worker } = await backAfterTenMinutes();
    for (let asked = 0; asked < 3 && !(await isBack(world)); asked += 1) {
      await probeWhileSeen(world.services, { shop: SHOP });
      await world.runFor(5_000);
    }
    expect(await isBack(world)).toBe(true);
    expect(world.templateOf(key)!.address.street_number).toBe("500");
    await world.clock.runWhile(worker.stop());
  });

  test("many open pages are one try in eight seconds, and none where it works", async () => {
    const { world, worker } = await backAfterTenMinutes();
    world.outcomeOf = () => ({ arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 50 } });
    const before = world.arrivals.length;
    const tried = async () => (await world.store.connections.find({ shop: SHOP }))!.failures;
    const failuresBefore = await tried();
    for (let second = 0; second < 60; second += 1) {
      await Promise.all(Array.from({ length: 10 }, () => probeWhileSeen(world.services, { shop: SHOP })));
      await world.runFor(1_000);
    }
    expect((await tried()) - failuresBefore).toBeLessThanOrEqual(60 / 8 + 1);
    expect(world.arrivals.length).toBe(before);
    world.outcomeOf = () => PROMPT;
    for (let second = 0; second < 20; second += 1) {
      await probeWhileSeen(world.services, { shop: SHOP });
      await world.runFor(1_000);
    }
    expect(await isBack(world)).toBe(true);
    const calls = world.arrivals.length;
    for (let second = 0; second < 60; second += 1) {
      await probeWhileSeen(world.services, { shop: SHOP });
      await world.runFor(1_000);
    }
    expect(world.arrivals.length).toBe(calls);
    await world.clock.runWhile(worker.stop());
  });

  test("a connection that nothing waits for is tried, too", async () => {
    const world = await createWorld();
    const worker = world.start();
    await world.runFor(60_000);
    const nowMs = world.clock.nowMs();
    await world.store.connections.update(
      { shop: SHOP },
      { failures: 5, lastFaultAtMs: nowMs - 20_000, lastFaultKind: "transport", backoffUntilMs: nowMs + 40_000 },
    );
    await probeWhileSeen(world.services, { shop: SHOP });
    await world.runFor(10_000);
    expect(await isBack(world)).toBe(true);
    await world.clock.runWhile(worker.stop());
  });
});

test("a save while the service rests answers at once that it is under way", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  world.outcomeOf = () => ({ arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: 10 } });
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const requested = await world.requestWork("location", key);
    const startedAtMs = world.clock.nowMs();
    const answered = runNow(world.services, { shop: SHOP, ...requested }).then((progress) => {
      expect(world.clock.nowMs() - startedAtMs).toBeLessThanOrEqual(4_000);
      return progress;
    });
    expect(await world.clock.runWhile(answered)).toEqual({ kind: "under_way" });
  }
});

test("a work item's own failures back off, park it after twenty, and a new generation tries again", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const worker = world.start();
  world.shopify.trouble = () => ({ delayMs: 5, fails: true });
  await world.requestWork("location", key);
  await world.runFor(6 * HOUR_MS);
  const parked = await world.workItem("location", key);
  expect(parked).toMatchObject({ state: "parked", reason: { code: "shopify_unavailable" } });
  // Parked, it is tried every twenty minutes, as a canary.
  expect(parked.failures).toBeGreaterThanOrEqual(20);
  expect(parked.failures).toBeLessThan(40);
  world.shopify.trouble = () => ({ delayMs: 5, fails: false });
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor();
  expect(world.templateOf(key)).toBeDefined();
  await world.clock.runWhile(worker.stop());
});

test("a secret the service refuses stops all requests but four for a token, until the owner gives another", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  world.accounts.delete("client-1");
  const worker = world.start();
  await world.requestWork("location", key);
  await world.runFor(3 * HOUR_MS);
  expect((await world.store.connections.find({ shop: SHOP }))!.state).toBe("invalid");
  // The look that met the refusal comes again at once, and then after a minute, five and fifteen.
  expect(world.requests.map(({ operation }) => operation)).toEqual(Array.from({ length: 5 }, () => "token"));
  expect(await world.workItem("location", key)).toMatchObject({ state: "blocked", reason: { code: "invalid_client" } });
  await world.clock.runWhile(worker.stop());
});
