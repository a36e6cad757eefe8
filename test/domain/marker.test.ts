import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { aliasWithMarker, keepingMarker, markerIn, markerOf, withoutMarker } from "../../app/domain/marker.ts";

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
