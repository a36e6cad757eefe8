import { createHmac } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sessionToken } from "../../sandbox/admin/signing.ts";
import { CREDENTIALS, SHOP, startShopifyWorld } from "./shopify-world.ts";
import type { ShopifyWorld } from "./shopify-world.ts";

/** Whom a request to a page is from: what a session token must be to be believed, and whose shop it opens. */

const OTHER = "another.myshopify.com";
const HOST = Buffer.from("admin.shopify.com/store/one").toString("base64");

let world: ShopifyWorld;
let good: string;

beforeAll(async () => {
  world = await startShopifyWorld([]);
  await world.signIn();
  good = tokenWith({});
});
afterAll(() => world.stop());

function tokenWith(options: Parameters<typeof sessionToken>[2]): string {
  return sessionToken(world.admin.state, world.admin.state.shops.get(SHOP)!, options);
}

/** The good token's claims under another head, signed by `sign`. */
function signedAnew(head: object, sign: (text: string) => string): string {
  const text = `${Buffer.from(JSON.stringify(head)).toString("base64url")}.${good.split(".")[1]!}`;
  return `${text}.${sign(text)}`;
}

const hmac = (algorithm: string, secret: string) => (text: string) =>
  createHmac(algorithm, secret).update(text).digest("base64url");

/** The shop that is let in, or the status that it is refused with. */
async function whoIs(address: string, headers: Record<string, string>, method = "GET"): Promise<string | number> {
  const request = new Request(new URL(address, "https://app.example"), { method, headers: { ...headers } });
  request.headers.set("User-Agent", "Mozilla/5.0 Chrome/140.0.0.0");
  try {
    return (await world.app.authenticate.admin(request)).session.shop;
  } catch (thrown) {
    if (thrown instanceof Response) return thrown.status;
    throw thrown;
  }
}

const bearing = (token: string) => ({ Authorization: `Bearer ${token}` });

test("a token of Shopify's for this app opens the shop that it names", async () => {
  expect(await whoIs("/app", bearing(good))).toBe(SHOP);
});

test.each<[string, () => string]>([
  ["signed with another secret", () => signedAnew({ alg: "HS256", typ: "JWT" }, hmac("sha256", "another secret"))],
  ["not signed", () => signedAnew({ alg: "none", typ: "JWT" }, () => "")],
  ["signed in another way", () => signedAnew({ alg: "HS512", typ: "JWT" }, hmac("sha512", CREDENTIALS.apiSecret))],
  ["changed", () => tokenWith({}).replace(/\.[^.]+\./, (body) => `.${altered(body.slice(1, -1))}.`)],
  ["another app's", () => tokenWith({ claims: { aud: "another-app" } })],
  ["old", () => tokenWith({ lifetimeSeconds: -60 })],
  ["of a time to come", () => tokenWith({ lifetimeSeconds: 600 })],
  ["no token", () => "nonsense"],
])("a token that is %s opens nothing", async (_what, bad) => {
  expect(await whoIs("/app", bearing(bad()))).toBe(401);
});

/** The same claims, for another shop. */
function altered(body: string): string {
  const claims = JSON.parse(Buffer.from(body, "base64url").toString("utf8")) as object;
  return Buffer.from(JSON.stringify({ ...claims, dest: `https://${OTHER}` })).toString("base64url");
}

test.each([
  ["in a header", () => whoIs(`/app?shop=${OTHER}&host=${HOST}`, bearing(good))],
  ["in the address", () => whoIs(`/app?shop=${OTHER}&host=${HOST}&embedded=1&id_token=${good}`, {})],
  ["in both, another shop's in the address", () => whoIs(`/app?shop=${OTHER}&id_token=nonsense`, bearing(good))],
])("the shop is the token's, whatever else the address says: a token %s", async (_where, ask) => {
  expect(await ask()).toBe(SHOP);
});

test.each(["GET", "POST"])("without a token, %s opens nothing, whatever a browser adds by itself", async (method) => {
  const byItself = { Cookie: `shopify_app_session=offline_${SHOP}`, Origin: "https://evil.example" };
  expect(await whoIs("/app/settings", byItself, method)).toBe(302);
  expect(await whoIs(`/app/settings?shop=${SHOP}&host=${HOST}&embedded=1`, byItself, method)).toBe(302);
});
