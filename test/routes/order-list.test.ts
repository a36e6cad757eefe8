import { describe, expect, test } from "vitest";
import type { ManyIntent } from "../../app/routes/api.origins_.many/schema.ts";
import { locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { posting } from "./posting.ts";

/** What the action in the list of orders sends, from its route to the store and the service. */

const post = posting<ManyIntent>(() => import("../../app/routes/api.origins_.many/route.ts"));
const postSync = posting<object>(() => import("../../app/routes/api.origins_.$legacyLocationId.sync.ts"));

const TWENTY = Array.from({ length: 20 }, (_one, at) => String(at + 1));

/** Twenty origins with their templates. */
async function synced(numbers = TWENTY): Promise<World> {
  const world = await createWorld({
    environment: "production",
    policies: { carriers: ["fedex", "dhl"], verifyAfterChange: false },
  });
  for (const number of numbers) {
    await world.addLocation(Number(number));
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(Number(number)), shop: SHOP }));
    expect(await postSync(world, {}, { legacyLocationId: number })).toEqual({
      status: 200,
      said: { progress: "done" },
    });
  }
  world.calls.length = 0;
  return world;
}

const busy = { status: 409, said: { error: { code: "busy", message: expect.any(String) as string } } };
const overTest = { status: 409, said: { error: { code: "test_account", message: expect.any(String) as string } } };
const notFound = { status: 404, said: { error: { code: "not_found", message: expect.any(String) as string } } };

describe("the origins of many orders", () => {
  test("are read in one question, without a call to anybody", async () => {
    const world = await synced();
    const { status, said } = await post(world, { intent: "read", locations: [...TWENTY, "99"] });
    expect(status).toBe(200);
    const { origins, unknown, busy: running } = said as { origins: unknown[]; unknown: string[]; busy: boolean };
    expect([origins.length, unknown, running]).toEqual([20, ["gid://shopify/Location/99"], false]);
    expect(world.calls).toEqual([]);
  });

  test("are verified by one bulk action, each template with one call", async () => {
    const world = await synced();
    expect(await post(world, { intent: "verify", locations: [...TWENTY, ...TWENTY] })).toEqual({
      status: 200,
      said: { count: 20 },
    });
    expect((await post(world, { intent: "read", locations: TWENTY })).said).toMatchObject({ busy: true });
    expect(await post(world, { intent: "verify", locations: TWENTY })).toEqual(busy);
    world.start();
    await world.runFor(60_000);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(20);
    expect((await post(world, { intent: "read", locations: TWENTY })).said).toMatchObject({ busy: false });
  });

  test("are neither verified nor synced in the test account, where a page that was open before still asks for it", async () => {
    const world = await synced(["1"]);
    await world.store.connections.update({ shop: SHOP }, { environment: "test" });
    for (const intent of ["verify", "sync"] as const)
      expect(await post(world, { intent, locations: ["1"] })).toEqual(overTest);
    expect(await world.store.jobs.count({ shop: SHOP })).toBe(0);
    expect(world.calls).toEqual([]);
  });

  test("of another shop are unknown, and nothing is asked of them", async () => {
    const world = await synced(["1"]);
    const other = { shop: "two.myshopify.com" };
    expect((await post(world, { intent: "read", locations: ["1"] }, other)).said).toMatchObject({ origins: [] });
    expect(await post(world, { intent: "verify", locations: ["1"] }, other)).toEqual(notFound);
    expect(await post(world, { intent: "sync", locations: ["1"] }, other)).toEqual(notFound);
    expect(world.calls).toEqual([]);
  });

  test.each<[string, unknown]>([
    ["an id that is none", { intent: "read", locations: ["1x"] }],
    ["an intent that is none", { intent: "delete", locations: ["1"] }],
    [
      "more locations than a store has",
      { intent: "read", locations: Array.from({ length: 1_001 }, (_one, at) => String(at)) },
    ],
  ])("are refused with %s", async (_what, body) => {
    expect(await post(await synced([]), body as ManyIntent)).toMatchObject({ status: 400 });
  });
});
