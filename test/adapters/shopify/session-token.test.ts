import "@shopify/shopify-api/adapters/node";
import { createHmac } from "node:crypto";
import { ApiVersion, shopifyApi } from "@shopify/shopify-api";
import { describe, expect, test } from "vitest";
import { tokenFault } from "../../../app/adapters/shopify/session-token.ts";

const SHOP = "taller-copal.myshopify.com";
const app = { apiKey: "key", apiSecret: "secret" };
const library = shopifyApi({
  apiKey: app.apiKey,
  apiSecretKey: app.apiSecret,
  apiVersion: ApiVersion.October26,
  hostName: "origen.example",
  isEmbeddedApp: true,
});
const nowSeconds = Math.floor(Date.now() / 1_000);

const HEAD = { alg: "HS256", typ: "JWT" };
const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
function token(over: Record<string, unknown> = {}, { head = HEAD as unknown, secret = app.apiSecret } = {}): string {
  const claims = {
    iss: `https://${SHOP}/admin`,
    dest: `https://${SHOP}`,
    aud: app.apiKey,
    sub: "42",
    exp: nowSeconds + 60,
    nbf: nowSeconds,
    ...over,
  };
  const text = `${encode(head)}.${encode(claims)}`;
  return `${text}.${createHmac("sha256", secret).update(text).digest("base64url")}`;
}
const asked = (text: string) =>
  tokenFault(new Request("https://origen.example/app", { headers: { Authorization: `Bearer ${text}` } }), library);
const opened = (text: string, shop: string) =>
  tokenFault(new Request(`https://origen.example/app?shop=${shop}&id_token=${text}`), library);

describe("a session token", () => {
  test("that Shopify made for this app and this moment is fine, in a header and in an address", async () => {
    expect(await asked(token())).toBeNull();
    expect(await opened(token(), SHOP)).toBeNull();
    expect(await opened(token(), SHOP.toUpperCase())).toBeNull();
    expect(await tokenFault(new Request("https://origen.example/app"), library)).toBeNull();
  });

  test.each([
    ["signature", token({}, { secret: "another" })],
    ["signature", `${token().slice(0, -2)}AA`],
    ["malformed", "x"],
    ["malformed", "a.b.c"],
    ["malformed", `${token()}.x`],
    ["malformed", token({}, { head: { alg: "none" } })],
    ["malformed", token({ exp: "soon" })],
    ["issuer", token({ iss: undefined })],
    ["audience", token({ aud: "another-app" })],
    ["issuer", token({ iss: "https://another.myshopify.com/admin" })],
    ["issuer", token({ iss: `http://${SHOP}/admin` })],
    ["issuer", token({ dest: "https://evil.example", iss: "https://evil.example/admin" })],
    ["malformed", `": "exp" claim timestamp check failed`],
    ["not_yet", token({ nbf: nowSeconds + 60 })],
    ["expired", token({ exp: nowSeconds - 60 })],
  ] as const)("is refused: %s", async (why, text) => {
    expect(await asked(text)).toBe(why);
  });

  test("may be ten seconds off, as with Shopify's package", async () => {
    expect(await asked(token({ nbf: nowSeconds + 5, exp: nowSeconds + 60 }))).toBeNull();
    expect(await asked(token({ exp: nowSeconds - 5 }))).toBeNull();
  });

  test("is looked at however the header spells it, for so does Shopify's package", async () => {
    const foreign = token({ iss: "https://another.myshopify.com/admin" });
    const headers = { Authorization: foreign };
    expect(await tokenFault(new Request("https://origen.example/app", { headers }), library)).toBe("issuer");
  });

  test("of one shop opens no address of another", async () => {
    expect(await opened(token(), "another.myshopify.com")).toBe("another_shop");
  });
});
