import { afterEach, describe, expect, test } from "vitest";
import { LOCATIONS_PAGE_SIZE } from "../../../app/adapters/shopify/queries.ts";
import { SHOP, startShopifyWorld, STORE } from "./shopify-world.ts";
import type { ShopifyWorld } from "./shopify-world.ts";

let world: ShopifyWorld;

async function start(locations: Parameters<typeof startShopifyWorld>[0] = [{ name: "Matriz" }]) {
  world = await startShopifyWorld(locations);
  await world.signIn();
  world.requests.length = 0;
}

afterEach(() => world.stop());

const control = (path: string, method = "POST", body?: unknown) =>
  fetch(`${world.admin.url}/sandbox/${path}`, {
    method,
    headers: { "Content-Type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const answer =
  (status: number, body: unknown, headers = {}) =>
  () =>
    Promise.resolve(
      new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json", ...headers } }),
    );

describe("locations", () => {
  test("come from all pages, inactive ones too, their text untouched", async () => {
    const many = Array.from({ length: LOCATIONS_PAGE_SIZE * 2 + 5 }, (_one, index) => ({
      name: `Bodega ${index}`,
      isActive: index !== 3,
    }));
    await start([{ name: "Matriz", address1: "Avenida Vallarta \u2060100" }, ...many]);
    const found = await world.shopify.locations(SHOP);
    expect(found).toHaveLength(many.length + 1);
    expect(new Set(found.map(({ locationId }) => locationId)).size).toBe(found.length);
    expect(found.find(({ name }) => name === "Matriz")?.address.address1).toBe("Avenida Vallarta \u2060100");
    expect(found.filter(({ isActive }) => !isActive).map(({ name }) => name)).toEqual(["Bodega 3"]);
    expect(world.requests).toHaveLength(3);
  });

  test("one of them is read by its id, and null when it is no more", async () => {
    await start();
    const [location] = await world.shopify.locations(SHOP);
    expect(await world.shopify.location(SHOP, location!.locationId)).toEqual(location);
    expect(await world.shopify.location(SHOP, "gid://shopify/Location/1")).toBeNull();
  });
});

test("the shop tells its time zone and address", async () => {
  await start();
  expect(await world.shopify.shopDetails(SHOP)).toEqual({
    timeZone: "America/Mexico_City",
    email: "contacto@one.example",
  });
  expect(await world.shopify.grantedScopes(SHOP)).toEqual(["read_locations"]);
});

describe("tokens", () => {
  test("that are about to end are refreshed, once for calls that come together", async () => {
    world = await startShopifyWorld([{ name: "Matriz" }]);
    await control("settings", "PUT", { accessTokenLifetimeSeconds: 60 });
    await world.signIn();
    await control("settings", "PUT", { accessTokenLifetimeSeconds: 3600 });
    world.requests.length = 0;
    await Promise.all([1, 2, 3].map(() => world.shopify.shopDetails(SHOP)));
    expect(world.requests.filter((path) => path === "/admin/oauth/access_token")).toHaveLength(1);
  });

  test("that ended before their time are refreshed, and the call is repeated", async () => {
    await start();
    await control(`shops/${STORE}/expire-tokens`);
    expect((await world.shopify.shopDetails(SHOP)).timeZone).toBe("America/Mexico_City");
  });

  test("of a shop that removed the app are refused, those of its next installation are not", async () => {
    await start();
    expect(await world.shopify.standing(SHOP)).toEqual({ kind: "installed" });
    await control(`shops/${STORE}/uninstall`);
    expect(await world.shopify.standing(SHOP)).toEqual({ kind: "refused" });
    await expect(world.shopify.locations(SHOP)).rejects.toMatchObject({ kind: "shopify_refused" });
    await control(`shops/${STORE}/install`);
    expect(await world.shopify.standing(SHOP)).toEqual({ kind: "refused" });
    world.sessions.clear();
    await world.signIn();
    expect(await world.shopify.standing(SHOP)).toEqual({ kind: "installed" });
  });

  test("that Shopify refuses are replaced by a visit, which brings what gives new ones", async () => {
    await start();
    await control(`shops/${STORE}/uninstall`);
    await control(`shops/${STORE}/install`);
    // The stored session has not ended, so Shopify's package leaves it.
    await world.signIn();
    expect(await world.shopify.standing(SHOP)).toEqual({ kind: "refused" });
    world.requests.length = 0;
    const visit = { shop: SHOP, request: await world.visit() };
    expect(await Promise.all([1, 2, 3].map(() => world.app.newSession(visit)))).toEqual([true, true, true]);
    expect(world.requests).toHaveLength(1);
    expect(await world.shopify.standing(SHOP)).toEqual({ kind: "installed" });
    const session = [...world.sessions.values()][0]!;
    expect(session).toMatchObject({ shop: SHOP, isOnline: false, scope: "read_locations" });
    expect(session.isActive(undefined)).toBe(true);
    expect(session.refreshToken).toMatch(/^shprt_/);
  });

  test("stay when a visit brings no new ones, and Shopify is not asked at each of its requests", async () => {
    await start();
    const [before] = [...world.sessions.values()];
    await control(`shops/${STORE}/uninstall`);
    world.requests.length = 0;
    const visit = { shop: SHOP, request: await world.visit() };
    expect(await world.app.newSession(visit)).toBe(false);
    expect(await world.app.newSession(visit)).toBe(false);
    expect(world.requests).toHaveLength(1);
    expect([...world.sessions.values()]).toEqual([before]);
    expect(await world.app.newSession({ shop: SHOP, request: new Request("https://app.example/app") })).toBe(false);
  });

  test("without a session there is nothing to ask with, which proves nothing", async () => {
    await start();
    world.sessions.clear();
    expect(await world.shopify.standing(SHOP)).toMatchObject({ kind: "unclear", why: "no_session" });
    await expect(world.shopify.locations(SHOP)).rejects.toMatchObject({ kind: "shopify_session" });
  });
});

describe("faults", () => {
  const throttled = { data: null, errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] };

  test("a throttled query waits longer each time and comes through", async () => {
    await start();
    world.instead.push(answer(200, throttled), answer(200, throttled), answer(429, {}, { "Retry-After": "2.0" }));
    expect((await world.shopify.shopDetails(SHOP)).timeZone).toBe("America/Mexico_City");
    expect(world.sleptMs).toEqual([1_000, 2_000, 4_000]);
  });

  test("a Shopify that stays away is unavailable, after five attempts", async () => {
    await start();
    world.instead.push(...Array.from({ length: 9 }, () => () => Promise.reject(new TypeError("fetch failed"))));
    await expect(world.shopify.locations(SHOP)).rejects.toMatchObject({ kind: "shopify_unavailable", effect: "none" });
    expect(world.requests).toHaveLength(5);
  });

  test.each(["a query", "a token's renewal"])("%s that never ends is given up, and tried again", async (what) => {
    world = await startShopifyWorld([{ name: "Matriz" }]);
    await control("settings", "PUT", { accessTokenLifetimeSeconds: what === "a query" ? 3600 : 60 });
    await world.signIn();
    world.hurry();
    world.instead.push(...Array.from({ length: 5 }, () => () => new Promise<Response>(() => undefined)));
    await expect(world.shopify.locations(SHOP)).rejects.toMatchObject({ kind: "shopify_unavailable" });
  });

  test("a scope that is missing is refused at once", async () => {
    await start();
    const denied = { data: null, errors: [{ message: "Access denied", extensions: { code: "ACCESS_DENIED" } }] };
    world.instead.push(answer(200, denied));
    await expect(world.shopify.locations(SHOP)).rejects.toMatchObject({ kind: "shopify_refused" });
    expect(world.sleptMs).toEqual([]);
  });

  test("an answer without what was asked for is as good as none", async () => {
    await start();
    world.instead.push(...Array.from({ length: 5 }, () => answer(200, { data: { shop: {} } })));
    await expect(world.shopify.shopDetails(SHOP)).rejects.toMatchObject({ kind: "shopify_unavailable" });
  });
});
