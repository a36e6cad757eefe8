import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { TypedAddress } from "../../../app/domain/label/lines.ts";
import { warningsOf } from "../../../app/domain/label/warnings.ts";

/** What an address is warned of, while it is typed. */

const GOOD: TypedAddress = {
  name: "Ana Pérez",
  company: "Taller Ñandú",
  street1: "Avenida 16 de Septiembre",
  street_number: "S/N",
  apartment_number: "2º piso",
  area_level3: "Centro",
  postal_code: "44100",
  area_level2: "Guadalajara",
  area_level1: "Jalisco",
  country_code: "MX",
  reference: "Portón azul, junto a la farmacia",
  email: "ana@tienda.example",
  phone: "33 3615 0000",
  rfc: "GODE561231GR8",
};

const said = (over: TypedAddress) =>
  warningsOf({ ...GOOD, ...over }).map(({ field, code, shown }) => [field, code, shown].filter(Boolean).join(" "));

describe("a warning", () => {
  test("is not made of a good address", () => expect(warningsOf(GOOD)).toEqual([]));

  test.each<[string, TypedAddress, string[]]>([
    ["an emoji", { company: "Flores 🌸" }, ["company unprintable 🌸"]],
    ["letters of another script", { reference: "Дом у 公园 azul" }, ["reference unprintable Д о м у 公"]],
    ["signs of a word processor", { reference: "Portón “azul” — centro" }, ["reference unprintable “ ” —"]],
    ["what cannot be seen", { street1: "Avenida\u200bHidalgo" }, ["street1 unprintable U+200B"]],
    ["a contact of one word", { name: "Ana" }, ["name one_word_name"]],
    ["the RFC of the public", { rfc: "xaxx-010101-000" }, ["rfc rfc_public"]],
    ["the RFC of foreigners", { rfc: "XEXX010101000" }, ["rfc rfc_foreign"]],
    [
      "a number in the street alone",
      { street1: "Av. Juárez 120", street_number: "" },
      ["street_number number_in_street 120"],
    ],
    ["no number anywhere", { street1: "Av. Juárez", street_number: null }, ["street_number no_number"]],
    ["a street whose name is a number", { street1: "Calle 60", street_number: "" }, ["street_number no_number"]],
    ["a phone abroad", { phone: "+1 212 555 0100" }, ["phone phone_abroad"]],
    ["a phone abroad, as dialled", { phone: "00 34 911 234 567" }, ["phone phone_abroad"]],
  ])("is made of %s", (_what, over, warnings) => expect(said(over)).toEqual(warnings));

  test.each([
    "S/N",
    ".",
    "-",
    "sin referencia",
    "Sin Referencias",
    "N/A",
    "ninguna",
    "x",
    "no aplica",
    "😀",
    "XXXX",
    "0",
    "ninguna referencia",
    "No tiene referencias",
  ])("is made of a reference like %s", (reference) =>
    expect(said({ reference })).toContain(`reference empty_reference ${reference}`),
  );

  test.each<TypedAddress>([
    { reference: "Sin portón, casa azul" },
    { reference: "Casa A" },
    { phone: "+52 33 3615 0000" },
    { phone: "0052 33 3615 0000" },
    { phone: "" },
    { name: "" },
    { reference: "" },
    { street1: "", street_number: "" },
    { name: "Ana-María" },
  ])("is not made of %j", (over) => expect(said(over)).toEqual([]));

  test("judges only what is given: a shop's contact has no street", () => {
    expect(warningsOf({ name: "Ana Pérez", phone: "3336150000" })).toEqual([]);
    expect(warningsOf({ name: "Ana" })).toEqual([{ field: "name", code: "one_word_name", shown: "" }]);
  });

  test("applies Mexico's rules to Mexico", () => {
    const abroad = { country_code: "US", phone: "+1 212 555 0100", street1: "Fifth Avenue", street_number: "" };
    expect(said({ ...abroad, rfc: "XAXX010101000" })).toEqual([]);
    expect(said({ country_code: "US", name: "Ana" })).toEqual(["name one_word_name"]);
  });

  test("is made at most twice of a field, whatever is typed, and the same each time", () => {
    const address = fc.record(
      Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, fc.option(fc.string({ unit: "grapheme" }))])),
      { requiredKeys: [] },
    ) as fc.Arbitrary<TypedAddress>;
    fc.assert(
      fc.property(address, (one) => {
        const warnings = warningsOf(one);
        expect(warningsOf(one)).toEqual(warnings);
        for (const { field } of warnings) {
          expect(warnings.filter((other) => other.field === field).length).toBeLessThanOrEqual(2);
        }
      }),
      { numRuns: 3_000 },
    );
  });
});
