import { expect, test } from "vitest";
import { SHOP } from "../fakes/records.ts";
import { PROMPT } from "../fakes/shipping-network.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";

const HOUR_MS = 3_600_000;

test("what a run read before its machine slept is read again before anything is written", async () => {
  const world = await createWorld();
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.settle(60_000);
  const template = world.templateOf(key)!;
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  let slept = false;
  world.fateOf = (operation) => {
    if (operation !== "get" || slept) return PROMPT;
    slept = true;
    // The template is read, the machine falls asleep with the answer on its way, and somebody edits the template meanwhile.
    world.clock.after(25, () => world.machine.suspend(HOUR_MS));
    world.clock.after(60_000, () =>
      world.account.byPerson.edit(template.id, "street_number", "9", world.clock.nowMs()),
    );
    return { ...PROMPT, answer: { kind: "true", afterMs: 20 } };
  };
  await world.raise("location", key);
  worker.wake();
  await world.settle(2 * HOUR_MS);
  expect(slept).toBe(true);
  expect(world.templateOf(key)!.address.street_number).toBe("9");
  expect((await world.store.links.find({ shop: SHOP }))!.differences).toMatchObject([
    { field: "street_number", kind: "conflict", theirs: "9" },
  ]);
  await world.clock.runWhile(worker.stop());
});
