import { describe, expect, test } from "vitest";
import { isAdminAddress } from "../../app/http/admin-address.ts";

const appUrl = "https://origen.example";
const SHOP = "taller-copal.myshopify.com";
const base64 = (text: string) => Buffer.from(text, "latin1").toString("base64");

const isFine = (said: Record<string, string> | [string, string][]) =>
  isAdminAddress(new URL(`/auth/exit-iframe?${String(new URLSearchParams(said))}`, appUrl), { appUrl });

describe("an address that the admin makes", () => {
  test.each([
    {},
    { shop: SHOP },
    { shop: SHOP.toUpperCase(), host: base64("admin.shopify.com/store/taller-copal") },
    { host: base64(`${SHOP}/admin`) },
    { exitIframe: "/auth?shop=x" },
    { exitIframe: `${appUrl}/app/settings` },
    { exitIframe: "https://admin.shopify.com/store/taller-copal/charges/1" },
    { shop: SHOP, exitIframe: `https://${SHOP}/admin/charges/1` },
    { "shopify-reload": `${appUrl}/app/origins?embedded=1&shop=${SHOP}` },
  ])("is fine: %j", (said) => {
    expect(isFine(said as Record<string, string>)).toBe(true);
  });
});

describe("an address that no admin makes", () => {
  const notShops = [
    "evil.com",
    "*",
    "x.myshopify.com; script-src *",
    `${SHOP}\r\nSet-Cookie: a=b`,
    `${SHOP}\n`,
    "",
    "x",
  ];
  test.each(notShops)("names no shop: %j", (shop) => {
    expect(isFine({ shop })).toBe(false);
  });

  test.each([
    "",
    "not Base64",
    base64("evil.example"),
    base64("admin.shopify.com@evil.example"),
    base64("admin.shopify.com:8443/store/x"),
    base64("admin.shopify.com/store/x\r\nSet-Cookie: a=b"),
    base64("admin.shopify.com\n"),
    base64("admin.shopify.com.evil.example/store/x"),
    base64("admin.shop\u0000ify.com"),
    `${base64("admin.shopify.com/store/x")}\n`,
  ])("names no place in the admin: %j", (host) => {
    expect(isFine({ shop: SHOP, host })).toBe(false);
  });

  const elsewhere = [
    "",
    "https://evil.example/",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    " https://origen.example/",
    "/app /settings",
    "/app\n",
    "/app\r\nSet-Cookie: a=b",
    "https://origen.example@evil.example/",
    "https://owner@origen.example/",
    "https://origen.example.evil.example/",
    "http://origen.example/",
    "/ap\u00edp",
  ];
  test.each(elsewhere)("leads out of the frame to %j", (exitIframe) => {
    expect(isFine({ shop: SHOP, exitIframe })).toBe(false);
  });
  test.each(elsewhere)("reloads %j", (target) => {
    expect(isFine({ shop: SHOP, "shopify-reload": target })).toBe(false);
  });

  test.each([
    `https://${SHOP}/`,
    `https://${SHOP}/administration`,
    "https://another.myshopify.com/admin/charges/1",
    `http://${SHOP}/admin/x`,
    `https://${SHOP}:8443/admin/x`,
    `https://${SHOP}/admin/../pages/x`,
    "https://admin.shopify.com:8443/",
    "http://admin.shopify.com/",
    "https://admin.shopify.com//evil.example",
    "https:///admin.shopify.com/",
    `${appUrl}//evil.example`,
  ])("leads out of the frame of this shop to %j", (exitIframe) => {
    expect(isFine({ shop: SHOP, exitIframe })).toBe(false);
  });

  test("leads to a shop's admin without naming the shop", () => {
    expect(isFine({ exitIframe: `https://${SHOP}/admin/charges/1` })).toBe(false);
  });

  test.each(["https://admin.shopify.com/store/x", `https://${SHOP}/admin/x`])("reloads %s", (target) => {
    expect(isFine({ shop: SHOP, "shopify-reload": target })).toBe(false);
  });

  test("says one thing twice", () => {
    expect(
      isFine([
        ["shop", SHOP],
        ["shop", "evil.com"],
      ]),
    ).toBe(false);
    expect(
      isFine([
        ["exitIframe", "/app"],
        ["exitIframe", "https://evil.example"],
      ]),
    ).toBe(false);
  });
});
