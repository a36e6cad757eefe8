import { describe, expect, test } from "vitest";
import type { OriginSeen, ShopRecord } from "../../app/domain/records.ts";
import { useTrigger } from "../../app/triggers/use-trigger.ts";
import { locationGid, SHOP } from "../fakes/records.ts";
import { shopifyLocation } from "../fakes/world.ts";
import { both, switchTo } from "../scenarios/account/both-stage.ts";
import { carriersOf, changeThere, eventOf, request, synced, told, use, verify } from "./stage.ts";

/** What workflows of Shopify Flow are told, from what happens to an origin to what Flow has got. */

describe("a workflow is told", () => {
  test("of a change that somebody else made in the address book, once", async () => {
    const world = await synced();
    await use(world);
    await world.runFor();
    await changeThere(world, 1, "Otra calle 5");
    expect(told(world)).toEqual(["origin-changed", "origin-needs-you"]);
    const [changed, needs] = world.shopify.flow;
    expect(changed).toMatchObject({ shop: SHOP, fields: { Location: "Bodega 1", Status: "drift" } });
    expect(changed!.fields.Message).toContain("Otra calle 5");
    expect(needs!.fields.Status).toBe("drift");
    await request(world, "location", locationGid(1));
    await world.runFor();
    expect(told(world)).toHaveLength(2);
    await changeThere(world, 1, "Una más 6");
    expect(told(world)).toEqual(["origin-changed", "origin-needs-you", "origin-changed"]);
    expect(new Set(world.shopify.flow.map(({ id }) => id)).size).toBe(3);
  });

  test("of a carrier's refusal, and when the origin is ready", async () => {
    const world = await synced({ carriers: ["fedex"] });
    await use(world);
    await world.runFor();
    await verify(world, "rejected");
    expect(await carriersOf(world)).toEqual(["refused"]);
    expect(world.shopify.flow).toMatchObject([
      { trigger: "origin-refused", fields: { Carrier: "fedex", Message: "rejected" } },
      { trigger: "origin-needs-you", fields: { Status: "refused_by_carrier" } },
    ]);
    await verify(world, "verified");
    expect(await carriersOf(world)).toEqual(["accepted"]);
    expect(told(world).slice(2)).toEqual(["origin-ready"]);
  });

  test("of nothing that happens while the shop works with its test account", async () => {
    const world = await synced();
    await use(world);
    await world.runFor();
    await world.store.connections.update({ shop: SHOP }, { environment: "test" });
    await changeThere(world, 1, "Otra calle 5");
    expect(told(world)).toEqual([]);
    await world.store.connections.update({ shop: SHOP }, { environment: "production" });
    await request(world, "location", locationGid(1));
    await world.runFor();
    expect(told(world)).toEqual(["origin-changed", "origin-needs-you"]);
  });

  test("of nothing that was so before production's account was taken up, where its first workflow was turned on in the test account", async () => {
    const { world, live, key, end } = await both();
    await use(world);
    await world.runFor();
    await request(world, "reconcile", "shop");
    await world.runFor();
    await switchTo(world, "production");
    // Other runs come before the look at everything.
    await request(world, "location", key);
    await world.runFor();
    expect(told(world)).toEqual([]);
    expect(await world.store.flowOrigins.count({ shop: SHOP })).toBe(1);
    const [template] = live.templates.values();
    live.byPerson.edit(template!.id, "street1", "Otra calle 5", world.clock.nowMs());
    await world.runFor(120_000);
    await request(world, "reconcile", "shop");
    await world.runFor();
    expect(told(world)).toEqual(["origin-changed", "origin-needs-you"]);
    await end();
  });

  test("that the service refuses the connection's credentials", async () => {
    const world = await synced();
    await use(world);
    await world.store.connections.update({ shop: SHOP }, { accessToken: null, tokenExpiresAtMs: null });
    world.accounts.delete("client-1");
    await request(world, "reconcile", "shop");
    await world.runFor();
    expect(told(world)).toEqual(["connection-refused"]);
    expect(world.shopify.flow[0]!.fields.Status).toBe("invalid_client");
  });

  test("of nothing that was so before the first workflow was turned on", async () => {
    const world = await synced();
    await changeThere(world, 1, "Otra calle 5");
    await use(world);
    await world.runFor();
    await request(world, "location", locationGid(1));
    await world.runFor();
    expect(world.shopify.flow).toEqual([]);
    expect(await world.store.flowOrigins.count({ shop: SHOP })).toBe(1);
  });

  test("of a location that is new to the store", async () => {
    const world = await synced();
    await use(world);
    await world.runFor();
    const location = shopifyLocation(2);
    world.shopify.put(SHOP, location);
    await request(world, "reconcile", "shop");
    await world.runFor();
    expect(world.shopify.flow).toMatchObject([
      { trigger: "origin-needs-you", fields: { Location: "Bodega 2", Status: "to_review" } },
    ]);
  });
});

describe("a store whose workflows use no trigger", () => {
  test("has no row of it, and is told nothing", async () => {
    const world = await synced();
    await changeThere(world, 1, "Otra calle 5");
    expect(world.shopify.calls.tellFlow).toBe(0);
    expect(await world.store.flowOrigins.count({})).toBe(0);
    expect(await world.store.flowEvents.count({})).toBe(0);
    expect(await world.store.workItems.count({ kind: "flow" })).toBe(0);
  });

  test("is told of the triggers that it uses, and of no others", async () => {
    const world = await synced();
    await use(world, true, ["origin-changed"]);
    await world.runFor();
    await changeThere(world, 1, "Otra calle 5");
    expect(told(world)).toEqual(["origin-changed"]);
  });

  test("loses what was still to be told when its last workflow is turned off", async () => {
    const world = await synced();
    await use(world);
    await world.runFor();
    world.shopify.trouble = () => ({ delayMs: 0, fails: true });
    await world.store.flowEvents.insert(eventOf(world, 1));
    await use(world, false);
    expect(await world.store.flowEvents.count({})).toBe(0);
    expect(await world.store.flowOrigins.count({})).toBe(0);
  });

  test("believes Flow's newest word, in whatever order they come", async () => {
    const world = await synced();
    const say = (isUsed: boolean, toldMs: number) =>
      useTrigger(world.services, { shop: SHOP, trigger: "origin-ready", isUsed, toldMs });
    const flow = async () => (await world.store.shops.find({ shop: SHOP }))!.flow as ShopRecord["flow"];
    await say(true, 5);
    await say(false, 4);
    expect((await flow())["origin-ready"]).toEqual({ isUsed: true, toldMs: 5 });
    await say(false, 6);
    await say(true, 5);
    expect((await flow())["origin-ready"]).toEqual({ isUsed: false, toldMs: 6 });
    expect(
      await useTrigger(world.services, { shop: "two.myshopify.com", trigger: "origin-ready", isUsed: true, toldMs: 1 }),
    ).toBe("unknown_shop");
  });
});

test("what cannot be compared is logged, and ends no run", async () => {
  const world = await synced();
  await use(world);
  await world.runFor();
  const errors: string[] = [];
  world.services.log.error = (_fields, message) => void errors.push(message);
  await world.store.flowOrigins.update({ shop: SHOP }, { seen: {} as OriginSeen });
  await changeThere(world, 1, "Otra calle 5");
  expect(errors).toContain("news of an origin were not noted for Flow");
  // What could not be told stays news.
  expect((await world.store.flowOrigins.find({ shop: SHOP }))!.seen).toEqual({});
  const { generation, observedGeneration, failures } = await world.workItem("location", locationGid(1));
  expect([observedGeneration, failures]).toEqual([generation, 0]);
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toHaveLength(1);
  expect(world.shopify.flow).toEqual([]);
});

test("an origin that cannot be compared keeps no news of another one back", async () => {
  const world = await synced({ origins: 2 });
  await use(world);
  await world.runFor();
  await world.store.flowOrigins.update({ shop: SHOP, locationId: locationGid(1) }, { seen: {} as OriginSeen });
  const { id } = world.templateOf(locationGid(1))!;
  world.account.byPerson.edit(id, "street1", "Una más 6", world.clock.nowMs());
  await changeThere(world, 2, "Otra calle 5");
  expect(told(world)).toEqual(["origin-changed", "origin-needs-you"]);
  expect(world.shopify.flow[0]!.fields).toMatchObject({ Location: "Bodega 2" });
  expect((await world.workItem("flow", "look"))!.failures).toBe(0);
});
