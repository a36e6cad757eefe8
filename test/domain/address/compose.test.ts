import fc from "fast-check";
import { isDeepStrictEqual } from "node:util";
import { describe, expect, it } from "vitest";

import type { SplitField } from "../../../app/domain/address/form-fields.ts";
import { SPLIT_FIELDS } from "../../../app/domain/address/form-fields.ts";
import type { PostalFacts } from "../../../app/domain/mexico/postal-codes.ts";
import { postalFacts } from "../../fakes/postal-codes.ts";
import { composeOrigin } from "../../../app/domain/address/compose.ts";
import { WORD_JOINER } from "../../../app/domain/address/fold.ts";
import { addressText } from "../../../app/domain/address/text.ts";
import { NO_CONTACT } from "../../../app/domain/new-records.ts";
import { NO_ADDRESS } from "../../../app/domain/address/address.ts";
import type { ContactDetails, OriginDetails, ShopifyAddress } from "../../../app/domain/address/address.ts";

/**
 * How a location, its details and the shop's defaults become one address.
 *
 * Long, because it is a table of cases in the order of the rules.
 */

const LOCATION: ShopifyAddress = {
  address1: "Av. Álvaro Obregón 151 Int. 4B",
  address2: "Col. Roma Norte, Cuauhtémoc",
  city: "Ciudad de México",
  province: "Ciudad de México",
  provinceCode: "DF",
  countryCode: "MX",
  zip: "06700",
  phone: "044 55 5553 6266",
};

const SHOP: ContactDetails = {
  ...NO_CONTACT,
  name: "Ana Ruiz",
  company: "Tienda Azul",
  email: "envios@tienda.example",
  reference: "Portón verde",
};

const compose = (address: Partial<ShopifyAddress> = {}, details: OriginDetails | null = null, defaults = SHOP) =>
  composeOrigin({ address: { ...LOCATION, ...address }, postal: null, defaults, details });

const UNSURE = { address1: "Reforma 222-4", address2: "Plaza Azul, Juárez", zip: "06600" };

const splitOf = (address: ShopifyAddress, values: Partial<Record<SplitField, string | null>>): OriginDetails => ({
  contact: NO_CONTACT,
  split: {
    values: {
      street1: "Reforma",
      street_number: "222",
      apartment_number: "4",
      area_level2: "Cuauhtémoc",
      area_level3: "Juárez",
      reference: null,
      ...values,
    },
    readFrom: addressText(address),
  },
  held: null,
});

describe("an origin with the list of postal codes", () => {
  const composeWith = (postal: PostalFacts, address: Partial<ShopifyAddress> = {}) =>
    composeOrigin({ address: { ...LOCATION, ...address }, postal, defaults: SHOP, details: null });

  it("needs no confirmation of what the list has", () => {
    expect(composeWith(postalFacts()).problems).toEqual([]);
    expect(composeWith(postalFacts(), { address2: "Col. Roma Norte" }).attributes?.area_level2).toBe("Cuauhtémoc");
  });

  it("waits for a person where the municipality contradicts the code", () => {
    const { attributes, problems } = composeWith(postalFacts({ municipality: "Coyoacán" }));
    expect(attributes).toBeNull();
    expect(problems).toEqual([{ field: "area_level2", code: "unconfirmed", severity: "error" }]);
  });

  it("waits for Shopify where the state contradicts the code", () => {
    const { attributes, problems } = composeWith(postalFacts({ state: "Morelos" }));
    expect(attributes).toBeNull();
    expect(problems).toEqual([{ field: "postal_code", code: "postal_code_state", severity: "error" }]);
    const inJalisco = { province: "Jalisco", provinceCode: "JAL", city: "Cuauhtémoc" };
    const twice = composeWith(postalFacts(), inJalisco).problems.filter(({ field }) => field === "postal_code");
    expect(twice).toHaveLength(1);
  });
});

describe("an origin put together", () => {
  it("goes out whole when all of it is sure", () => {
    const { attributes, problems, splitLapsed } = compose();
    expect(problems).toEqual([]);
    expect(splitLapsed).toBe(false);
    expect(attributes).toEqual({
      ...NO_ADDRESS,
      name: "Ana Ruiz",
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
      email: "envios@tienda.example",
      reference: "Portón verde",
    });
  });

  it("does not go out while a guess waits for its owner, and says which", () => {
    const { attributes, problems, fields } = compose(UNSURE);
    expect(attributes).toBeNull();
    expect(problems.filter(({ code }) => code === "unconfirmed").map(({ field }) => field)).toContain("street_number");
    expect(fields.street_number).toEqual({ value: "222-4", source: "guess", confidence: "unsure" });
  });

  it("lists what is missing before a label can leave", () => {
    const { problems } = compose({ address2: null, city: null, phone: null }, null, NO_CONTACT);
    const missing = problems.filter(({ code }) => code === "missing").map(({ field }) => field);
    expect(missing.sort()).toEqual(["area_level3", "email", "name", "phone", "reference"].sort());
  });

  it("only warns of a number that the text does not hold", () => {
    const { attributes, problems } = compose({ address1: "Calle Morelos" });
    expect(problems).toEqual([{ field: "street_number", code: "missing", severity: "warning" }]);
    expect(attributes?.street_number).toBeNull();
  });

  it("asks outside Mexico for no colonia and no reference", () => {
    const abroad = {
      countryCode: "US",
      provinceCode: "TX",
      province: "Texas",
      city: "Laredo",
      zip: "78040",
      phone: "+1 956 722 1111",
    };
    const { attributes, problems } = compose({ ...abroad, address1: "1101 Main St", address2: "Suite 2" });
    expect(problems).toEqual([]);
    expect(attributes).toMatchObject({ street1: "1101 Main St", apartment_number: "Suite 2", area_level3: null });
  });
});

describe("contact", () => {
  const own = (contact: Partial<ContactDetails>): OriginDetails => ({
    contact: { ...NO_CONTACT, ...contact },
    split: null,
    held: null,
  });

  it("comes from the location's own details, else from the shop, field by field", () => {
    const { fields } = compose({}, own({ name: "Luis", company: "  " }));
    expect(fields.name).toEqual({ value: "Luis", source: "owner", confidence: "sure" });
    expect(fields.company).toEqual({ value: "Tienda Azul", source: "shop", confidence: "sure" });
    expect(fields.rfc).toEqual({ value: null, source: "none", confidence: "absent" });
  });

  it("takes the location's own phone, else Shopify's of the location, else the shop's", () => {
    expect(compose().fields.phone).toEqual({ value: "5555536266", source: "shopify", confidence: "sure" });
    expect(compose({}, own({ phone: "33 3615 1122" })).attributes?.phone).toBe("3336151122");
    const shop = { ...SHOP, phone: "+52 81 8345 1234" };
    expect(compose({}, null, shop).fields.phone.source).toBe("shopify");
    expect(compose({ phone: null }, null, shop).fields.phone.source).toBe("shop");
    expect(compose({ phone: "ext. 5" }, null, shop).fields.phone.source).toBe("shop");
  });

  it("keeps the streets beside in front of what people said", () => {
    const { fields, attributes } = compose({ address1: "Hidalgo 12 entre Morelos y Allende" });
    expect(attributes?.reference).toBe("entre Morelos y Allende, Portón verde");
    expect(fields.reference.source).toBe("shop");
  });

  it("writes an RFC as the tax authority does", () => {
    expect(compose({}, own({ rfc: "gode-561231-gr8" })).attributes?.rfc).toBe("GODE561231GR8");
  });

  it("stays when the address moves", () => {
    const moved = compose({ address1: "Durango 20" }, own({ name: "Luis" }));
    expect(moved.attributes?.name).toBe("Luis");
  });
});

describe("a confirmed split", () => {
  const location = { ...LOCATION, ...UNSURE };

  it("is sent as its owner said it, as long as the text is the one it was read from", () => {
    const { attributes, fields, splitLapsed } = compose(UNSURE, splitOf(location, {}));
    expect(splitLapsed).toBe(false);
    expect(attributes).toMatchObject({ street1: "Reforma", street_number: "222", apartment_number: "4" });
    expect(fields.street1.source).toBe("owner");
    expect(fields.reference).toEqual({ value: "Portón verde", source: "shop", confidence: "sure" });
  });

  it("holds when Shopify only spaces the text otherwise, and when only the phone changes", () => {
    const respaced = { ...UNSURE, address1: `Reforma ${WORD_JOINER}222-4`, phone: "55 1111 2222" };
    expect(compose(respaced, splitOf(location, {})).splitLapsed).toBe(false);
  });

  it.each(["address1", "address2", "city", "zip", "provinceCode", "countryCode"] as const)(
    "lapses when %s changes",
    (field) => {
      expect(compose({ ...UNSURE, [field]: "Otro 5" }, splitOf(location, {})).splitLapsed).toBe(true);
    },
  );

  it("needs no number when its owner said there is none", () => {
    const { problems } = compose(UNSURE, splitOf(location, { street_number: null }));
    expect(problems).toEqual([]);
  });

  it("is asked for again when it leaves out what the service needs", () => {
    const { attributes, problems } = compose(UNSURE, splitOf(location, { area_level3: null }));
    expect(attributes).toBeNull();
    expect(problems).toEqual([{ field: "area_level3", code: "missing", severity: "error" }]);
  });
});

describe("a confirmed location that moves", () => {
  const confirmed = splitOf({ ...LOCATION, ...UNSURE }, { reference: "Timbre 3" });

  it("sends the whole new address when the new text is sure", () => {
    const { attributes, splitLapsed } = compose(
      { address1: "Durango 245 Int. 3", address2: "Col. Roma Norte, Cuauhtémoc" },
      confirmed,
    );
    expect(splitLapsed).toBe(true);
    expect(attributes).toMatchObject({
      street1: "Durango",
      street_number: "245",
      apartment_number: "3",
      area_level3: "Roma Norte",
      reference: "Portón verde",
    });
  });

  it("sends nothing when the new text is unsure", () => {
    expect(compose({ ...UNSURE, address1: "Durango 245-3" }, confirmed).attributes).toBeNull();
  });

  const street = fc.constantFrom(
    "Durango 245",
    "Calle 60",
    "Reforma 5-3",
    "Mz 3 Lt 5 Calle Sol",
    "Sonora #9 Int. 2",
    "Roma 1 2 3",
    "",
  );
  const second = fc.constantFrom(
    "Col. Condesa, Cuauhtémoc",
    "Plaza Azul, Condesa",
    "Condesa",
    "",
    `2 ${WORD_JOINER}Condesa`,
  );

  it("sends the whole new address or nothing, never a mixture", () => {
    fc.assert(
      fc.property(street, second, (address1, address2) => {
        const moved = { address1, address2, zip: "06100" };
        const fresh = compose(moved);
        const { attributes, splitLapsed } = compose(moved, confirmed);
        expect(splitLapsed).toBe(true);
        expect(attributes).toEqual(fresh.attributes);
        for (const field of SPLIT_FIELDS) {
          if (attributes !== null && field !== "reference") expect(fresh.fields[field].confidence).not.toBe("unsure");
        }
      }),
    );
  });
});

describe("unchanged and changed", () => {
  const text = fc.constantFrom("Durango", "Roma", "Del Valle", "Sonora");
  const location = fc.record({ street: text, number: fc.integer({ min: 1, max: 999 }), colonia: text });
  const addressOf = (given: { street: string; number: number; colonia: string }) => ({
    address1: `${given.street} ${given.number}`,
    address2: `Col. ${given.colonia}, Cuauhtémoc`,
  });

  it("a change of street, number or colonia changes what would be sent, and nothing else does", () => {
    fc.assert(
      fc.property(location, location, (before, after) => {
        const isSame =
          before.street === after.street && before.number === after.number && before.colonia === after.colonia;
        expect(isDeepStrictEqual(compose(addressOf(before)).attributes, compose(addressOf(after)).attributes)).toBe(
          isSame,
        );
      }),
    );
  });
});
