import { expect, test } from "vitest";
import { SPLIT_FIELDS, eachField } from "../../../app/domain/address/form-fields.ts";
import { addressText } from "../../../app/domain/address/text.ts";
import { readReview } from "../../../app/pages/read-review.ts";
import { NO_CONTACT, SHOP, locationRecord } from "../../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/** Review tells a location whose address the account holds from one that is new to it. */

async function saved(world: World): Promise<string> {
  const locationId = await world.addLocation(1);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  const values = { ...eachField(SPLIT_FIELDS, () => null), street1: "Avenida Vallarta", street_number: "101" };
  const split = {
    values: { ...values, area_level3: "Americana", area_level2: "Guadalajara" },
    readFrom: addressText(shopifyLocation(1).address),
  };
  await world.store.details.update({ shop: SHOP, locationId }, { split });
  await world.requestWork("location", locationId);
  world.start();
  await world.runFor();
  expect(world.account.templates.size).toBe(1);
  return locationId;
}

const rowsOf = async (world: World) =>
  (await readReview(world.services, { shop: SHOP }))!.rows.map(({ name, inAccount }) => ({ name, inAccount }));

test("one that changed in Shopify since it was confirmed", async () => {
  const world = await createWorld();
  const locationId = await saved(world);
  const address = { ...mexicanAddress(), address2: "" };
  await world.store.locations.update({ shop: SHOP, locationId }, { address });
  expect(await rowsOf(world)).toEqual([{ name: "Bodega 1", inAccount: "changed" }]);
});

test("one that lacks something else since", async () => {
  const world = await createWorld();
  await saved(world);
  await world.store.shops.update({ shop: SHOP }, { contact: NO_CONTACT });
  expect(await rowsOf(world)).toEqual([{ name: "Bodega 1", inAccount: "same" }]);
});

test("one that was never confirmed", async () => {
  const world = await createWorld();
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(2), shop: SHOP }));
  expect(await rowsOf(world)).toEqual([{ name: "Bodega 2", inAccount: null }]);
});
