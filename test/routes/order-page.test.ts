import { describe, expect, test } from "vitest";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import type { FinishedForm } from "../../app/routes/api.origins_.$legacyLocationId.details/schema.ts";
import type { VerifyForm } from "../../app/routes/api.origins_.$legacyLocationId.verify/schema.ts";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { posting } from "./posting.ts";
import type { Params } from "./posting.ts";

/** What the order page's extension sends, from its routes to the store and the service, and the status that it is answered with. */

const at = { legacyLocationId: "1" };
const postDetails = posting<FinishedForm>(
  () => import("../../app/routes/api.origins_.$legacyLocationId.details/route.ts"),
  at,
);
const postVerify = posting<VerifyForm>(
  () => import("../../app/routes/api.origins_.$legacyLocationId.verify/route.ts"),
  at,
);
const postSync = posting<object>(() => import("../../app/routes/api.origins_.$legacyLocationId.sync.ts"), at);

const locationId = locationGid(1);
const elsewhere: Params[] = [{ shop: "two.myshopify.com" }, { legacyLocationId: "9" }, { legacyLocationId: "1x" }];
const notFound = { status: 404, said: { error: { code: "not_found", message: expect.any(String) as string } } };

/** A location without a colonia, which nobody confirmed. */
async function unfinished(): Promise<World> {
  const world = await createWorld({ environment: "production", policies: { carriers: [] } });
  const location = shopifyLocation(1, { address: { ...mexicanAddress(), address2: null } });
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  return world;
}

/** An origin with its template. */
async function synced(): Promise<World> {
  const world = await createWorld({ environment: "production", policies: { carriers: [] } });
  await world.addLocation(1);
  await world.store.locations.insert(locationRecord({ ...shopifyLocation(1), shop: SHOP }));
  expect(await postSync(world, {})).toEqual({ status: 200, said: { progress: "done" } });
  world.calls.length = 0;
  return world;
}

/** What the short form holds, as the order page was told. */
async function shown(world: World): Promise<FinishedForm> {
  const { form } = (await readOrderOrigins(world.services, { shop: SHOP, locationIds: [locationId] })).origins[0]!;
  return { revision: form!.revision, readFrom: form!.readFrom, values: { area_level3: "Americana" } };
}

describe("the short form", () => {
  test("is saved, and the template written", async () => {
    const world = await unfinished();
    const form = await shown(world);
    const values = { ...form.values, name: " Luz ", reference: "Portón rojo" };
    expect(await postDetails(world, { ...form, values })).toEqual({ status: 200, said: { progress: "done" } });
    const sent = { street1: "Avenida Vallarta", area_level3: "Americana", name: "Luz", reference: "Portón rojo" };
    expect(world.templateOf(locationId)!.address).toMatchObject(sent);
    expect((await world.store.details.find({ locationId }))!.confirmedAtMs).not.toBeNull();
  });

  test("is told which field is wrong", async () => {
    const world = await unfinished();
    const form = await shown(world);
    const answer = await postDetails(world, { ...form, values: { area_level3: " ", email: "nobody" } });
    const problems = [
      { field: "area_level3", code: "missing" },
      { field: "email", code: "email_format" },
    ];
    expect(answer).toMatchObject({ status: 422, said: { error: { code: "invalid", problems } } });
    expect(world.calls).toEqual([]);
  });

  test("is told that somebody saved it since, and that the location moved since", async () => {
    const world = await unfinished();
    const form = await shown(world);
    const stale = await postDetails(world, { ...form, revision: 7 });
    expect(stale).toMatchObject({ status: 409, said: { error: { code: "stale" } } });
    await world.store.locations.update({ locationId }, { address: mexicanAddress({ street: "Calle Nueva" }) });
    expect(await postDetails(world, form)).toMatchObject({ status: 409, said: { error: { code: "moved" } } });
  });

  test.each(elsewhere)("of a location that the shop has not is not found: %o", async (where) => {
    const world = await unfinished();
    expect(await postDetails(world, await shown(world), where)).toEqual(notFound);
  });
});

describe("a verification", () => {
  test("asks each carrier once", async () => {
    const world = await synced();
    expect(await postVerify(world, { carriers: ["FedEx", " ", "fedex"] })).toMatchObject({ status: 200 });
    expect(await world.store.verifications.list({ shop: SHOP })).toMatchObject([{ carrier: "fedex" }]);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
  });

  test("without a template is not found", async () => {
    expect(await postVerify(await unfinished(), { carriers: ["fedex"] })).toEqual(notFound);
  });

  test.each(elsewhere)("of a location that the shop has not is not found: %o", async (where) => {
    expect(await postVerify(await synced(), { carriers: ["fedex"] }, where)).toEqual(notFound);
  });
});

describe("a sync", () => {
  test("is told how far it came", async () => {
    const world = await unfinished();
    expect(await postSync(world, {})).toEqual({ status: 200, said: { progress: "blocked" } });
  });

  test.each(elsewhere)("of a location that the shop has not is not found: %o", async (where) => {
    expect(await postSync(await synced(), {}, where)).toEqual(notFound);
  });
});

test("nothing is verified, synced or saved in the test account, where a page that was open before still asks for it", async () => {
  const world = await unfinished();
  const form = await shown(world);
  await world.store.connections.update({ shop: SHOP }, { environment: "test" });
  const overTest = { status: 409, said: { error: { code: "test_account" } } };
  expect(await postVerify(world, { carriers: ["fedex"] })).toMatchObject(overTest);
  expect(await postSync(world, {})).toMatchObject(overTest);
  expect(await postDetails(world, form)).toMatchObject(overTest);
  expect(await world.store.details.count({ shop: SHOP })).toBe(0);
  expect(world.calls).toEqual([]);
});
