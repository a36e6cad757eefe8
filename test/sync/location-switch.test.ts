import { expect, test } from "vitest";
import { readOrigin } from "../../app/pages/read-origin.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";

/** A location that Shopify deactivates stops shipping, so its history says when, and when it was activated again. */

test.each(["location", "reconcile"] as const)("each switch leaves one entry, by a %s", async (kind) => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const run = async () => {
    const requested = await world.requestWork(kind, kind === "location" ? key : "shop");
    await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  };
  const history = async () => {
    const { history: entries } = (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;
    return entries.filter(({ actor }) => actor === "shopify").map((entry) => [entry.kind, entry.outcome]);
  };
  await run();
  expect(await history()).toEqual([]);
  world.shopify.put(SHOP, shopifyLocation(1, { isActive: false }));
  await run();
  await run();
  expect(await history()).toEqual([["location_deactivated", "noted"]]);
  world.shopify.put(SHOP, shopifyLocation(1));
  await run();
  await run();
  expect((await history()).sort()).toEqual([
    ["location_activated", "noted"],
    ["location_deactivated", "noted"],
  ]);
});
