import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { canonicalAddress, differsForThem, likelySame, placeOf } from "../../../app/domain/address/compare.ts";
import { WORD_JOINER } from "../../../app/domain/address/fold.ts";
import { ADDRESS_FIELDS, NO_ADDRESS } from "../../../app/domain/address/address.ts";
import type { AddressAttributes } from "../../../app/domain/address/address.ts";

const ORIGIN: AddressAttributes = {
  ...NO_ADDRESS,
  name: "Bodega Norte",
  company: "Tienda Azul",
  street1: "Av. Álvaro Obregón",
  street_number: "151",
  apartment_number: "4B",
  postal_code: "06700",
  area_level1: "Ciudad de México",
  area_level2: "Cuauhtémoc",
  area_level3: "Roma Norte",
  country_code: "MX",
  phone: "5555536266",
  email: "ana@tienda.example",
  reference: "Portón verde",
  rfc: "XAXX010101000",
};

const field = fc.constantFrom(...ADDRESS_FIELDS);
/** The same words with the white space, joiners and Unicode form a service may give back. */
const respaced = (text: string, noise: number[]): string =>
  text
    .split(/\s+/u)
    .map((word, index) => word + ["", WORD_JOINER, " ", "\u00a0", "\t"][noise[index % noise.length]! % 5]!)
    .join(" ")
    .normalize("NFD");

describe("whether they differ", () => {
  it("no field differs from itself, however it was spaced", () => {
    const words = fc.array(fc.constantFrom("Av.", "Álvaro", "Obregón", "151", "Roma", "Norte", "&", "“G”"), {
      minLength: 1,
    });
    fc.assert(
      fc.property(field, words, fc.array(fc.nat(), { minLength: 1 }), (of, said, noise) => {
        const text = said.join(" ");
        expect(differsForThem(of, text, respaced(text, noise))).toBe(false);
      }),
    );
  });

  it("no value is no value in its three spellings", () => {
    for (const of of ADDRESS_FIELDS) {
      for (const nothing of ["", "  ", WORD_JOINER]) expect(differsForThem(of, null, nothing)).toBe(false);
    }
  });

  it.each([
    ["5555536266", "+52 55 5553 6266"],
    ["5555536266", "+5215555536266"],
    ["5555536266", "044 55 5553-6266"],
    ["+14155552671", "+1 (415) 555-2671"],
  ])("the phone %s is %s", (ours, theirs) => {
    expect(differsForThem("phone", ours, theirs)).toBe(false);
  });

  it("another phone differs", () => {
    expect(differsForThem("phone", "5555536266", "5555536267")).toBe(true);
    expect(differsForThem("phone", "5555536266", null)).toBe(true);
  });

  it("case and accents count, and so does any other character", () => {
    expect(differsForThem("street1", "Álvaro Obregón", "Alvaro Obregon")).toBe(true);
    expect(differsForThem("street1", "Roma", "ROMA")).toBe(true);
    expect(differsForThem("street1", "Roma", "Roma.")).toBe(true);
    expect(differsForThem("street1", "Roma Norte", "RomaNorte")).toBe(true);
  });
});

describe("adopting a template that holds the address already", () => {
  const written = (given: Partial<AddressAttributes>) => canonicalAddress({ ...ORIGIN, ...given });

  it.each([
    ["in another case, without accents", { street1: "AVENIDA ALVARO OBREGON", area_level3: "ROMA NORTE" }],
    ["with the number in the street", { street1: "Av. Álvaro Obregón #151", street_number: null }],
    [
      "with number and interior in the street",
      { street1: "Álvaro Obregón No. 151 Int. 4B", street_number: null, apartment_number: "" },
    ],
    ["with the colonia's mark", { area_level3: "Col. Roma Norte" }],
    ["with the colonia's kind", { area_level3: "Fracc. Roma Norte" }],
    ["with another person there", { name: "Luis", phone: "3336151122", email: "l@x.example", reference: null }],
    ["with the state's other name", { area_level1: "CDMX", area_level2: "Ciudad de México" }],
  ])("knows it %s", (_, given) => {
    expect(written(given)).toBe(canonicalAddress(ORIGIN));
  });

  it.each([
    ["another number", { street_number: "152" }],
    ["another interior", { apartment_number: "4C" }],
    ["another postal code", { postal_code: "06760" }],
    ["another colonia", { area_level3: "Roma Sur" }],
    ["another street", { street1: "Av. Sonora" }],
    ["another country", { country_code: "US" }],
  ])("is not misled by %s", (_, given) => {
    expect(written(given)).not.toBe(canonicalAddress(ORIGIN));
  });

  it("takes S/N, SN and no number for one", () => {
    const none = ["S/N", "s/n", "SN", "Sin número", null].map((street_number) => written({ street_number }));
    expect(new Set(none).size).toBe(1);
  });

  const likely = (a: AddressAttributes, b: AddressAttributes) => likelySame(placeOf(a), placeOf(b));

  it("finds one that is likely the same by name, street and postal code", () => {
    expect(likely(ORIGIN, { ...ORIGIN, apartment_number: null, area_level3: "Roma" })).toBe(true);
    expect(likely(ORIGIN, { ...ORIGIN, name: "tienda azul", company: null })).toBe(true);
    expect(likely(ORIGIN, { ...ORIGIN, name: "Otro", company: "Otra" })).toBe(false);
    expect(likely(ORIGIN, { ...ORIGIN, street1: "Durango" })).toBe(false);
    expect(likely(ORIGIN, { ...ORIGIN, postal_code: "06760" })).toBe(false);
    expect(likely({ ...ORIGIN, postal_code: null }, { ...ORIGIN, postal_code: null })).toBe(false);
  });
});
