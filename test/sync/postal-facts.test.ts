import { beforeEach, expect, test } from "vitest";
import type { PostalFacts } from "../../app/domain/mexico/postal-codes.ts";
import { SHOP } from "../fakes/records.ts";
import { postalFacts } from "../fakes/postal-codes.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What the list of postal codes said when an address came stays with that address. */

const AMERICANA = postalFacts({
  code: "44160",
  state: "Jalisco",
  municipality: "Guadalajara",
  city: "Guadalajara",
  settlements: [{ name: "Americana", kind: "Colonia" }],
});

let world: World;
let key: string;

beforeEach(async () => {
  world = await createWorld();
  key = await world.addLocation(1);
  world.start();
});

const imports = (...codes: PostalFacts[]) =>
  world.store.postalCodes.replace({ source: "table", importedAtMs: world.clock.nowMs(), codes });

const postalOf = async () => (await world.store.locations.find({ shop: SHOP, locationId: key }))!.postal;

async function reads(kind: "reconcile" | "location"): Promise<void> {
  await world.requestWork(kind, kind === "location" ? key : "shop");
  world.services.wake();
  await world.runFor(5_000);
}

test.each(["location", "reconcile"] as const)(
  "a new address is kept with what the list says of it (%s)",
  async (kind) => {
    await imports(AMERICANA);
    await reads(kind);
    expect(await postalOf()).toEqual(AMERICANA);
  },
);

test.each(["location", "reconcile"] as const)(
  "an import changes no address that is there, nor its template (%s)",
  async (kind) => {
    await reads("location");
    const template = structuredClone(world.templateOf(key));
    expect(template).toBeDefined();
    world.calls.length = 0;
    await imports({
      ...AMERICANA,
      municipality: "Zapopan",
      settlements: [{ name: "Arcos Vallarta", kind: "Colonia" }],
    });
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Another name" }));
    await reads(kind);
    expect(await postalOf()).toBeNull();
    expect(world.templateOf(key)!.address).toEqual(template!.address);
  },
);

test("an address that is written anew is read with the list of today", async () => {
  await imports(AMERICANA);
  await reads("location");
  await imports(postalFacts());
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "7", zip: "06700" }) }));
  await reads("location");
  expect(await postalOf()).toEqual(postalFacts());
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "8", zip: "44160" }) }));
  await reads("reconcile");
  expect(await postalOf()).toBeNull();
});
