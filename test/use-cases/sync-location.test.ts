import { describe, expect, test } from "vitest";
import { markerIn, markerOf } from "../../app/domain/marker.ts";
import { runNow } from "../../app/use-cases/run-now.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

async function runLocation(world: World, key: string) {
  const raised = await world.raise("location", key);
  return world.clock.runWhile(runNow(world.services, { shop: SHOP, ...raised }));
}

describe("a location becomes a template", () => {
  test("a confirmed and complete one is created once, with its marker, and linked", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    expect(await runLocation(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["create"]);
    const [template] = [...world.account.templates.values()];
    expect(markerIn(template!.alias_name)).toBe(markerOf(SHOP, key));
    expect(template!.address).toMatchObject({ street1: "Avenida Vallarta", street_number: "101", area_level3: "Americana" });
    const link = await world.store.links.find({ shop: SHOP, locationId: key });
    expect(link).toMatchObject({ templateId: template!.id, how: "created", differences: [] });
    expect(await world.store.intents.count({ shop: SHOP })).toBe(0);
  });

  test("looking again at what has not changed costs no call", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    await runLocation(world, key);
    world.calls.length = 0;
    expect(await runLocation(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual([]);
  });

  test("a change costs one GET and one PATCH", async () => {
    const world = await createWorld();
    const key = await world.addLocation(1);
    await runLocation(world, key);
    world.calls.length = 0;
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    expect(await runLocation(world, key)).toEqual({ kind: "done" });
    expect(world.calls).toEqual(["get", "update"]);
    expect(world.templateOf(key)!.address.street_number).toBe("777");
  });
});
