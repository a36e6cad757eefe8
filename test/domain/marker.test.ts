import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  aliasWithMarker,
  isShortFormOf,
  keepingMarker,
  markerIn,
  markerOf,
  shortenedTo,
  withoutMarker,
} from "../../app/domain/marker.ts";

const SHOP = "one.myshopify.com";
const gid = (number: number) => `gid://shopify/Location/${number}`;

describe("a marker", () => {
  test("is the same for ever: accounts hold it", () => {
    expect(markerOf(SHOP, gid(1))).toBe("B7EEKZ77");
    expect(markerOf(SHOP, gid(2))).toBe("MXNMC385");
  });

  test("differs between locations and between shops", () => {
    const markers = new Set<string>();
    for (let number = 0; number < 20_000; number += 1) markers.add(markerOf(SHOP, gid(number)));
    for (let number = 0; number < 20_000; number += 1) markers.add(markerOf("two.myshopify.com", gid(number)));
    expect(markers.size).toBe(40_000);
  });

  test("is found in any alias that carries it, and nowhere else", () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.nat(), (pattern, name, number) => {
        const marker = markerOf(SHOP, gid(number));
        expect(markerIn(aliasWithMarker(pattern, name, marker))).toBe(marker);
        expect(markerIn(withoutMarker(aliasWithMarker(pattern, name, marker)))).toBeNull();
      }),
    );
  });
});

describe("an alias", () => {
  test.each([
    ["{name}", "Bodega Norte", "Bodega Norte [OR-B7EEKZ77]"],
    ["Origen · {name}", "Bodega Norte", "Origen · Bodega Norte [OR-B7EEKZ77]"],
    ["", "Bodega Norte", "Bodega Norte [OR-B7EEKZ77]"],
    ["{name}", "Copia [OR-MXNMC385]", "Copia [OR-B7EEKZ77]"],
    ["{name}", "  dos   espacios ", "dos espacios [OR-B7EEKZ77]"],
    ["{name}", "", "[OR-B7EEKZ77]"],
  ])("from pattern %j and name %j is %j", (pattern, name, alias) => {
    expect(aliasWithMarker(pattern, name, "B7EEKZ77")).toBe(alias);
  });

  test.each([
    ["Otra", "Bodega [OR-B7EEKZ77]", "Otra [OR-B7EEKZ77]"],
    ["Otra [OR-MXNMC385]", "Bodega [OR-B7EEKZ77]", "Otra [OR-B7EEKZ77]"],
    ["Copia [OR-MXNMC385]", "A mano", "Copia"],
  ])("edited to %j over %j stays %j", (alias, before, kept) => {
    expect(keepingMarker(alias, before)).toBe(kept);
  });
});

describe("an alias within so many characters", () => {
  test("keeps the marker wherever there is room for it, whatever the words", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.integer({ min: 13, max: 60 }), (name, limit) => {
        const alias = aliasWithMarker("{name}", name, "B7EEKZ77", limit);
        expect([...alias].length).toBeLessThanOrEqual(limit);
        expect(markerIn(alias)).toBe("B7EEKZ77");
        const whole = aliasWithMarker("{name}", name, "B7EEKZ77");
        expect(alias === whole || isShortFormOf(alias, whole)).toBe(true);
      }),
    );
  });

  test.each([
    [40, "Bodega Norte de Guadalajar [OR-B7EEKZ77]"],
    [30, "Bodega Norte de [OR-B7EEKZ77]"],
    [20, "Bodega [OR-B7EEKZ77]"],
    [13, "[OR-B7EEKZ77]"],
    [12, "Bodega Norte"],
  ])("of %i is %j", (limit, alias) => {
    expect(aliasWithMarker("{name}", "Bodega Norte de Guadalajara", "B7EEKZ77", limit)).toBe(alias);
  });

  test("edited by hand keeps its marker, too", () => {
    expect(keepingMarker("Otro nombre muy largo", "Bodega [OR-B7EEKZ77]", 20)).toBe("Otro n [OR-B7EEKZ77]");
  });
});

describe("what the service kept of an alias", () => {
  const said = "Bodega Norte [OR-B7EEKZ77]";
  test.each([
    ["all of it", said, null],
    ["its beginning", "Bodega Norte [OR-B7E", 20],
    ["its beginning, without the last space", "Bodega", 6],
    ["its beginning and dots", "Bodega Nor...", 13],
    ["its beginning in capitals", "BODEGA NORTE", 12],
    ["something else", "Bodega Sur", null],
    ["nothing", "", null],
  ])("%s", (_name, kept, limit) => {
    expect(shortenedTo(said, kept)).toBe(limit);
  });

  test.each([
    ["Bodega [OR-B7EEKZ77]", true],
    ["Bodega Nor [OR-B7EEKZ77]", true],
    [said, false],
    ["Bodega [OR-MXNMC385]", false],
    ["Norte [OR-B7EEKZ77]", false],
    ["Bodega Norte", false],
  ])("%j is its short form: %s", (alias, expected) => {
    expect(isShortFormOf(alias, said)).toBe(expected);
  });
});
