import { describe, expect, test, vi } from "vitest";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { createTimekeeper } from "../../../app/worker/timekeeper.ts";
import { requestWork } from "../../../app/runs/request-work.ts";
import { SETTINGS } from "../../fakes/app-process.ts";
import { SHOP, workItemRecord } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { Operation } from "../../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * What the app does when a machine sleeps, or its wall clock is wrong.
 *
 * Long, because every duration the app keeps must outlive the same jumps of the clock.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

test("after a sleep of the machine the app goes by its wall clock again, as soon as a server confirms it", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const { services } = world.boot();
  await world.runFor(MINUTE_MS);
  world.machine.suspend(5 * HOUR_MS);
  await world.clock.runFor(5 * HOUR_MS);
  expect(services.clock.nowMs()).toBe(world.clock.nowMs() - 5 * HOUR_MS);
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  await services.store.transaction(SHOP, (tables) =>
    requestWork(services, tables, { shop: SHOP, kind: "location", key }),
  );
  await world.runFor(2 * MINUTE_MS);
  expect(world.templateOf(key)!.address.street_number).toBe("777");
  expect(services.clock.nowMs()).toBe(world.clock.nowMs());
});

test("what a process that gives way wrote by a clock a day ahead, after this one began, is served all the same", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const { services } = world.boot();
  await world.runFor(MINUTE_MS / 2);
  const aheadMs = services.clock.nowMs() + 24 * HOUR_MS;
  const asked = {
    generation: 7,
    state: "active",
    dueAtMs: aheadMs,
    pendingSinceMs: aheadMs,
    updatedAtMs: aheadMs,
  } as const;
  await services.store.workItems.update({ shop: SHOP, kind: "location", key }, asked);
  await world.runFor(2 * MINUTE_MS);
  expect(await world.workItem("location", key)).toMatchObject({ observedGeneration: 7 });
});

test("two workers of one process take another date over once", async () => {
  const world = await createWorld();
  const { services } = world.boot();
  await world.runFor(MINUTE_MS);
  world.machine.suspend(5 * HOUR_MS);
  await world.clock.runFor(5 * HOUR_MS);
  services.dates.heard("service", new Date(world.clock.nowMs()).toUTCString());
  const adjusted = vi.spyOn(services.clock, "adjust");
  const keepers = [1, 2].map(() => createTimekeeper(services, { alone: false }));
  await world.clock.runWhile(Promise.all(keepers.map((keeper) => keeper.look())));
  expect(adjusted.mock.calls).toEqual([[5 * HOUR_MS]]);
});

test("somebody's lease lasts its whole length anew when another date is taken over, and nobody else takes his work item", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const { services } = world.boot();
  await world.runFor(MINUTE_MS);
  const leaseUntilMs = services.clock.nowMs() + SETTINGS.leaseMs;
  const lease = { leaseOwner: "a page", leaseUntilMs, dueAtMs: leaseUntilMs };
  await services.store.workItems.insert(workItemRecord({ id: "held", kind: "template", key: "held", ...lease }));
  world.machine.suspend(5 * HOUR_MS);
  await world.clock.runFor(5 * HOUR_MS);
  await services.store.transaction(SHOP, (tables) =>
    requestWork(services, tables, { shop: SHOP, kind: "location", key }),
  );
  services.wake();
  const follows = () => services.clock.nowMs() === world.clock.nowMs();
  for (let waited = 0; !follows() && waited < 400; waited += 1) await world.clock.runFor(100);
  expect(follows()).toBe(true);
  await world.clock.runFor(5_000);
  const held = (await services.store.workItems.find({ id: "held" }))!;
  expect(held).toMatchObject({ leaseOwner: "a page", fence: 0 });
  expect(held.leaseUntilMs! - services.clock.nowMs()).toBeGreaterThan(SETTINGS.leaseMs - 10_000);
});

test("what a run read before its machine slept is read again before anything is written", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.runFor(60_000);
  const template = world.templateOf(key)!;
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  let slept = false;
  world.outcomeOf = (operation) => {
    if (operation !== "get" || slept) return PROMPT;
    slept = true;
    // The template is read, the machine falls asleep with the answer on its way, and somebody edits the template meanwhile.
    world.clock.after(25, () => world.machine.suspend(HOUR_MS));
    world.clock.after(60_000, () =>
      world.account.byPerson.edit(template.id, "street_number", "9", world.clock.nowMs()),
    );
    return { ...PROMPT, answer: { kind: "true", afterMs: 20 } };
  };
  await world.requestWork("location", key);
  worker.wake();
  await world.runFor(2 * HOUR_MS);
  expect(slept).toBe(true);
  expect(world.templateOf(key)!.address.street_number).toBe("9");
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toMatchObject([
    { field: "street_number", kind: "conflict", theirs: "9" },
  ]);
  await world.clock.runWhile(worker.stop());
});

test.each([
  ["a restart", true],
  ["a process beside it", false],
])("a minute between two refusals of Shopify's is not made by %s at another date", async (_title, alone) => {
  const world = await createWorld();
  const first = world.boot({ alone });
  await world.runFor();
  world.shopify.uninstall(SHOP);
  const payload = { myshopify_domain: SHOP };
  await receiveWebhook(first.services, { shop: SHOP, topic: "app/uninstalled", webhookId: "one", payload });
  await world.runFor(10_000);
  expect((await world.store.shops.find({ shop: SHOP }))!.refusedAtMs).not.toBeNull();
  first.kill();
  world.machine.jump(24 * HOUR_MS);
  const second = world.boot({ alone });
  await world.runFor(45_000);
  const secretOf = async () => (await world.store.connections.find({ shop: SHOP }))!.clientSecret;
  expect(await secretOf()).not.toBeNull();
  // What it was put off to before the jump may be hours away.
  await world.runFor(5 * HOUR_MS);
  expect(await secretOf()).toBeNull();
  await world.clock.runWhile(second.worker.stop());
});

test("a process that begins an hour back asks at once about a shop that Shopify did not let in", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const first = world.boot();
  await world.runFor();
  world.shopify.uninstall(SHOP);
  await world.requestWork("location", key);
  first.worker.wake();
  await world.runFor();
  const accessOf = async () => (await world.store.shops.find({ shop: SHOP }))!.access;
  expect(await accessOf()).toBe("refused");
  first.kill();
  world.shopify.install(SHOP);
  world.machine.jump(-HOUR_MS);
  const second = world.boot();
  await world.runFor();
  expect(await accessOf()).toBe("open");
  await world.clock.runWhile(second.worker.stop());
});

test("an uninstall that was told a day back is asked about within minutes, once the date is right", async () => {
  const world = await createWorld();
  world.machine.jump(-24 * HOUR_MS);
  const first = world.boot();
  world.shopify.freeze(SHOP, true);
  const payload = { myshopify_domain: SHOP };
  await receiveWebhook(first.services, { shop: SHOP, topic: "app/uninstalled", webhookId: "one", payload });
  first.kill();
  world.machine.jump(24 * HOUR_MS);
  const second = world.boot();
  await world.runFor();
  const toldAtMs = async () => (await world.store.shops.find({ shop: SHOP }))!.uninstallToldAtMs;
  expect(await toldAtMs()).not.toBeNull();
  world.shopify.freeze(SHOP, false);
  await world.runFor(2 * MINUTE_MS);
  expect(await toldAtMs()).toBeNull();
  await world.clock.runWhile(second.worker.stop());
});

const REF = { id: "connection-1", version: 1, shop: SHOP, environment: "test", clientId: "client-1" } as const;

/** The first create lands only after 65 s and nobody answers it. */
function unclearCreate(world: World) {
  let creates = 0;
  world.outcomeOf = (operation) => {
    if (operation !== "create") return PROMPT;
    creates += 1;
    return creates > 1 ? PROMPT : { arrivesAfterMs: 20, effectAfterMs: 65_000, answer: { kind: "silence" } };
  };
}

async function untilSent(world: World, operation: Operation) {
  while (!world.calls.includes(operation)) await world.clock.runFor(100);
}

const JUMPS: [string, number][] = [
  ["a minute ahead", MINUTE_MS],
  ["an hour ahead", HOUR_MS],
  ["a day ahead", 24 * HOUR_MS],
  ["a year ahead", 365 * 24 * HOUR_MS],
  ["a minute back", -MINUTE_MS],
  ["a day back", -24 * HOUR_MS],
  ["a year back", -365 * 24 * HOUR_MS],
];

describe.each(JUMPS)("the wall clock jumps %s", (_title, byMs) => {
  const served = async (world: World, key: string, withinMs: number) => {
    const untilMs = world.clock.nowMs() + withinMs;
    while (world.clock.nowMs() < untilMs && !(await world.store.links.find({ locationId: key })))
      await world.runFor(1_000);
    expect(await world.store.links.find({ locationId: key })).not.toBeNull();
    await world.runFor(MINUTE_MS);
    expect(world.account.templates.size).toBe(1);
  };

  test("and back after a minute: an unclear create is made once, and cleared up soon after its quarantine", async () => {
    const world = await createWorld();
    unclearCreate(world);
    const key = await world.addLocation(1);
    world.boot();
    await untilSent(world, "create");
    await world.clock.runFor(5_000);
    world.machine.jump(byMs);
    await world.clock.runFor(MINUTE_MS);
    world.machine.jump(-byMs);
    await served(world, key, MINUTE_MS);
  });

  test("and stays wrong: the same, and the app goes by what the servers say", async () => {
    const world = await createWorld();
    unclearCreate(world);
    const key = await world.addLocation(1);
    const { services } = world.boot();
    await untilSent(world, "create");
    await world.clock.runFor(5_000);
    world.machine.jump(byMs);
    await served(world, key, 2 * MINUTE_MS);
    await world.clock.runFor(24 * HOUR_MS);
    expect(services.clock.nowMs()).toBe(world.clock.nowMs());
    expect(world.machine.machineMs()).not.toBe(world.clock.nowMs());
  });

  test("and the process is killed and born again: the quarantine is whole, and not longer than whole", async () => {
    const world = await createWorld();
    unclearCreate(world);
    const key = await world.addLocation(1);
    const first = world.boot();
    await untilSent(world, "create");
    await world.clock.runFor(20_000);
    first.kill();
    world.machine.jump(byMs);
    await world.clock.runFor(1_000);
    world.boot();
    await served(world, key, SETTINGS.quarantineMs + 10_000);
  });

  test("and another process begins, which may have others beside it: it waits for the whole quarantine", async () => {
    const world = await createWorld();
    unclearCreate(world);
    const key = await world.addLocation(1);
    const first = world.boot({ alone: false });
    await untilSent(world, "create");
    await world.clock.runFor(20_000);
    first.kill();
    world.machine.jump(byMs);
    await world.clock.runFor(1_000);
    world.boot({ alone: false });
    // Nobody frees what the dead one held.
    await served(world, key, SETTINGS.quarantineMs + SETTINGS.leaseMs + 10_000);
  });

  test("before a process begins, which writes, and the next one begins at the true date", async () => {
    const world = await createWorld();
    world.machine.jump(byMs);
    unclearCreate(world);
    const key = await world.addLocation(1);
    const first = world.boot();
    await untilSent(world, "create");
    await world.clock.runFor(20_000);
    first.kill();
    world.machine.jump(-byMs);
    const second = world.boot();
    await served(world, key, SETTINGS.quarantineMs + 10_000);
    await world.runFor(MINUTE_MS);
    expect((await world.workItem("reconcile", "shop")).dueAtMs - second.services.clock.nowMs()).toBeLessThan(
      7 * HOUR_MS,
    );
  });

  test("before a process begins, and is set right: what is due comes, what is under quarantine waits", async () => {
    const world = await createWorld();
    world.machine.jump(byMs);
    unclearCreate(world);
    const key = await world.addLocation(1);
    const { services, worker } = world.boot();
    await untilSent(world, "create");
    await world.clock.runFor(5_000);
    world.machine.jump(-byMs);
    // Something else calls the service, whose Date tells which of the two is right.
    await world.clock.runWhile(services.shipping.account(REF).listPage({ page: 1, priority: "sync" }));
    worker.wake();
    await world.clock.runFor(100);
    expect(services.clock.nowMs()).toBe(world.clock.nowMs());
    await served(world, key, 4 * MINUTE_MS);
    expect((await world.workItem("reconcile", "shop")).dueAtMs - services.clock.nowMs()).toBeLessThan(7 * HOUR_MS);
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    await world.runFor(8 * HOUR_MS);
    expect(world.templateOf(key)!.address.street_number).toBe("777");
  });
});
