import { expect, test } from "vitest";
import { MOST_CARRIERS, MOST_CARRIERS_KEPT } from "../../../app/domain/verification/carriers.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** A script that asks other carriers about one template with each press: what is kept of them has an end, and the shop's own stay. */

async function mapped(): Promise<{ world: World; templateId: string; worker: ReturnType<World["start"]> }> {
  const world = await createWorld({ policies: { carriers: ["fedex"] } });
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(60_000);
  return { world, templateId: world.templateOf(key)!.id, worker };
}

const inventedIn = (press: number) => Array.from({ length: MOST_CARRIERS }, (_, index) => `c${press}-${index}`);
const keptOf = async (world: World, templateId: string) =>
  (await world.store.verifications.list({ shop: SHOP, templateId })).map(({ carrier }) => carrier);

test("of carriers that were asked once, those that changed last stay, up to the most", async () => {
  const { world, templateId, worker } = await mapped();
  const presses = Math.ceil(MOST_CARRIERS_KEPT / MOST_CARRIERS) + 3;
  for (let press = 0; press < presses; press += 1) {
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: inventedIn(press) });
    world.services.wake();
    await world.runFor(60_000);
    for (const carrier of [...inventedIn(press), "fedex"]) world.account.setVerdict(templateId, carrier, "verified");
    await world.runFor(60_000);
    expect((await keptOf(world, templateId)).length).toBeLessThanOrEqual(MOST_CARRIERS_KEPT);
  }
  const kept = await keptOf(world, templateId);
  expect(kept).toHaveLength(MOST_CARRIERS_KEPT);
  expect(kept).toEqual(expect.arrayContaining(inventedIn(presses - 1)));
  await world.clock.runWhile(worker.stop());
});

test("what is asked again is kept once, and takes nobody's place", async () => {
  const { world, templateId, worker } = await mapped();
  const before = await keptOf(world, templateId);
  for (let press = 0; press < 3; press += 1)
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: inventedIn(0) });
  expect((await keptOf(world, templateId)).toSorted()).toEqual([...inventedIn(0), ...before].toSorted());
  await world.clock.runWhile(worker.stop());
});
