import { describe, expect, it } from "vitest";

import { tooLong, validateAddress } from "../../../app/domain/address/validate.ts";
import { ADDRESS_FIELDS, NO_ADDRESS } from "../../../app/domain/address/address.ts";
import type { AddressAttributes, AddressField } from "../../../app/domain/address/address.ts";

const GOOD: AddressAttributes = {
  ...NO_ADDRESS,
  name: "Ana Ruiz",
  company: null,
  street1: "Av. Álvaro Obregón",
  street_number: "151",
  apartment_number: null,
  postal_code: "06700",
  area_level1: "Ciudad de México",
  area_level2: "Cuauhtémoc",
  area_level3: "Roma Norte",
  country_code: "MX",
  phone: "5555536266",
  email: "ana@tienda.example",
  reference: "Portón verde",
  rfc: null,
};

const codes = (given: Partial<AddressAttributes>) =>
  validateAddress({ ...GOOD, ...given }).map(({ field, code, severity }) => `${severity} ${field} ${code}`);

describe("what a person wrote", () => {
  it("may have 255 characters, a reference 500, white space at its ends not counted", () => {
    const said = { street1: ` ${"a".repeat(255)} `, reference: "b".repeat(500), company: "c".repeat(256), rfc: null };
    expect(tooLong(said)).toEqual([{ field: "company", code: "too_long", severity: "error" }]);
    expect(tooLong({ reference: "b".repeat(501) })).toMatchObject([{ field: "reference" }]);
  });
});

describe("an address before a call is spent on it", () => {
  it("has nothing wrong when it is whole", () => {
    expect(codes({})).toEqual([]);
  });

  it.each([
    "name",
    "street1",
    "postal_code",
    "area_level1",
    "area_level2",
    "area_level3",
    "phone",
    "email",
    "reference",
  ] as const)("cannot go to Mexico without %s", (field) => {
    for (const value of [null, "", "  "]) expect(codes({ [field]: value })).toEqual([`error ${field} missing`]);
  });

  it("asks elsewhere only for what the service never leaves null", () => {
    const empty = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, null])) as AddressAttributes;
    const missing = validateAddress({ ...empty, country_code: "US" }).map(({ field }) => field);
    const asked: AddressField[] = ["name", "street1", "postal_code", "area_level1", "area_level2", "phone", "email"];
    expect(missing).toEqual(asked);
  });

  it("needs a country", () => {
    expect(codes({ country_code: null })).toContain("error country_code missing");
    expect(codes({ country_code: "Mexico" })).toContain("error country_code country_code_format");
  });

  it.each([
    ["6700", "postal_code_format"],
    ["067000", "postal_code_format"],
    ["44100", "postal_code_state"],
    ["ABCDE", "postal_code_format"],
  ])("refuses the postal code %s in Mexico City: %s", (postal_code, code) => {
    expect(codes({ postal_code })).toEqual([`error postal_code ${code}`]);
  });

  it("judges no postal code of another country", () => {
    expect(
      codes({ country_code: "CA", postal_code: "K1A 0B1", area_level1: "Ontario", phone: "+16135550123" }),
    ).toEqual([]);
  });

  it.each([
    "ana",
    "ana@",
    "@tienda.example",
    "ana@tienda",
    "ana ruiz@tienda.example",
    "ana..r@tienda.example",
    "a@b@c.example",
  ])("refuses the e-mail %s", (email) => {
    expect(codes({ email })).toEqual(["error email email_format"]);
  });

  it.each(["ana@tienda.example", "ana.ruiz+envios@mi-tienda.com.mx", "ventas@niño.example"])(
    "takes the e-mail %s",
    (email) => {
      expect(codes({ email })).toEqual([]);
    },
  );

  it("refuses a phone that is none", () => {
    expect(codes({ phone: "12345" })).toEqual(["error phone phone_format"]);
  });

  it("refuses an RFC by its pattern and only warns of its check digit", () => {
    expect(codes({ rfc: "ABC" })).toEqual(["error rfc rfc_format"]);
    expect(codes({ rfc: "GODE561231GR9" })).toEqual(["warning rfc rfc_check_digit"]);
    expect(codes({ rfc: "XAXX010101000" })).toEqual([]);
    expect(codes({ rfc: "XEXX010101000" })).toEqual([]);
  });
});
