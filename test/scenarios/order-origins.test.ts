import { describe, expect, test } from "vitest";
import { Secret } from "../../app/domain/secret.ts";
import { finishDetails } from "../../app/pages/finish-details.ts";
import type { FinishedDetails } from "../../app/pages/finish-details.ts";
import { readOrderOrigins } from "../../app/pages/read-order-origins.ts";
import {
  connectionRecord,
  detailsRecord,
  locationGid,
  locationRecord,
  SHOP,
  workItemRecord,
} from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const OTHER = "two.myshopify.com";

async function newLocation(
  world: World,
  number = 1,
  over: Partial<Parameters<typeof shopifyLocation>[1]> = {},
): Promise<string> {
  const location = shopifyLocation(number, over);
  world.shopify.put(SHOP, location);
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
  return location.locationId;
}

const read = (world: World, locationIds: string[], shop = SHOP) =>
  readOrderOrigins(world.services, { shop, locationIds });
const first = async (world: World, id: string) => (await read(world, [id])).origins[0]!;
const finish = (world: World, finished: FinishedDetails, shop = SHOP) =>
  world.clock.runWhile(finishDetails(world.services, { shop, finished }));

/** The colonia is missing and where the number ends is anybody's guess. */
const DOUBTFUL = { ...mexicanAddress(), address1: "Calle 60 455 51 53", address2: null };

describe("what an order page is told", () => {
  test("is the origins asked for, without a call to anybody", async () => {
    const world = await createWorld({ environment: "production" });
    const ids = [await newLocation(world, 1), await newLocation(world, 2), await newLocation(world, 3)];
    const view = await read(world, [ids[0]!, ids[2]!, locationGid(99)]);
    expect(view.origins.map(({ locationId }) => locationId).sort()).toEqual([ids[0], ids[2]]);
    expect(view.unknown).toEqual([locationGid(99)]);
    expect(view.connection).toBe("ready");
    expect(world.calls).toEqual([]);
  });

  test("is production's account's, which stands still, where the shop works with its test account", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await world.addLocation(1);
    const unfinished = await newLocation(world, 2, { address: DOUBTFUL });
    world.start();
    await world.runFor(180_000);
    const production = await first(world, id);
    expect((await first(world, unfinished)).form).not.toBeNull();
    expect(production).toMatchObject({ state: "unverified", canSync: true, canVerify: true });
    await world.store.connections.update({ shop: SHOP }, { current: false, state: "aside" });
    await world.store.connections.insert(connectionRecord({ id: "connection-2", clientId: "client-2" }));
    const view = await read(world, [id]);
    expect(view.connection).toBe("test");
    expect(view.origins[0]).toMatchObject({
      carriers: production.carriers,
      canSync: false,
      canVerify: false,
      moving: false,
    });
    expect(await first(world, unfinished)).toMatchObject({ state: "to_review", form: null });
    await world.store.connections.delete({ shop: SHOP, environment: "production" });
    expect(await read(world, [id])).toMatchObject({ connection: "test_only", origins: [{ canSync: false }] });
  });

  test("is nothing of another shop's locations", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world);
    expect(await read(world, [id], OTHER)).toMatchObject({ connection: "none", origins: [], unknown: [id] });
  });

  test("is the address as it will be sent once that is whole, and Shopify's until then", async () => {
    const world = await createWorld({ environment: "production" });
    expect((await first(world, await newLocation(world, 1))).address[0]).toBe("Avenida Vallarta 101");
    expect((await first(world, await newLocation(world, 2, { address: DOUBTFUL }))).address[0]).toBe(
      "Calle 60 455 51 53",
    );
  });

  test("asks only for what is missing or doubtful, and says what only Shopify's page mends", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world, 1, { address: { ...DOUBTFUL, zip: "06700" } });
    const { form, inShopify } = await first(world, id);
    expect(form!.fields.find(({ field }) => field === "area_level3")).toMatchObject({
      problem: "missing",
      required: true,
      value: "",
    });
    expect(form!.fields.map(({ field }) => field)).not.toContain("email");
    expect(inShopify).toEqual([{ field: "postal_code", problem: "postal_code_state" }]);
  });

  test("has a form without fields when only the owner's word is missing, and none after it", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world);
    expect((await first(world, id)).form).toMatchObject({ fields: [] });
    await world.store.details.insert(detailsRecord({ locationId: id, confirmedAtMs: 1 }));
    expect((await first(world, id)).form).toBeNull();
  });

  test("asks again for a field that the service refused, with its words", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world);
    await world.store.details.insert(detailsRecord({ locationId: id, confirmedAtMs: 1 }));
    const reason = {
      code: "refused_by_service",
      message: "No",
      fields: { street1: ["is too long"] },
      requestId: null,
      atMs: 1,
    } as const;
    await world.store.workItems.insert(
      workItemRecord({ key: id, generation: 1, observedGeneration: 1, state: "blocked", reason: reason as never }),
    );
    const { form, state } = await first(world, id);
    expect([state, form!.fields]).toEqual([
      "refused_by_service",
      [
        {
          field: "street1",
          value: "Avenida Vallarta",
          problem: null,
          required: true,
          serviceMessages: ["is too long"],
          choices: [],
        },
      ],
    ]);
  });

  test("offers nothing for a location that is no origin", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world, 1, { isFulfillmentService: true });
    expect(await first(world, id)).toMatchObject({
      exclusion: "fulfillment_service",
      form: null,
      canSync: false,
      canVerify: false,
    });
  });

  test.each([
    ["disconnected", { state: "disconnected" }],
    ["waits for the account question", { state: "unconfirmed" }],
    ["has no readable secret", { clientSecret: Secret.unreadable("no key") }],
  ] as const)("offers nothing that a connection cannot do that %s", async (_name, closed) => {
    const world = await createWorld({ environment: "production" });
    const id = await world.addLocation(1);
    world.start();
    await world.runFor(60_000);
    expect(await first(world, id)).toMatchObject({ canSync: true, canVerify: true });
    await world.store.connections.update({ shop: SHOP }, closed);
    expect(await first(world, id)).toMatchObject({ canSync: false, canVerify: false });
  });
});

describe("finishing the missing details", () => {
  test("saves them, leaves the rest as it is read, and writes the template", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world, 1, { address: { ...mexicanAddress(), address2: null } });
    const { form } = await first(world, id);
    const outcome = await finish(world, { locationId: id, ...form!, values: { area_level3: "Americana" } });
    expect(outcome).toEqual({ kind: "done", progress: { kind: "done" } });
    expect(world.templateOf(id)!.address).toMatchObject({
      street1: "Avenida Vallarta",
      street_number: "100",
      area_level3: "Americana",
    });
    expect(await first(world, id)).toMatchObject({ form: null, canVerify: true });
  });

  test("refuses a guess that the form did not show", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world, 1, { address: DOUBTFUL });
    const { form } = await first(world, id);
    const doubtful = form!.fields.filter(({ problem }) => problem === "unconfirmed").map(({ field }) => field);
    expect(doubtful.length).toBeGreaterThan(0);
    const outcome = await finish(world, { locationId: id, ...form!, values: { area_level3: "Centro" } });
    expect(outcome).toMatchObject({
      kind: "invalid",
      problems: doubtful.map((field) => ({ field, code: "unconfirmed" })),
    });
    expect(world.calls).toEqual([]);
  });

  test("tells a person who was slower, and one whose location moved", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world);
    const { form } = await first(world, id);
    expect(await finish(world, { locationId: id, ...form!, revision: 7, values: {} })).toEqual({ kind: "stale" });
    await world.store.locations.update({ locationId: id }, { address: mexicanAddress({ street: "Calle Nueva" }) });
    expect(await finish(world, { locationId: id, ...form!, values: {} })).toEqual({ kind: "moved" });
  });

  test("finds no location of another shop", async () => {
    const world = await createWorld({ environment: "production" });
    const id = await newLocation(world);
    expect(await finish(world, { locationId: id, revision: 0, readFrom: "", values: {} }, OTHER)).toEqual({
      kind: "not_found",
    });
  });
});
