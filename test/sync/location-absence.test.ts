import { beforeEach, describe, expect, test } from "vitest";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping/network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** Shopify answers that a location is not there, though it is: a template that is deleted for that cannot be brought back. */

let world: World;
let key: string;

async function staged(policies: NonNullable<Parameters<typeof createWorld>[0]>["policies"]) {
  world = await createWorld({ policies });
  key = await world.addLocation(1);
  await run();
  world.calls.length = 0;
}

async function run(kind: "location" | "reconcile" = "location", name = key) {
  const requested = await world.requestWork(kind, name);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
}

/** From here on Shopify does not find the location; or it does again. */
const hide = () => world.shopify.remove(SHOP, key);
const show = (over: Parameters<typeof shopifyLocation>[1] = {}) => world.shopify.put(SHOP, shopifyLocation(1, over));

const row = async () => (await world.store.locations.find({ shop: SHOP, locationId: key }))!;
const reason = async () => (await world.workItem("location", key)).reason?.code;
const activity = () => world.store.activity.count({ shop: SHOP, kind: "location_deleted" });
const isUntouched = async () => {
  expect(world.account.templates.size).toBe(1);
  expect(await world.store.links.count({ shop: SHOP })).toBe(1);
  expect((await row()).deletedAtMs).toBeNull();
  expect(await activity()).toBe(0);
};

describe("a location that Shopify does not show", () => {
  beforeEach(() => staged({ onDelete: "delete", onDeactivate: "keep" }));

  test("is not believed gone at once: nothing is asked of the service, and the page says what it waits for", async () => {
    hide();
    expect((await run()).kind).toBe("under_way");
    expect(await world.workItem("location", key)).toMatchObject({
      state: "active",
      reason: { code: "location_unconfirmed" },
    });
    const view = await readOrigin(world.services, { shop: SHOP, locationId: key });
    expect(view).toMatchObject({ state: "waiting", reasonCode: "location_unconfirmed" });
    expect(world.calls).toEqual([]);
    await isUntouched();
  });

  test("is not believed gone within a minute, however often somebody asks", async () => {
    hide();
    await run();
    for (let count = 0; count < 5; count += 1) {
      await world.clock.runFor(11_000);
      await run();
    }
    expect(world.calls).toEqual([]);
    await isUntouched();
  });

  test("is asked for again by itself, and believed gone once a minute has passed", async () => {
    hide();
    const { worker } = world.boot();
    await world.requestWork("location", key);
    world.services.wake();
    await world.runFor(55_000);
    await isUntouched();
    await world.runFor(20_000);
    expect(world.account.templates.size).toBe(0);
    expect((await row()).deletedAtMs).not.toBeNull();
    expect(await activity()).toBe(1);
    await world.clock.runWhile(worker.stop());
  });

  test("has its template read all the same, where a list showed that otherwise", async () => {
    const { templateId } = (await world.store.links.find({ shop: SHOP, locationId: key }))!;
    world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
    await world.store.templates.update({ shop: SHOP, templateId }, { disputedSinceMs: world.clock.nowMs() });
    hide();
    await run();
    expect(await reason()).toBe("location_unconfirmed");
    expect(world.calls).toEqual(["get"]);
    const known = (await world.store.templates.find({ shop: SHOP, templateId }))!;
    expect(known).toMatchObject({ disputedSinceMs: null, template: { address: { reference: "Timbre azul" } } });
    await isUntouched();
  });

  test("counts anew once an answer has shown it", async () => {
    hide();
    await run();
    await world.clock.runFor(30_000);
    show();
    expect(await run()).toEqual({ kind: "done" });
    expect((await row()).absentSinceMs).toBeNull();
    hide();
    await world.clock.runFor(31_000);
    expect((await run()).kind).toBe("under_way");
    expect(await reason()).toBe("location_unconfirmed");
    await isUntouched();
    await world.clock.runFor(60_000);
    expect(await run()).toEqual({ kind: "done" });
    expect(world.account.templates.size).toBe(0);
  });

  test("counts anew for every process once a run has seen it that may keep nothing", async () => {
    hide();
    await run();
    expect((await row()).absentSinceMs).not.toBeNull();
    show();
    world.shopify.trouble = () => ({ delayMs: 1_000, fails: false });
    const running = runNow(world.services, { shop: SHOP, ...(await world.requestWork("location", key)) });
    await world.clock.runFor(500);
    // Another process has taken the work over.
    const { id, fence } = await world.workItem("location", key);
    await world.store.workItems.update({ id }, { fence: fence + 1 });
    await world.clock.runWhile(running);
    expect((await row()).absentSinceMs).toBeNull();
  });

  test("counts anew once a list of all locations has shown it", async () => {
    hide();
    await run();
    await world.clock.runFor(30_000);
    show();
    await run("reconcile", "shop");
    expect((await row()).absentSinceMs).toBeNull();
    hide();
    await world.clock.runFor(31_000);
    await run();
    expect(await reason()).toBe("location_unconfirmed");
    await isUntouched();
  });

  test("is not believed gone because a list of all locations lacks it, and then its own reading", async () => {
    hide();
    const { worker } = world.boot();
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor(50_000);
    expect(await reason()).toBe("location_unconfirmed");
    show();
    await world.runFor(60_000);
    await isUntouched();
    expect(await reason()).toBeUndefined();
    await world.clock.runWhile(worker.stop());
  });

  test("is not believed gone sooner by a process that begins on a wall clock an hour ahead", async () => {
    hide();
    await run();
    world.machine.jump(3_600_000);
    const { worker } = world.boot();
    await world.runFor(50_000);
    await isUntouched();
    await world.runFor(120_000);
    expect(world.account.templates.size).toBe(0);
    await world.clock.runWhile(worker.stop());
  });

  test("keeps the change that its address brought when it is back", async () => {
    hide();
    await run();
    show({ address: mexicanAddress({ number: "777" }) });
    expect(await run()).toEqual({ kind: "done" });
    expect(world.templateOf(key)!.address.street_number).toBe("777");
    expect(world.calls).toEqual(["get", "update"]);
  });
});

test("a deletion by another rule does not go on an answer that the location is not there", async () => {
  await staged({ onDelete: "keep", onDeactivate: "delete" });
  show({ isActive: false });
  world.outcomeOf = () => {
    hide();
    return PROMPT;
  };
  expect((await run()).kind).toBe("under_way");
  expect(world.calls).not.toContain("delete");
  expect(await reason()).toBe("location_unconfirmed");
  await world.clock.runFor(60_000);
  expect(await run()).toEqual({ kind: "done" });
  expect(world.account.templates.size).toBe(1);
});

test("what a template says by the time of a deletion is known, though the deletion does not go", async () => {
  await staged({ onDelete: "keep", onDeactivate: "delete" });
  const { templateId } = (await world.store.links.find({ shop: SHOP, locationId: key }))!;
  world.account.byPerson.edit(templateId, "reference", "Timbre azul", world.clock.nowMs());
  show({ isActive: false });
  world.outcomeOf = () => {
    hide();
    return PROMPT;
  };
  await run();
  expect(world.calls).toEqual(["get"]);
  show();
  await run();
  const view = await readOrigin(world.services, { shop: SHOP, locationId: key });
  expect(view).toMatchObject({ state: "drift", differences: [{ field: "reference", theirs: "Timbre azul" }] });
});
