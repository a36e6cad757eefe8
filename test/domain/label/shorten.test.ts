import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { shortened, shorterFields } from "../../../app/domain/label/shorten.ts";

/** What is offered where a line is too long for a label. */

describe("a shorter form", () => {
  test.each([
    ["Avenida Insurgentes Sur 1234", "Av. Insurgentes Sur 1234"],
    ["AVENIDA 16 DE SEPTIEMBRE", "Av. 16 DE SEPTIEMBRE"],
    ["Boulevard Adolfo López Mateos Poniente", "Blvd. Adolfo López Mateos Pte."],
    ["Prolongación Avenida Hidalgo", "Prol. Av. Hidalgo"],
    ["Calle 60", "C. 60"],
    ["Kilómetro 12.5 Carretera Mérida-Progreso", "Km 12.5 Carr. Mérida-Progreso"],
    ["Parque Industrial Norte, Manzana 3 Lote 5", "Parque Ind. Nte., Mz. 3 Lt. 5"],
    ["Junto a la farmacia, Colonia Centro, esquina con Morelos", "Junto a la farmacia, Col. Centro, Esq. con Morelos"],
    ["Calle Doctor Vértiz", "C. Dr. Vértiz"],
  ])("%s → %s", (text, short) => expect(shortened(text)).toBe(short));

  test.each([
    ["a name that is a direction", "Avenida Norte 45", "Av. Norte 45"],
    ["a name that is a kind", "Calle Privada", "C. Privada"],
    ["a name that is an adjective", "Calle Industrial", "C. Industrial"],
    ["a word alone", "Avenida", "Avenida"],
    ["letters with digits", "Calle2 Avenida5 100", "Calle2 Avenida5 100"],
    ["what is short", "Av. Juárez 5, Col. Centro", "Av. Juárez 5, Col. Centro"],
    ["a point that stands there", "Avenida. Juárez", "Av. Juárez"],
    ["accents of two characters", "Prolongacio\u0301n Hidalgo", "Prol. Hidalgo"],
    ["nothing", "", ""],
  ])("keeps %s", (_what, text, short) => expect(shortened(text)).toBe(short));

  test("is offered for the fields that have one, and for no other", () => {
    const address = { name: "Calle Ocho SA", street1: "Avenida Juárez", apartment_number: "Local 3", reference: null };
    expect(shorterFields(address)).toEqual({ street1: "Av. Juárez" });
    expect(shorterFields({ street_number: "Manzana 3 Lote 5" })).toEqual({ street_number: "Mz. 3 Lt. 5" });
  });
});

describe("whatever is typed, a shorter form", () => {
  const words = fc.constantFrom(
    ..."Avenida avenida Calle Colonia Número Norte Oriente Industrial Kilómetro Manzana Privada Juárez de la 60 12-B S/N 5.5 # , . - Av. Col. Pte."
      .split(" ")
      .concat(["Prolongacio\u0301n", "😀", "\u2060"]),
  );
  const spaces = fc.constantFrom(" ", "  ", ".", ", ", "-", "");
  const line = fc
    .array(fc.tuple(words, spaces), { maxLength: 14 })
    .map((parts) => parts.map(([word, space]) => word + space).join(""));
  const text = fc.oneof(line, fc.string({ unit: "grapheme" }));
  const runs = { numRuns: 5_000 };

  test("is shortened once", () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(shortened(shortened(one))).toBe(shortened(one));
      }),
      runs,
    );
  });

  test("keeps every digit, in order", () => {
    const digits = (one: string) => one.match(/\p{N}/gu) ?? [];
    fc.assert(
      fc.property(text, (one) => {
        expect(digits(shortened(one))).toEqual(digits(one));
      }),
      runs,
    );
  });

  test("is never longer", () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(shortened(one).length).toBeLessThanOrEqual(one.length);
      }),
      runs,
    );
  });

  test("leaves nothing empty that was not", () => {
    fc.assert(
      fc.property(text, (one) => {
        expect(shortened(one) === "").toBe(one === "");
      }),
      runs,
    );
  });
});
