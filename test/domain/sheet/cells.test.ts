import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { guarded, lostItsZeros, spoiltBy, unguarded } from "../../../app/domain/sheet/cells.ts";

describe("a value as a cell", () => {
  test.each([
    ["=HYPERLINK(A1)", "'=HYPERLINK(A1)"],
    ["+525512345678", "'+525512345678"],
    ["-1", "'-1"],
    ["@SUM(A1)", "'@SUM(A1)"],
    [" =1+1", "' =1+1"],
    ["＝1+1", "'＝1+1"],
    ["\t=1", "'\t'=1"],
    ["'quoted", "''quoted"],
    ["06700", "'06700"],
    ["525512345678", "'525512345678"],
    ["12E5", "'12E5"],
    ["12-3", "'12-3"],
    ["3/4", "'3/4"],
    ["5 mayo", "'5 mayo"],
    ["5 de Mayo", "'5 de Mayo"],
    ["16 de septiembre de 1810", "'16 de septiembre de 1810"],
    ["mar-12", "'mar-12"],
    ["2026-11-24", "'2026-11-24"],
    ["1 A", "'1 A"],
    ["12 p", "'12 p"],
    ["5 PM", "'5 PM"],
    ["10:30", "'10:30"],
    ["1:30 p. m.", "'1:30 p. m."],
  ])("%j is kept from a spreadsheet as %j", (value, cell) => {
    expect(guarded(value)).toBe(cell);
  });

  // Where a semicolon parts cells, one in a value begins another cell, and so does the end of its line.
  test.each([
    ["Bodega;=1+1", "Bodega;'=1+1"],
    ["Bodega; +1", "Bodega; '+1"],
    ['Bodega;"=1', "Bodega;\"'=1"],
    ["Bodega;'=1", "Bodega;''=1"],
    ["Bodega\n@SUM(A1)", "Bodega\n'@SUM(A1)"],
    ["Bodega\t=1;;-2", "Bodega\t'=1;;'-2"],
    ["=1;=2", "'=1;'=2"],
  ])("%j begins no formula in a cell of its own: %j", (value, cell) => {
    expect(guarded(value)).toBe(cell);
    expect(unguarded(cell)).toBe(value);
  });

  test.each([
    "103",
    "Puerta 3; timbre",
    "Av. Vallarta",
    "76800",
    "12-B",
    "1-A",
    "1 B",
    "103 A",
    "Marzo y Abril",
    "1o de Mayo",
    "5 de Mayo 10300",
    "gid://shopify/Location/1",
    "",
  ])("%j needs no guard", (value) => {
    expect(guarded(value)).toBe(value);
  });

  test("comes back as it was, whatever it is", () => {
    const tidy = fc.string({ unit: "grapheme" }).map((text) => text.trim());
    const risky = fc
      .tuple(fc.constantFrom("'", "''", "=", "+", "-", "@", "0", "12/"), tidy)
      .map((parts) => parts.join(""));
    const parted = fc
      .array(fc.constantFrom(";", "=", "'", '"', " ", "\n", "\t", "a", "-", "0"), { maxLength: 12 })
      .map((parts) => parts.join("").trim());
    fc.assert(
      fc.property(fc.oneof(tidy, risky, parted), (value) => {
        expect(unguarded(guarded(value))).toBe(value);
      }),
    );
  });

  test("no value begins a formula", () => {
    const begin = fc.constantFrom("=", "+", "-", "@", "\t=", "\r=", "\n=", " =", "＝", "|", "%");
    fc.assert(
      fc.property(begin, fc.string(), (first, rest) => {
        expect(guarded(first + rest)).toMatch(/^'/);
      }),
    );
  });
});

describe("what a spreadsheet spoilt", () => {
  test.each([
    ["5.5E+11", "number"],
    ["5,25512E+11", "number"],
    ["1E+10", "number"],
    ["12-mar", "date"],
    ["03-dic", "date"],
    ["Mar-12", "date"],
    ["12/03/2026", "date"],
    ["2026-03-12 00:00:00", "date"],
    ["01:00 a. m.", "time"],
    ["1:00 AM", "time"],
    ["13:00:00", "time"],
    ["#REF!", "formula_error"],
    ["#¡VALOR!", "formula_error"],
    ["#N/A", "formula_error"],
    ["########", "formula_error"],
  ] as const)("%j is a spoilt %s", (cell, what) => {
    expect(spoiltBy(cell)).toBe(what);
  });

  test.each(["", "12-3", "12 de marzo", "Casa 5", "5512345678", "#12", "'5.5E+11", "E-11", "3E"])(
    "%j is as it was written",
    (cell) => {
      expect(spoiltBy(cell)).toBeNull();
    },
  );

  test("zeros in front are missed only where they stood", () => {
    expect(lostItsZeros("6700", "06700")).toBe(true);
    expect(lostItsZeros("670", "00670")).toBe(true);
    expect(lostItsZeros("06700", "06700")).toBe(false);
    expect(lostItsZeros("6701", "06700")).toBe(false);
    expect(lostItsZeros("6700", "16700")).toBe(false);
    expect(lostItsZeros("", "00")).toBe(false);
  });
});
