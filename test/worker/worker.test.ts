import { describe, expect, test } from "vitest";
import { WORK_ITEM_KINDS } from "../../app/domain/backoff.ts";
import { claimWorkItem } from "../../app/runs/claim.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { startWorker } from "../../app/worker/worker.ts";
import { connectionRecord, shopRecord, SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { CONTACT, createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const HOUR_MS = 3_600_000;

async function anotherShop(world: World, shop: string): Promise<void> {
  const { policies } = (await world.store.shops.find({ shop: SHOP }))!;
  await world.store.shops.insert(shopRecord({ shop, contact: CONTACT, policies }));
  const bookReadAtMs = world.clock.nowMs();
  await world.store.connections.insert(
    connectionRecord({
      id: `connection-${shop}`,
      shop,
      clientId: `client-${shop}`,
      bookReadAtMs,
      bookConfirmedAtMs: bookReadAtMs,
    }),
  );
  world.accounts.set(`client-${shop}`, world.account);
}

describe("the worker", () => {
  test("looks at everything at boot, and again about every six hours", async () => {
    const world = await createWorld();
    await world.addLocation(1);
    const worker = world.start();
    await world.runFor(60_000);
    expect(world.shopify.calls.locations).toBe(1);
    expect((await world.store.shops.find({ shop: SHOP }))!.reconciledAtMs).not.toBeNull();
    await world.runFor(25 * HOUR_MS);
    expect(world.shopify.calls.locations).toBeGreaterThanOrEqual(4);
    expect(world.shopify.calls.locations).toBeLessThanOrEqual(6);
    await world.clock.runWhile(worker.stop());
  });

  test("finds what changed while no webhook came", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.runFor(60_000);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await world.runFor(7 * HOUR_MS);
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    await world.clock.runWhile(worker.stop());
  });

  test("finds what somebody else changed there", async () => {
    const world = await createWorld();
    await world.addLocation(1);
    const worker = world.start();
    await world.runFor(60_000);
    const [link] = await world.store.links.list({ shop: SHOP });
    world.account.byPerson.edit(link!.templateId, "reference", "Timbre azul", world.clock.nowMs());
    await world.runFor(7 * HOUR_MS);
    expect((await world.store.links.find({ shop: SHOP }))!.differences).toMatchObject([
      { kind: "drift", theirs: "Timbre azul" },
    ]);
    await world.clock.runWhile(worker.stop());
  });

  test("serves a shop with one change while another has a thousand", async () => {
    const world = await createWorld();
    const other = "zz.myshopify.com";
    await anotherShop(world, other);
    for (let number = 1; number <= 300; number += 1) await world.addLocation(number);
    const lonely = await world.addLocation(1_001, {}, other);
    const worker = world.start();
    await world.runFor(20_000);
    expect(world.templateOf(lonely, other)).toBeDefined();
    expect(await world.store.links.count({ shop: SHOP })).toBeLessThan(100);
    await world.clock.runWhile(worker.stop());
  });

  test("does not look for work while none is due", async () => {
    const world = await createWorld();
    await world.addLocation(1);
    const worker = world.start();
    await world.runFor(60_000);
    let looks = 0;
    const { list } = world.store.workItems;
    world.store.workItems.list = (where, options) => {
      looks += 1;
      return list(where, options);
    };
    await world.runFor(HOUR_MS);
    // And those of one hourly sweep, and for what is parked.
    expect(looks).toBeLessThan(3 * (HOUR_MS / 30_000) + HOUR_MS / 120_000 + WORK_ITEM_KINDS.length + 6);
    await world.clock.runWhile(worker.stop());
  });

  test("rests no longer than half a minute after a turn in which the process stood still", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.runFor(60_000);
    const { list } = world.store.workItems;
    let stoodStill = false;
    world.store.workItems.list = async (...asked) => {
      if (!stoodStill) await world.clock.sleep(200_000);
      stoodStill = true;
      return list(...asked);
    };
    await world.requestWork("location", key);
    worker.wake();
    await world.runFor(201_000);
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Bodega Sur" }));
    await world.requestWork("location", key);
    worker.wake();
    await world.runFor(35_000);
    expect(stoodStill).toBe(true);
    expect(world.templateOf(key)!.alias_name).toContain("Bodega Sur");
    await world.clock.runWhile(worker.stop());
  });

  test("stops claiming, and lets what runs end", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    world.outcomeOf = () => ({ ...PROMPT, arrivesAfterMs: 2_000 });
    const worker = world.start();
    await world.requestWork("location", key);
    worker.wake();
    await world.clock.runFor(4_000);
    await world.clock.runWhile(worker.stop());
    for (const item of await world.store.workItems.list({ shop: SHOP })) expect(item.leaseOwner).toBeNull();
    const calls = world.calls.length;
    await world.requestWork("location", key);
    await world.runFor(HOUR_MS);
    expect(world.calls.length).toBe(calls);
  });

  test("releases what does not end in time, so that the next process goes on at once", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.runFor(10_000);
    world.shopify.trouble = () => ({ delayMs: 10 * HOUR_MS, fails: false });
    await world.requestWork("location", key);
    worker.wake();
    await world.clock.runFor(100);
    const startedAtMs = world.clock.nowMs();
    await world.clock.runWhile(worker.stop());
    expect(world.clock.nowMs()).toBeLessThan(startedAtMs + 60_000);
    const { leaseOwner, dueAtMs } = await world.workItem("location", key);
    expect(leaseOwner).toBeNull();
    expect(dueAtMs).toBeLessThanOrEqual(world.clock.nowMs());
  });
});

describe("a lease", () => {
  test("keeps others away until it ends, and is renewed while its run lives", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const { workItemId, generation } = await world.requestWork("location", key);
    world.shopify.trouble = () => ({ delayMs: 150_000, fails: false });
    const run = runNow(world.services, { shop: SHOP, workItemId, generation });
    await world.clock.runFor(100_000);
    expect(await claimWorkItem(world.services, { workItemId, shop: SHOP, owner: "other" })).toBeNull();
    expect(await world.clock.runWhile(run)).toEqual({ kind: "under_way" });
    await world.clock.runFor(60_000);
    expect((await world.workItem("location", key)).observedGeneration).toBe(1);
  });

  test("of a dead process is taken over when it ends; the dead one's words then count for nothing", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const { workItemId } = await world.requestWork("location", key);
    const dead = (await claimWorkItem(world.services, { workItemId, shop: SHOP, owner: "dead" }))!;
    expect(await claimWorkItem(world.services, { workItemId, shop: SHOP, owner: "other" })).toBeNull();
    await world.clock.runFor(60_001);
    const taken = (await claimWorkItem(world.services, { workItemId, shop: SHOP, owner: "other" }))!;
    expect(taken.fence).toBe(dead.fence + 1);
    const late = { id: workItemId, fence: dead.fence, leaseOwner: "dead" };
    expect(await world.store.workItems.update(late, { observedGeneration: 99 })).toBe(0);
  });

  test("of a dead process is free at once for the next one, where processes follow each other", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const { workItemId } = await world.requestWork("location", key);
    await claimWorkItem(world.services, { workItemId, shop: SHOP, owner: "dead" });
    const next = startWorker(world.services, { concurrency: 4, alone: true });
    await world.clock.runFor(1_000);
    expect((await world.workItem("location", key)).fence).toBeGreaterThan(1);
    await world.clock.runWhile(next.stop());
  });

  test("and a disconnect that a dead process began: the next one forgets the secret", async () => {
    const world = await createWorld();
    await world.store.connections.update({ id: "connection-1" }, { state: "disconnected" });
    const next = startWorker(world.services, { concurrency: 4, alone: true });
    await world.clock.runWhile(next.ready);
    expect(await world.store.connections.find({ id: "connection-1" })).toMatchObject({ clientSecret: null });
    await world.clock.runWhile(next.stop());
  });

  test("requested while a run finds that it must wait, is looked at again at once, and says what it waits for", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const reason = {
      code: "server_error",
      message: "Fuera de servicio",
      fields: null,
      requestId: null,
      atMs: 1,
    } as const;
    const failing = {
      generation: 1,
      observedGeneration: 0,
      failures: 6,
      failingSinceMs: 1,
      reason,
      dueAtMs: world.clock.nowMs() + HOUR_MS,
    };
    await world.requestWork("reconcile", "shop");
    await world.store.workItems.update({ kind: "reconcile" }, failing);
    await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null, bookConfirmedAtMs: null });
    world.shopify.trouble = () => ({ delayMs: 1_000, fails: false });
    const requested = await world.requestWork("location", key);
    const run = runNow(world.services, { shop: SHOP, ...requested });
    await world.clock.runFor(500);
    await world.requestWork("location", key);
    await world.clock.runWhile(run);
    expect((await world.workItem("location", key)).reason).toMatchObject({ code: "book_unreadable" });
  });

  test("requested meanwhile, another run follows", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    world.shopify.trouble = () => ({ delayMs: 1_000, fails: false });
    const worker = world.start();
    await world.requestWork("location", key);
    worker.wake();
    await world.clock.runFor(1_500);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await world.requestWork("location", key);
    await world.runFor(60_000);
    const item = await world.workItem("location", key);
    expect(item.observedGeneration).toBe(item.generation);
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    await world.clock.runWhile(worker.stop());
  });
});
