import { createHmac } from "node:crypto";
import { describe, expect, test } from "vitest";
import { tokenFault } from "../../../app/adapters/shopify/session-token.ts";

const SHOP = "taller-copal.myshopify.com";
const app = { apiKey: "key", apiSecret: "secret", nowMs: 1_800_000_000_000 };
const nowSeconds = app.nowMs / 1_000;

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
  tokenFault(new Request("https://origen.example/app", { headers: { Authorization: `Bearer ${text}` } }), app);
const opened = (text: string, shop: string) =>
  tokenFault(new Request(`https://origen.example/app?shop=${shop}&id_token=${text}`), app);

describe("a session token", () => {
  test("that Shopify made for this app and this moment is fine, in a header and in an address", () => {
    expect(asked(token())).toBeNull();
    expect(opened(token(), SHOP)).toBeNull();
    expect(opened(token(), SHOP.toUpperCase())).toBeNull();
    expect(tokenFault(new Request("https://origen.example/app"), app)).toBeNull();
  });

  test.each([
    ["signature", token({}, { secret: "another" })],
    ["signature", `${token().slice(0, -2)}AA`],
    ["malformed", "x"],
    ["malformed", "a.b.c"],
    ["malformed", `${token()}.x`],
    ["malformed", token({}, { head: { alg: "none" } })],
    ["malformed", token({ exp: "soon" })],
    ["malformed", token({ iss: undefined })],
    ["audience", token({ aud: "another-app" })],
    ["issuer", token({ iss: "https://another.myshopify.com/admin" })],
    ["issuer", token({ iss: `http://${SHOP}/admin` })],
    ["issuer", token({ dest: "https://evil.example", iss: "https://evil.example/admin" })],
    ["not_yet", token({ nbf: nowSeconds + 11 })],
    ["expired", token({ exp: nowSeconds - 11 })],
  ] as const)("is refused: %s", (why, text) => {
    expect(asked(text)).toBe(why);
  });

  test("may be ten seconds off, as with Shopify's package", () => {
    expect(asked(token({ nbf: nowSeconds + 9, exp: nowSeconds + 60 }))).toBeNull();
    expect(asked(token({ exp: nowSeconds - 9 }))).toBeNull();
  });

  test("is looked at however the header spells it, for so does Shopify's package", () => {
    const foreign = token({ iss: "https://another.myshopify.com/admin" });
    const headers = { Authorization: foreign };
    expect(tokenFault(new Request("https://origen.example/app", { headers }), app)).toBe("issuer");
  });

  test("of one shop opens no address of another", () => {
    expect(opened(token(), "another.myshopify.com")).toBe("another_shop");
  });
});
