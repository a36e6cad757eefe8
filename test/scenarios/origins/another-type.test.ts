import { beforeEach, expect, test } from "vitest";
import { resolveDifference } from "../../../app/origins/resolve-difference.ts";
import { readOrigin } from "../../../app/pages/read-origin.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Parcels leave from an address of the type `from` alone. Somebody switches an origin's template to another type in the account. */

const MINUTE_MS = 60_000;

let world: World;
let key: string;
let id: string;
const view = async () => (await readOrigin(world.services, { shop: SHOP, locationId: key }))!;
const keepTheirs = () => {
  const choices = [{ field: "address_type", choice: "theirs", theirs: "to" } as const];
  return world.clock.runWhile(resolveDifference(world.services, { shop: SHOP, locationId: key, choices }));
};

beforeEach(async () => {
  world = await createWorld({ policies: { carriers: [] } });
  key = await world.addLocation(1);
  world.start();
  await world.runFor(4 * MINUTE_MS);
  ({ id } = world.templateOf(key)!);
  world.account.byPerson.edit(id, "address_type", "to", world.clock.nowMs());
  await world.requestWork("reconcile", "shop");
  world.services.wake();
  await world.runFor(5 * MINUTE_MS);
});

test("it is said to be an address that labels cannot be created from, and its owner is asked", async () => {
  const { state, outlook, differences } = await view();
  expect({ state, outlook }).toEqual({ state: "drift", outlook: { ships: "no", attention: "yours" } });
  expect(differences).toMatchObject([{ field: "address_type", ours: "from", theirs: "to" }]);
});

test("the other type cannot be chosen to stay an origin's", async () => {
  expect(await keepTheirs()).toEqual({ kind: "changed_since" });
  await world.runFor(MINUTE_MS);
  expect(await view()).toMatchObject({ state: "drift", outlook: { ships: "no" } });
});

test("where an earlier release let it stay, it is asked again", async () => {
  const accepted = [{ field: "address_type", ours: "from", theirs: "to" } as const];
  const link = (await world.store.links.find({ shop: SHOP, locationId: key }))!;
  const answered = { ...link.answered!, address_type: "to" };
  await world.store.links.update({ id: link.id }, { accepted, answered, differences: [] });
  await world.requestWork("location", key);
  world.services.wake();
  await world.runFor(MINUTE_MS);
  expect(await view()).toMatchObject({ state: "drift", differences: [{ field: "address_type", kind: "drift" }] });
});
