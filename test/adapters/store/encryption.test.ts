import { inspect } from "node:util";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decrypt, encrypt, parseKeys } from "../../../app/adapters/store/encryption.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { appKeys } from "./open-store.ts";

const PLACE = { model: "Connection", field: "clientSecret", shop: "one.myshopify.com", row: "connection-1" };
const KEYRING = parseKeys(appKeys("k1"));

describe("a secret at rest", () => {
  test("comes back as it was, whatever it holds", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(decrypt(KEYRING, encrypt(KEYRING, new Secret(text), PLACE), PLACE).reveal()).toBe(text);
      }),
    );
  });

  test("is written as v1.<key id>.<iv>.<ciphertext and tag>, never twice the same", () => {
    const once = encrypt(KEYRING, new Secret("abc"), PLACE);
    expect(once).toMatch(/^v1\.k1\.[\w-]{16}\.[\w-]{26}$/);
    expect(encrypt(KEYRING, new Secret("abc"), PLACE)).not.toBe(once);
  });

  test.each([
    ["another model", { model: "Session" }],
    ["another field", { field: "accessToken" }],
    ["another shop", { shop: "two.myshopify.com" }],
    ["another row", { row: "connection-2" }],
    ["a shop and row that read alike when joined", { shop: "one.myshopify.com,connection", row: "1" }],
  ])("does not open in %s", (_where, over) => {
    const text = encrypt(KEYRING, new Secret("abc"), PLACE);
    expect(() => decrypt(KEYRING, text, { ...PLACE, ...over })).toThrow(/does not decrypt: altered, moved/);
  });

  test("does not open when any character of it is changed", () => {
    const text = encrypt(KEYRING, new Secret("abc"), PLACE);
    for (let index = 0; index < text.length; index += 1) {
      const other = /[A-Za-f]/.test(text[index]!) ? "z" : "A"; // differs in the highest of its six bits
      expect(() => decrypt(KEYRING, text.slice(0, index) + other + text.slice(index + 1), PLACE)).toThrow(
        /does not decrypt/,
      );
    }
  });

  test.each(["", "plain", "v1.k1", "v1.k1..", "v1.k1.AAAA.AAAA", "v2.k1.a.b"])("%j is no secret", (text) => {
    expect(() => decrypt(KEYRING, text, PLACE)).toThrow(/does not decrypt/);
  });

  test.each([".more", "!", " ", "\n", "=", "A", "A".repeat(4)])("does not open with %j behind it", (more) => {
    const text = encrypt(KEYRING, new Secret("abc"), PLACE);
    expect(() => decrypt(KEYRING, text + more, PLACE)).toThrow(/does not decrypt/);
    expect(() => decrypt(KEYRING, text.replace(/\.(?=[^.]*$)/, `${more}.`), PLACE)).toThrow(/does not decrypt/);
  });

  test("is encrypted with the first key and opened with any", () => {
    const older = encrypt(parseKeys(appKeys("k1")), new Secret("abc"), PLACE);
    const both = parseKeys(appKeys("k2", "k1"));
    expect(decrypt(both, older, PLACE).reveal()).toBe("abc");
    expect(encrypt(both, new Secret("abc"), PLACE)).toMatch(/^v1\.k2\./);
    expect(() => decrypt(parseKeys(appKeys("k2")), older, PLACE)).toThrow("its key k1 is not in APP_KEYS");
  });
});

describe("APP_KEYS", () => {
  const key = Buffer.alloc(32, "origen").toString("base64");
  test.each([
    [undefined, /^APP_KEYS is missing\. Set it to .* openssl rand -base64 32$/],
    ["", /^APP_KEYS is missing/],
    [" , ", /^APP_KEYS is missing/],
    [key, /^APP_KEYS is not readable at its key no\. 1/],
    [`k1:${key},`, /^APP_KEYS is not readable at its key no\. 2/],
    [`K1:${key}`, /^APP_KEYS is not readable at its key no\. 1/],
    [`k.1:${key}`, /^APP_KEYS is not readable/],
    [`k1:${key.slice(0, 20)}`, /^APP_KEYS has 15 bytes in the key k1, and needs 32/],
    ["k1:", /^APP_KEYS has 0 bytes in the key k1/],
    [`k1:${Buffer.alloc(33).toString("base64")}`, /^APP_KEYS has 33 bytes/],
    [`k1:${Buffer.alloc(32).toString("base64")}`, /^APP_KEYS has one byte again and again in the key k1/],
    [`k1:${key},k1:${key}`, /^APP_KEYS names the key k1 twice/],
  ])("%j is refused with a cure and without the key", (text, message) => {
    expect(() => parseKeys(text)).toThrow(message);
    expect(() => parseKeys(text)).not.toThrow(key);
  });

  test("the ring of keys prints no key", () => {
    const ring = parseKeys(`k1:${key}`);
    expect(inspect(ring, { depth: 9, showHidden: true }) + JSON.stringify(ring)).not.toContain(key.slice(0, 10));
  });
});
