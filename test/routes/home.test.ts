import { expect, test } from "vitest";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import { posting } from "./posting.ts";

const post = posting<object>(() => import("../../app/routes/app._index.tsx"));

test("the first steps are put away for good, for the shop that asked", async () => {
  const world = await createWorld();
  const dismissedAtMs = async () => (await world.store.shops.find({ shop: SHOP }))!.guideDismissedAtMs;
  await post(world, {}, { shop: "two.myshopify.com" });
  expect(await dismissedAtMs()).toBeNull();
  expect(await post(world, {})).toEqual({ status: 200, said: { dismissed: true } });
  expect(await dismissedAtMs()).toBe(world.clock.nowMs());
});
