import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { carriersAt, PUBLISHED_LIMITS, WIDTHS, withoutLimits } from "../../../app/domain/label/limits.ts";
import { cutAt, lengthOf, lineOf, losesNumber } from "../../../app/domain/label/lines.ts";
import { carrierName } from "../../../app/domain/verification/carriers.ts";

/** An address as a label shows it. */

describe("a line of a label", () => {
  const address = { name: " Ana  Pérez ", street1: "Av. Juárez", street_number: "12-B", apartment_number: "Piso 2" };

  test("joins street and numbers, and leaves out what is empty", () => {
    expect(lineOf("street", address)).toBe("Av. Juárez 12-B Piso 2");
    expect(lineOf("street", { ...address, street_number: null })).toBe("Av. Juárez Piso 2");
    expect(lineOf("name", address)).toBe("Ana Pérez");
    expect(lineOf("reference", address)).toBe("");
  });

  test("is cut where it is longer than the width, and nowhere else", () => {
    expect(cutAt("x".repeat(30), 30)).toBeNull();
    expect(cutAt("x".repeat(30) + "yz", 30)).toEqual({ width: 30, kept: "x".repeat(30), lost: "yz" });
  });

  test("counts characters, not bytes", () => {
    expect(lengthOf("Peñón 😀")).toBe(7);
    expect(lengthOf("Pen\u0303o\u0301n")).toBe(5);
  });

  test("loses its number where the cut comes before the number's end", () => {
    const cut = (width: number) => cutAt(lineOf("street", address), width)!;
    expect([10, 13, 14, 15, 16].map((width) => losesNumber(cut(width), address))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(losesNumber(cut(10), { ...address, street_number: null })).toBe(false);
  });

  test("is whole in its two parts, whatever is typed", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 80 }), fc.nat(60), (text, width) => {
        const cut = cutAt(text, width);
        const line = lineOf("name", { name: text });
        if (cut === null) {
          expect(lengthOf(text)).toBeLessThanOrEqual(width);
          return;
        }
        expect(cut.kept + cut.lost).toBe(line);
        expect([...cut.kept]).toHaveLength(width);
      }),
    );
  });
});

describe("the limits that carriers publish", () => {
  test("are those of docs/labels.md, carrier by carrier", () => {
    const rows = readFileSync("docs/labels.md", "utf8").split("\n");
    for (const { carrier, limits } of PUBLISHED_LIMITS) {
      const cells = rows.find((row) => row.startsWith(`| ${carrierName(carrier)} |`))?.split("|");
      const written = cells?.slice(2, 5).map((cell) => Number.parseInt(cell, 10) || null);
      expect(written, carrier).toEqual([limits.name, limits.street, limits.reference]);
    }
  });

  test("are among the widths shown, as far as they are of a street", () => {
    for (const { limits } of PUBLISHED_LIMITS) expect(WIDTHS).toContain(limits.street);
    expect(carriersAt("street", 35)).toEqual(["fedex", "ups"]);
  });

  test("are unknown for every other carrier", () => {
    expect(withoutLimits(["dhl", "estafeta", "paquetexpress"])).toEqual(["estafeta", "paquetexpress"]);
  });
});
