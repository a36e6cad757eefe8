import { afterAll, beforeAll, expect, test } from "vitest";
import { createSeededRandom } from "../fakes/random.ts";
import { createFakeNetwork } from "../fakes/shipping/network.ts";
import { createProcessClock } from "../../app/adapters/machine/clock.ts";
import { claimWorkItem } from "../../app/runs/claim.ts";
import { requestWork } from "../../app/runs/request-work.ts";
import { servicesOf, shippingOver } from "../fakes/app-process.ts";
import { createVirtualClock } from "../fakes/clock.ts";
import { createMachine } from "../fakes/machine.ts";
import { createMemoryStore } from "../fakes/memory-store.ts";
import { flowEventRecord, shopRecord } from "../fakes/records.ts";
import { OTHER, SHOP, startShopifyWorld } from "../adapters/shopify/shopify-world.ts";
import type { ShopifyWorld } from "../adapters/shopify/shopify-world.ts";
import { IS_WHOLE } from "../whole.ts";

/** Events through the true adapter, over HTTP, to the sandbox's Flow, which fails in every way that Shopify may. */

const EVENTS = IS_WHOLE ? 1_000 : 100;
const DAY_MS = 24 * 3_600_000;
const SHOPS = [SHOP, `${OTHER}.myshopify.com`];

let world: ShopifyWorld;

beforeAll(async () => {
  world = await startShopifyWorld([]);
  for (const shop of SHOPS) await world.signIn({}, shop.replace(".myshopify.com", ""));
  world.admin.throttle.restorePerSecond = 1_000_000;
});
afterAll(() => world.stop());

test(`of ${EVENTS} events each arrives in its own store at least once, or stands in Activity as refused or too old`, async () => {
  const { faults, flowTriggers } = world.admin;
  const random = createSeededRandom(7);
  faults.random = () => random.next();
  faults.set([
    { kind: "status", status: 503, on: "graphql", probability: 0.1 },
    { kind: "status", status: 429, body: "json", on: "graphql", probability: 0.1 },
    { kind: "throttled", probability: 0.1 },
    { kind: "reset", on: "graphql", probability: 0.05 },
    { kind: "lost", on: "graphql", probability: 0.1 },
  ]);
  const clock = createVirtualClock();
  const store = createMemoryStore();
  const parts = { store, clock: createProcessClock(createMachine(clock)), random };
  const network = createFakeNetwork({
    clock,
    habits: { wipes: false, tidies: false, refuses: [] },
    accountOf: () => null,
    arrived: () => undefined,
    outcomeOf: () => {
      throw new Error("the shipping service is not asked");
    },
  });
  const services = servicesOf({ ...parts, shopify: world.shopify, shipping: shippingOver({ ...parts, network }) });
  const nowMs = services.clock.nowMs();
  const late: string[] = [];
  const refused: string[] = [];
  for (const shop of SHOPS) {
    await store.shops.insert(shopRecord({ shop, flow: { "origin-refused": { isUsed: true, toldMs: 1 } } }));
    for (let number = 1; number <= EVENTS / SHOPS.length; number += 1) {
      const event = flowEventRecord({ id: `${shop} ${number}`, shop, number, atMs: nowMs });
      if (number % 20 === 5) {
        event.atMs -= DAY_MS + 1;
        late.push(event.id);
      }
      if (number % 20 === 6) {
        event.fields = { ...event.fields, Undeclared: "x" };
        refused.push(event.id);
      }
      await store.flowEvents.insert(event);
    }
    await store.transaction(shop, (tables) =>
      requestWork(services, tables, { shop, kind: "flow", key: "give", dueAtMs: nowMs }),
    );
  }

  for (const shop of SHOPS)
    while ((await store.flowEvents.count({ shop })) > 0) {
      const { id } = (await store.workItems.find({ shop, kind: "flow" }))!;
      await store.workItems.update({ id }, { dueAtMs: nowMs });
      const item = await claimWorkItem(services, { workItemId: id, shop, owner: "test" });
      await services.runWorkItem(services, { item: item! });
    }

  const all = await Promise.all(SHOPS.map((shop) => store.activity.list({ shop })));
  const lines = (kind: string) => all.flat().filter((line) => line.kind === kind);
  expect([lines("flow_late").length, lines("flow_refused").length]).toEqual([late.length, refused.length]);
  expect(lines("flow_refused")[0]!.detail).toBe("origin-refused: The trigger has no field Undeclared.");
  for (const shop of SHOPS) {
    const ids = flowTriggers.arrived.filter((one) => one.shop === shop).map(({ payload }) => payload["Event ID"]!);
    const due = Array.from({ length: EVENTS / SHOPS.length }, (_, index) => `${shop} ${index + 1}`);
    expect([...new Set(ids)]).toEqual(due.filter((id) => !late.includes(id) && !refused.includes(id)));
  }
  // Answers were lost, so some came twice, and each kind of fault has struck.
  expect(flowTriggers.arrived.length).toBeGreaterThan(EVENTS - late.length - refused.length);
  expect(Object.keys(faults.struck).toSorted()).toEqual(["lost", "reset", "status", "throttled"]);
});

test("Flow refuses a trigger that no extension declares, and a payload that is too large", () => {
  const { flowTriggers, state } = world.admin;
  const shop = state.shops.get(SHOP)!;
  expect(flowTriggers.take(shop, "another", {})).toBe('No trigger has the handle "another".');
  expect(flowTriggers.take(shop, "origin-ready", { Message: "x".repeat(50_000) })).toContain("at most 50000");
  expect(flowTriggers.take(shop, "origin-ready", { Message: "x" })).toContain("The payload lacks Location");
});
