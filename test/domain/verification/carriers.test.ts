import { describe, expect, test } from "vitest";
import { carrierKey, carrierName } from "../../../app/domain/verification/carriers.ts";
import { meaningOf, DEFAULT_VERIFICATION_WORDS } from "../../../app/domain/verification/verification.ts";
import { shopInBody } from "../../../app/shop/webhook-shop.ts";
import { decodeBody } from "../../../app/adapters/shipping/content-coding.ts";

/** What every object has. As a word from outside it is a word like any other. */
const OF_EVERY_OBJECT = ["__proto__", "constructor", "toString", "hasOwnProperty", "valueOf"];

describe.each(OF_EVERY_OBJECT)("the word %s", (word) => {
  test("is a carrier's name as it stands", () => expect(carrierName(word)).toBe(word));
  test("is no known status", () => expect(meaningOf(DEFAULT_VERIFICATION_WORDS, word)).toBe("unknown"));
  test("is no topic whose body names a shop", () =>
    expect(shopInBody(word, { shop_domain: "a.myshopify.com" })).toBeNull());
  test("is no coding of a body", () =>
    expect(decodeBody(Buffer.from("abc"), { coding: word, largestBytes: 10 })).toEqual({ cutShort: "broken" }));
});

describe("a carrier's name", () => {
  test.each([
    ["FedEx", "fedex"],
    [" J&T Express ", "j&texpress"],
    ["Paquetería 9", "paquetería9"],
    ["constructor", "constructor"],
    ["a".repeat(40), "a".repeat(40)],
  ])("%j is spelled %j", (typed, key) => expect(carrierKey(typed)).toBe(key));

  test.each(["", "  ", "__proto__", "-dhl", "dhl<b>", "a/b", "{carrier}", "dhl\u0000", "\ud800", "a".repeat(41)])(
    "%j is none",
    (typed) => expect(carrierKey(typed)).toBeNull(),
  );
});
