import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { receiveWebhook } from "../../app/use-cases/receive-webhook.ts";
import { connectionRecord, detailsRecord, locationGid, shopRecord, SHOP } from "../fakes/records.ts";
import { createSeededRandom } from "../fakes/random.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import { shippingOver, servicesOf } from "../fakes/app-process.ts";
import { createClock } from "../../app/adapters/machine/clock.ts";
import { createFakeAccount } from "../fakes/shipping-account.ts";
import { createFakeNetwork, PROMPT } from "../fakes/shipping-network.ts";
import { createFakeShopify } from "../fakes/shopify.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { openFreshStore } from "../adapters/store/open-store.ts";
import type { OpenedStore } from "../adapters/store/open-store.ts";

const say = (topic: string, webhookId: string, payload: unknown = { id: 1 }, shop = SHOP) => ({
  shop,
  topic,
  webhookId,
  payload,
});

describe("a webhook", () => {
  test("of a location raises its target, once a delivery", async () => {
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
    }
    expect((await world.target("location", locationGid(1))).wanted).toBe(6);
  });

  test("of an unknown shop does nothing", async () => {
    const world = await createWorld();
    expect(await receiveWebhook(world.services, say("locations/update", "w", { id: 1 }, "nobody.myshopify.com"))).toBe(
      "unknown_shop",
    );
    expect(await world.store.targets.count({})).toBe(0);
  });

  test.each([[null], ["text"], [{}], [{ id: "x" }], [{ id: { deep: 1 } }], [[1]]])(
    "with payload %j is accepted and harms nothing",
    async (payload) => {
      const world = await createWorld();
      expect(await receiveWebhook(world.services, say("locations/update", "w", payload))).toBe("accepted");
      expect(await world.store.targets.count({})).toBe(0);
    },
  );

  test("whose receipt and raise cannot be stored together is thrown, so that it comes again", async () => {
    const world = await createWorld();
    const store = { ...world.store, transaction: () => Promise.reject(new Error("disk")) };
    await expect(receiveWebhook({ ...world.services, store }, say("locations/update", "w"))).rejects.toThrow("disk");
    expect(await receiveWebhook(world.services, say("locations/update", "w"))).toBe("accepted");
  });

  test.each(["customers/data_request", "customers/redact"])("%s is answered and noted", async (topic) => {
    const world = await createWorld();
    expect(await receiveWebhook(world.services, say(topic, "w"))).toBe("accepted");
    expect(await world.store.activity.count({ kind: topic.replace("/", "_") })).toBe(1);
  });

  test("shop/redact leaves nothing", async () => {
    const world = await createWorld();
    await world.addLocation(1);
    await world.raise("location", locationGid(1));
    expect(await receiveWebhook(world.services, say("shop/redact", "w"))).toBe("accepted");
    expect(await world.store.shops.count({})).toBe(0);
    expect(await world.store.details.count({})).toBe(0);
    expect(world.store.forgotten).toEqual([SHOP]);
    expect(await receiveWebhook(world.services, say("shop/redact", "w"))).toBe("unknown_shop");
  });

  test("app/scopes_update is noted and everything is looked at", async () => {
    const world = await createWorld();
    await receiveWebhook(world.services, say("app/scopes_update", "w"));
    await receiveWebhook(world.services, say("APP_SCOPES_UPDATE", "w2"));
    expect((await world.target("reconcile", "shop")).wanted).toBe(2);
  });
});

describe("ten thousand webhooks, shuffled and each three times, over the real store", () => {
  let opened: OpenedStore;

  beforeAll(async () => {
    opened = await openFreshStore();
  });
  afterAll(() => opened.close());

  test("end in the state that Shopify is in, each answered in time", { timeout: 600_000 }, async () => {
    const { store } = opened;
    const LOCATIONS = 10;
    const WEBHOOKS = 10_000;
    const clock = createClock();
    const random = createSeededRandom(11);
    const shopify = createFakeShopify(clock);
    const habits = { wipes: false, tidies: false, refuses: [] };
    const account = createFakeAccount({ habits, newId: () => random.id() });
    const network = createFakeNetwork({
      clock,
      habits,
      accountOf: () => account,
      fateOf: () => ({ ...PROMPT, arrivesAfterMs: 1 }),
      arrived: () => undefined,
    });
    const services = servicesOf({
      store,
      shopify,
      clock,
      random,
      shipping: shippingOver({ network, clock, random, store, openAtOnce: true }),
    });
    const policies = { ...DEFAULT_POLICIES, verifyAfterChange: false, onDelete: "delete" as const };
    await store.shops.insert(shopRecord({ contact: CONTACT, policies }));
    await store.connections.insert(connectionRecord({ bookReadAtMs: clock.nowMs() }));
    for (let number = 1; number <= LOCATIONS; number += 1) {
      shopify.put(SHOP, shopifyLocation(number));
      await store.details.insert(detailsRecord({ locationId: locationGid(number), confirmedAtMs: clock.nowMs() }));
    }
    const deliveries = shuffled(
      Array.from({ length: WEBHOOKS }, (_, index) => index).flatMap((index) => [index, index, index]),
      () => random.next(),
    );
    const worker = startWorker(services, { concurrency: 8 });
    services.onWake(() => worker.wake());
    const tookMs: number[] = [];
    for (const [at, index] of deliveries.entries()) {
      const number = 1 + (index % LOCATIONS);
      if (at % 1_000 === 0)
        shopify.put(SHOP, shopifyLocation(number, { address: mexicanAddress({ number: String(at) }) }));
      const startedAtMs = performance.now();
      await receiveWebhook(services, say("locations/update", `w${index}`, { id: number }));
      tookMs.push(performance.now() - startedAtMs);
    }
    // Shopify always tells of a last change.
    for (let number = 1; number <= LOCATIONS; number += 1)
      await receiveWebhook(services, say("locations/update", `last ${number}`, { id: number }));
    const idle = async () => (await store.targets.list({ shop: SHOP })).every(({ wanted, seen }) => wanted === seen);
    for (let tries = 0; tries < 600 && !(await idle()); tries += 1) await clock.sleep(100);
    await worker.stop();
    expect(await store.receipts.count({ shop: SHOP })).toBe(WEBHOOKS + LOCATIONS);
    expect(account.templates.size).toBe(LOCATIONS);
    for (const link of await store.links.list({ shop: SHOP })) {
      const there = shopify.known(SHOP, link.locationId)!;
      expect(there.address.address1).toContain(account.templates.get(link.templateId)!.address.street_number);
    }
    tookMs.sort((a, b) => a - b);
    const p99 = tookMs[Math.floor(tookMs.length * 0.99)]!;
    console.log(
      `webhooks: ${tookMs.length} deliveries, p50 ${tookMs[tookMs.length >> 1]!.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms`,
    );
    expect(p99).toBeLessThan(1_000);
  });
});

function shuffled<T>(items: T[], next: () => number): T[] {
  for (let at = items.length - 1; at > 0; at -= 1) {
    const other = Math.floor(next() * (at + 1));
    [items[at], items[other]] = [items[other]!, items[at]!];
  }
  return items;
}
