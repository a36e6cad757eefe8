import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { locationGid, locationRecord, SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { act, posting } from "./posting.ts";
import type { Answer, Route } from "./posting.ts";

/** Shopify Flow's action *Verify shipping origin*, from its signed request to the service. */

const load = () => import("../../app/routes/flow.verify-origin/route.ts");
const postSync = posting<object>(() => import("../../app/routes/api.origins_.$legacyLocationId.sync.ts"));

const SECRET = "the app's secret";

interface Sent {
  shop?: string;
  run?: string;
  origin?: string;
  handle?: string;
  secret?: string;
}

async function send(
  world: World,
  { shop = SHOP, run = "run-1", origin = "1", handle = "verify-origin", secret = SECRET }: Sent,
): Promise<Answer> {
  const body = JSON.stringify({
    shop_id: "1",
    shopify_domain: shop,
    action_run_id: run,
    handle,
    properties: { origin },
  });
  const headers = { "X-Shopify-Hmac-Sha256": createHmac("sha256", secret).update(body).digest("base64") };
  const route = (await load()) as unknown as Route;
  return world.clock.runWhile(act(route, { services: world.services, headers, body }));
}

async function place(world: World, number: number, name = `Bodega ${number}`): Promise<void> {
  const location = { ...shopifyLocation(number), name };
  await world.addLocation(number, { name });
  await world.store.locations.insert(locationRecord({ ...location, shop: SHOP }));
}

/** Origins 1 and 2 with their templates. */
async function synced(policies: { carriers?: string[] } = {}): Promise<World> {
  const world = await createWorld({
    environment: "production",
    policies: { carriers: ["fedex", "dhl"], verifyAfterChange: false, ...policies },
  });
  for (const number of [1, 2]) {
    await place(world, number, number === 1 ? "Almacén Mérida" : "Bodega 2");
    expect(await postSync(world, {}, { legacyLocationId: String(number) })).toMatchObject({ status: 200 });
  }
  world.calls.length = 0;
  return world;
}

const asked = { status: 200, said: {} };
const refusedWith = (status: number, words: RegExp) => ({
  status,
  said: { message: expect.stringMatching(words) as string },
});

describe("an origin that a workflow names", () => {
  test.each(["1", locationGid(1), "Almacén Mérida", " almacen merida "])(
    "is verified by the shop's carriers, and the answer does not wait for theirs (%s)",
    async (origin) => {
      const world = await synced();
      expect(await send(world, { origin })).toEqual(asked);
      expect(world.calls).toEqual([]);
      world.start();
      await world.runFor(30_000);
      expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
      const verifications = await world.store.verifications.list({ shop: SHOP });
      expect(verifications.map(({ carrier }) => carrier).sort()).toEqual(["dhl", "fedex"]);
      expect(await world.store.activity.list({ kind: "flow_verify" })).toMatchObject([{ locationId: locationGid(1) }]);
    },
  );

  test("is asked about once, however often Flow repeats the run, at once and later", async () => {
    const world = await synced();
    const answers = await Promise.all(Array.from({ length: 10 }, () => send(world, {})));
    expect(answers).toEqual(Array(10).fill(asked));
    world.start();
    await world.runFor(2 * 3_600_000);
    expect(await send(world, {})).toEqual(asked);
    await world.runFor(60_000);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(1);
    expect(await world.store.activity.count({ kind: "flow_verify" })).toBe(1);
    // Another run asks again.
    expect(await send(world, { run: "run-2" })).toEqual(asked);
    await world.runFor(60_000);
    expect(world.calls.filter((call) => call === "verify")).toHaveLength(2);
  });

  // A variable of the workflow's may stand for nothing, or for a text of any length.
  test.each(["", "   ", "x".repeat(300), "x".repeat(20_000)])(
    "is refused in words where the field came out empty or too long",
    async (origin) => {
      expect(await send(await synced(), { origin })).toEqual(refusedWith(404, /No location has.*Ninguna sucursal/));
    },
  );

  test("is refused in words where its name is nobody's, or several locations'", async () => {
    const world = await synced();
    await place(world, 3, "Bodega 2");
    expect(await send(world, { origin: "Bodega 9" })).toEqual(refusedWith(404, /No location has this name or ID/));
    expect(await send(world, { origin: "999" })).toEqual(refusedWith(404, /Ninguna sucursal/));
    expect(await send(world, { origin: "BODEGA 2" })).toEqual(refusedWith(409, /Several locations.*Varias sucursales/));
    expect(await send(world, { origin: "2" })).toEqual(asked);
  });

  test("is looked for by its name before the transaction, in which other shops would wait for thousands of rows", async () => {
    const world = await synced();
    const { transaction } = world.store;
    const listed: object[] = [];
    world.services.store = {
      ...world.store,
      transaction: (shop, work) =>
        transaction(shop, (tables) => {
          const list: typeof tables.locations.list = (where, options) => {
            listed.push(where);
            return tables.locations.list(where, options);
          };
          return work({ ...tables, locations: { ...tables.locations, list } });
        }),
    };
    expect(await send(world, { origin: "Almacén Mérida" })).toEqual(asked);
    expect(await send(world, { origin: "Bodega 9", run: "run-2" })).toMatchObject({ status: 404 });
    expect(listed).toEqual([]);
  });

  test("is refused in words where nobody can ask", async () => {
    const world = await synced();
    await place(world, 4);
    expect(await send(world, { origin: "4" })).toEqual(refusedWith(422, /no address in your account yet/));
    expect(await send(await synced({ carriers: [] }), {})).toEqual(refusedWith(422, /No carriers are chosen/));
    await world.store.connections.update({ shop: SHOP }, { environment: "test" });
    // There may be no production account yet.
    expect(await send(world, {})).toEqual(refusedWith(422, /Connect the production account or switch to it/));
    await world.store.connections.update({ shop: SHOP }, { state: "invalid" });
    expect(await send(world, {})).toEqual(refusedWith(422, /not connected/));
    expect(await world.store.receipts.count({ shop: SHOP })).toBe(0);
    expect(world.calls).toEqual([]);
  });

  test("is another shop's no less than its own: the signed body names the shop", async () => {
    const world = await synced();
    expect(await send(world, { shop: "two.myshopify.com" })).toEqual(refusedWith(404, /not installed/));
    await world.store.shops.update({ shop: SHOP }, { uninstalledAtMs: 1 });
    expect(await send(world, {})).toEqual(refusedWith(404, /not installed/));
  });
});

describe("a request", () => {
  test("that Shopify has not signed is refused before anything is read", async () => {
    const world = await synced();
    expect(await send(world, { secret: "another" })).toMatchObject({ status: 401 });
    const route = (await load()) as unknown as Route;
    const { services } = world;
    for (const headers of [{}, { "X-Shopify-Hmac-Sha256": "" }, { "X-Shopify-Hmac-Sha256": "%" }])
      expect(await act(route, { services, headers: headers as Record<string, string>, body: {} })).toMatchObject({
        status: 401,
      });
  });

  test.each([
    "{",
    "[]",
    "{}",
    JSON.stringify({ shopify_domain: SHOP, handle: "verify-origin", action_run_id: "r", properties: {} }),
  ])("that is signed and is not this action's is a 400 (%s)", async (body) => {
    const world = await createWorld({ environment: "production" });
    const headers = { "X-Shopify-Hmac-Sha256": createHmac("sha256", SECRET).update(body).digest("base64") };
    expect(await act((await load()) as unknown as Route, { services: world.services, headers, body })).toMatchObject({
      status: 400,
    });
  });

  test("for another action, or of no store, is refused", async () => {
    const world = await synced();
    expect(await send(world, { handle: "another" })).toMatchObject({ status: 404 });
    expect(await send(world, { shop: "example.com" })).toMatchObject({ status: 400 });
  });
});

test("the extension declares what the route reads", () => {
  const file = join(import.meta.dirname, "../../extensions/flow-verify-origin/shopify.extension.toml");
  const toml = parse(readFileSync(file, "utf8")) as {
    extensions: { handle: string; runtime_url: string }[];
    settings: { fields: { key: string; required: boolean }[] };
  };
  expect(toml.extensions).toMatchObject([{ handle: "verify-origin", runtime_url: "/flow/verify-origin" }]);
  expect(toml.settings.fields).toMatchObject([{ key: "origin", required: true }]);
});
