import { concatenateAddress1, concatenateAddress2 } from "@shopify/worldwide";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { foldedWords, WORD_JOINER } from "../../../app/domain/address/fold.ts";
import type { ShopifyAddress } from "../../../app/domain/address/address.ts";
import { readLocationAddress as readWith } from "../../../app/domain/mexico/read-location.ts";
import { ADDRESSES } from "./addresses.table.ts";

/**
 * What is read from a Mexican location's text, and how sure the reading is.
 *
 * Long, because addresses as people write them are its input, each a row.
 */

const readLocationAddress = (address: ShopifyAddress) => readWith(address, null);

const located = (given: Partial<ShopifyAddress>): ShopifyAddress => ({
  address1: null,
  address2: null,
  city: "Guadalajara",
  province: null,
  provinceCode: "JAL",
  countryCode: "MX",
  zip: "44100",
  phone: null,
  ...given,
});

describe("the table of addresses", () => {
  it("has at least 150, from all 32 states", () => {
    expect(ADDRESSES.length).toBeGreaterThanOrEqual(150);
    expect(new Set(ADDRESSES.map(({ typed }) => typed[3])).size).toBe(32);
  });

  it.each(ADDRESSES.map((row) => [row.typed.filter(Boolean).join(" · "), row] as const))("reads %s", (_, row) => {
    const [address1, address2, city, provinceCode, zip] = row.typed;
    const reading = readLocationAddress(located({ address1, address2, city, provinceCode, zip }));
    const [street, number, interior, colonia, municipality] = row.parts;
    expect(reading.street1.value).toBe(street);
    expect(reading.street_number.value).toBe(number);
    expect(reading.apartment_number.value).toBe(interior);
    expect(reading.area_level3.value).toBe(colonia);
    expect(reading.reference.value).toBe(row.reference ?? null);
    expect(reading.postal_code).toEqual({ value: zip, source: "shopify", confidence: "sure" });
    if (municipality === null) expect(reading.area_level2.confidence).not.toBe("sure");
    else expect(foldedWords(reading.area_level2.value)).toEqual(foldedWords(municipality));
  });
});

describe("where the text leaves doubt", () => {
  it("prefills the alcaldía from the postal code and marks it a guess", () => {
    const reading = readLocationAddress(
      located({ address1: "Durango 10", address2: "Col. Roma Norte", city: "CDMX", provinceCode: "DF", zip: "06700" }),
    );
    expect(reading.area_level2).toEqual({ value: "Cuauhtémoc", source: "guess", confidence: "unsure" });
  });

  it("tells a colonia that is called as an alcaldía from the alcaldía by the postal code", () => {
    const tlalpan = { city: "CDMX", provinceCode: "DF", zip: "14250" };
    const reading = readLocationAddress(
      located({ ...tlalpan, address1: "Pino 10", address2: "Miguel Hidalgo, Tlalpan" }),
    );
    expect(reading.area_level3).toMatchObject({ value: "Miguel Hidalgo", confidence: "sure" });
    expect(reading.area_level2).toMatchObject({ value: "Tlalpan", confidence: "sure" });
  });

  it("doubts an alcaldía that the postal code contradicts", () => {
    const reading = readLocationAddress(
      located({ address1: "Durango 10", address2: "Col. Roma", city: "Coyoacán", provinceCode: "DF", zip: "06700" }),
    );
    expect(reading.area_level2).toMatchObject({ value: "Coyoacán", confidence: "unsure" });
  });

  it.each([
    ["Reforma 222-4", "an interior or a range", "street_number"],
    ["Calle 60 179-A-3", "an interior behind a number with a letter", "street_number"],
    ["Calle Coral Lt 11 Mz 5", "a lot before its manzana", "street_number"],
    ["Calle Coral Km 3 Mz 5 Lt 11", "a lot behind a kilometre", "street_number"],
    ["Reforma 222 4B", "two figures", "street_number"],
    ["Insurgentes 10 Del Valle", "words behind the number", "area_level3"],
    ["Juárez 4 Mz 41", "a lot behind the number", "street_number"],
  ] as const)("is unsure of %s: %s", (address1, _, field) => {
    expect(readLocationAddress(located({ address1 }))[field].confidence).toBe("unsure");
  });

  it("says what it does not hold", () => {
    const reading = readLocationAddress(located({ address1: "Calle 60", city: null, zip: null, phone: null }));
    const absent = ["street_number", "apartment_number", "postal_code", "area_level2", "area_level3", "phone"] as const;
    for (const field of absent) expect(reading[field]).toEqual({ value: null, source: "none", confidence: "absent" });
  });
});

/** street1, street_number, apartment_number, area_level3, reference; `?` in front of what is unsure, `-` for none. */
const told = (address: Partial<ShopifyAddress>): string => {
  const reading = readLocationAddress(located(address));
  const fields = ["street1", "street_number", "apartment_number", "area_level3", "reference"] as const;
  return fields
    .map((field) => (reading[field].confidence === "unsure" ? "?" : "") + (reading[field].value ?? "-"))
    .join(" | ");
};

describe("lines as people fill them", () => {
  it.each([
    ["Av. Juárez No. Ext. 12 No. Int. 3", "Centro", "Av. Juárez | 12 | 3 | Centro | -"],
    ["No. 12 bis Calle Morelos", "Centro", "Calle Morelos | 12 bis | - | Centro | -"],
    ["Ext. 5 Int. 3 Calle Pino", "Col. Centro", "Calle Pino | 5 | 3 | Centro | -"],
    ["Pino 12 bis-A", "Centro", "Pino | 12 bis-A | - | Centro | -"],
    ["Av. Américas #1254, tercer piso", "Country", "Av. Américas | 1254 | tercer piso | Country | -"],
    ["Homero 1804 Torre A depto 1201", "Polanco", "Homero | 1804 | Torre A depto 1201 | Polanco | -"],
    ["Av. Hidalgo 4600 Loc. 12 y 13", "Brisas", "Av. Hidalgo | 4600 | Loc. 12 y 13 | Brisas | -"],
    ["Av. Hidalgo 20 Locales 3, 4 y 5", "Brisas", "Av. Hidalgo | 20 | Locales 3, 4 y 5 | Brisas | -"],
    ["Bodega 7, Av. Ceylán 959", "Vallejo", "Av. Ceylán | 959 | Bodega 7 | Vallejo | -"],
    ["Calle 12 (Álvaro Obregón) 45", "Centro", "Calle 12 (Álvaro Obregón) | 45 | - | Centro | -"],
    ["Av. de la Torre 123", "Lindavista", "Av. de la Torre | 123 | - | Lindavista | -"],
    ["Calle Manzana 45", "Centro", "Calle Manzana | 45 | - | Centro | -"],
    ["Av. Municipio Libre 377", "Centro", "Av. Municipio Libre | 377 | - | Centro | -"],
    ["Circuito Interior 193", "Anzures", "Circuito Interior | 193 | - | Anzures | -"],
    ["Av. Colonia del Valle 615", "Del Valle", "Av. Colonia del Valle | 615 | - | Del Valle | -"],
    ["Héroes del 47 12", "Churubusco", "Héroes del 47 | 12 | - | Churubusco | -"],
    ["5a. Avenida entre Calle 10 y 12", "Centro", "5a. Avenida | - | - | Centro | entre Calle 10 y 12"],
    ["Segunda 123 e/ Bravo y Matamoros", "Centro", "Segunda | 123 | - | Centro | e/ Bravo y Matamoros"],
    ["Carr. Federal No. 180 km 26", "El Sol", "Carr. Federal No. 180 | km 26 | - | El Sol | -"],
    [
      "Carretera Federal 180 Puerto Real km 14 S/N",
      "El Sol",
      "Carretera Federal 180 Puerto Real km 14 | S/N | - | El Sol | -",
    ],
    ["Pino 20, Centro, 44100 Guadalajara, Jal.", null, "Pino | 20 | - | Centro | -"],
    ["Col. Las Fuentes, Av. del Manantial 12", null, "Av. del Manantial | 12 | - | Las Fuentes | -"],
    ["Pino 20", "San Sebastián Número 1", "Pino | 20 | - | San Sebastián Número 1 | -"],
    ["Pino 20", "4B, Col. Centro", "Pino | 20 | 4B | Centro | -"],
    ["Pino 20", "entre Roble y Encino, Centro", "Pino | 20 | - | Centro | entre Roble y Encino"],
    ["Pino No. 20 (esquina con Roble)", "Centro", "Pino | 20 | - | Centro | (esquina con Roble)"],
    ["Pino 20 (entre Roble y Encino)", "Centro", "Pino | 20 | - | Centro | (entre Roble y Encino)"],
    ["Pino 20 casi esq. Roble", "Centro", "Pino | 20 | - | Centro | casi esq. Roble"],
    ["5a. Avenida entre calles 12 y 14", "Centro", "5a. Avenida | - | - | Centro | entre calles 12 y 14"],
    ["Pino 20, Piso 8, Country Club", "Country Club", "Pino | 20 | Piso 8 | Country Club | -"],
    [`Pino ${WORD_JOINER}20 Int. 4`, `${WORD_JOINER}Col. Centro, C.P. 44100`, "Pino | 20 | 4 | Centro | -"],
    [`Pino 20 ${WORD_JOINER}20`, `${WORD_JOINER}Centro`, "Pino | 20 | - | Centro | -"],
    [`Calle 60 ${WORD_JOINER}491`, `${WORD_JOINER}Centro`, "Calle 60 | 491 | - | Centro | -"],
    [`Calle 60 ${WORD_JOINER}#179-A`, `${WORD_JOINER}Centro`, "Calle 60 | 179-A | - | Centro | -"],
    [`Calle 60 ${WORD_JOINER}Núm. 12-14`, `${WORD_JOINER}Centro`, "Calle 60 | 12-14 | - | Centro | -"],
    [`Pino ${WORD_JOINER}Mz 3 Lt 5`, `4B ${WORD_JOINER}Centro, Guadalajara`, "Pino | Mz 3 Lt 5 | 4B | Centro | -"],
  ])("%s · %s", (address1, address2, expected) => {
    expect(told({ address1, address2 })).toBe(expected);
  });

  it.each([
    [
      "Plaza Azul, Local 12",
      "Av. Vallarta 3959, Col. Don Bosco",
      "?Av. Vallarta | ?3959 | ?Plaza Azul, Local 12 | Don Bosco | -",
    ],
    ["Oficina 3", "Hidalgo 22, Col. Centro", "?Hidalgo | ?22 | ?Oficina 3 | Centro | -"],
    [
      "Fracc. Las Palmas, 12",
      "Av. Cedros Ext. SN, Col. Centro",
      "?Av. Cedros SN | 12 | - | ?Fracc. Las Palmas, Centro | -",
    ],
    ["Torre Azul, Paseo de la Reforma 505", "Col. Juárez", "?Paseo de la Reforma | 505 | Torre Azul | Juárez | -"],
    ["Plaza Azul Local 12", "Col. Centro", "?Plaza Azul | - | Local 12 | Centro | -"],
    [`Pino 20 ${WORD_JOINER}4B`, `${WORD_JOINER}Centro`, "?Pino 20 | ?4B | - | Centro | -"],
    ["123", "Centro", "?123 | - | - | Centro | -"],
    ["Pino 20", "Sucursal Norte", "Pino | 20 | ?Sucursal Norte | - | -"],
    ["Pino 20", "Plaza Azul", "Pino | 20 | - | ?Plaza Azul | -"],
    ["Pino 20", "Guadalajara", "Pino | 20 | - | ?Guadalajara | -"],
    ["Pino 20", "Col. Centro, C.P. 45000", "?Pino, C.P. 45000 | 20 | - | Centro | -"],
    ["Pinos 100 a 102", "Centro", "?Pinos 100 a | ?102 | - | Centro | -"],
    ["Av. 11 Calle 5", "Centro", "?Av. 11 Calle | ?5 | - | Centro | -"],
    ["Hidalgo esq. Morelos 12", "Centro", "Hidalgo | ?12 | - | Centro | ?esq. Morelos"],
  ])("leaves to a person: %s · %s", (address1, address2, expected) => {
    expect(told({ address1, address2 })).toBe(expected);
  });
});

describe("single fields", () => {
  it("puts back the leading zero of a postal code of Mexico City", () => {
    const reading = readLocationAddress(located({ provinceCode: "DF", city: "Cuauhtémoc", zip: "6700" }));
    expect(reading.postal_code.value).toBe("06700");
  });

  it("doubts a postal code that has no five digits", () => {
    expect(readLocationAddress(located({ zip: "4410" })).postal_code).toMatchObject({ confidence: "unsure" });
  });

  it("says no state that is none of Mexico's", () => {
    const reading = readLocationAddress(located({ provinceCode: "CA", province: "California" }));
    expect(reading.area_level1).toEqual({ value: null, source: "none", confidence: "absent" });
  });

  it.each([
    ["Monterrey, N.L.", "NL", "64000", "Monterrey"],
    ["Monterrey Nuevo León", "NL", "64000", "Monterrey"],
    ["Tijuana, B.C.", "BC", "22000", "Tijuana"],
    ["Los Cabos B.C.S.", "BCS", "23400", "Los Cabos"],
    ["Zapopan, Jal. México", "JAL", "45100", "Zapopan"],
    ["Santa Cruz Tlaxcala", "TLAX", "90640", "Santa Cruz Tlaxcala"],
    ["Santiago de Querétaro", "QRO", "76000", "Santiago de Querétaro"],
  ])("takes the state off the city: %s in %s", (city, provinceCode, zip, municipality) => {
    const reading = readLocationAddress(located({ city, provinceCode, province: null, zip }));
    expect(reading.area_level2).toMatchObject({ value: municipality, confidence: "sure" });
  });

  it("mends an old phone and doubts one it cannot read", () => {
    expect(readLocationAddress(located({ phone: "044 33 3615 1122" })).phone.value).toBe("3336151122");
    expect(readLocationAddress(located({ phone: "33 36" })).phone).toMatchObject({
      value: "33 36",
      confidence: "unsure",
    });
  });
});

it("a text that no carrier prints is taken as typed, and asked about", () => {
  const address1 = `Calle ${"(".repeat(8_000)}`;
  const reading = readLocationAddress(located({ address1 }));
  expect(reading.street1).toEqual({ value: address1, source: "guess", confidence: "unsure" });
  expect(reading.street_number.value).toBeNull();
});

describe("outside Mexico", () => {
  it("takes the lines as they stand", () => {
    const reading = readLocationAddress(
      located({
        address1: "350 5th Ave #10",
        address2: "Suite 21",
        city: "New York",
        province: "New York",
        provinceCode: "NY",
        countryCode: "us",
        zip: "10118",
        phone: "(212) 736-3100",
      }),
    );
    expect(Object.fromEntries(Object.entries(reading).map(([field, { value }]) => [field, value]))).toEqual({
      street1: "350 5th Ave #10",
      street_number: null,
      apartment_number: "Suite 21",
      postal_code: "10118",
      area_level1: "New York",
      area_level2: "New York",
      area_level3: null,
      country_code: "US",
      phone: "+12127363100",
      reference: null,
    });
  });
});

const VOCABULARY =
  "Av. Calle Blvd. Carretera Privada Juárez Hidalgo Pinos Roma Norte Sur Pte. 5 16 60 222 1204 31-A 12B 7.5 de del la y x " +
  "por entre esq. # No. Núm. Ext. S/N sin número Km Mz Lt Lote Manzana SM Int. Depto Local Piso Torre Plaza Bodega 4B A " +
  "K-32 Planta Baja 2o. Col. Colonia Fracc. Barrio Ejido Zona Centro Parque Industrial Mayo Febrero bis frente al mercado " +
  "junto a un costado (antes 40) Tablaje Alcaldía Municipio libre Sección C.P. 44100 Ref. Unidad Hab. casi";

/** Marks, which say what a word is and go no further. */
const MARKS = new Set(
  "col colonia no num numero ext exterior int interior sin s n c p cp alcaldia municipio de".split(" "),
);

describe("nothing is dropped", () => {
  const word = fc.constantFrom(...VOCABULARY.split(" "));
  const glue = fc.constantFrom(" ", " ", " ", ", ", "  ");
  const text = fc
    .array(fc.tuple(word, glue), { maxLength: 12 })
    .map((parts) => parts.map(([each, after]) => each + after).join(""));
  const line = fc.oneof(
    text,
    fc.tuple(text, text).map(([left, right]) => `${left} ${WORD_JOINER}${right}`),
  );

  it("every word of the text is in a field or is a mark", () => {
    fc.assert(
      fc.property(line, line, fc.constantFrom("JAL", "DF"), (address1, address2, provinceCode) => {
        const reading = readLocationAddress(located({ address1, address2, provinceCode }));
        const kept = new Set(
          foldedWords(
            Object.values(reading)
              .map(({ value }) => value ?? "")
              .join(" "),
          ),
        );
        const lost = foldedWords(`${address1} ${address2}`).filter((each) => !kept.has(each) && !MARKS.has(each));
        expect(lost).toEqual([]);
      }),
      { numRuns: 5_000 },
    );
  });

  it("whatever is typed, it answers", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (address1, address2) => {
        expect(readLocationAddress(located({ address1, address2 }))).toHaveProperty("street1");
      }),
    );
  });
});

describe("round trip", () => {
  const name = fc.constantFrom("Benito Juárez", "Los Pinos", "Insurgentes", "de la Paz", "Río Nilo", "Gral. Anaya");
  const parts = fc.record({
    kind: fc.constantFrom("Av. ", "Calle ", "Blvd. ", "Privada ", ""),
    name,
    number: fc
      .tuple(fc.integer({ min: 1, max: 9999 }), fc.constantFrom("", "A", "-B", " bis"))
      .map((each) => each.join("")),
    mark: fc.constantFrom("", "#", "# ", "No. ", "Núm. ", "Ext. "),
    interior: fc.option(
      fc.tuple(fc.constantFrom("Depto. ", "Local ", "Piso ", "Int. "), fc.constantFrom("3", "4B", "A")),
    ),
    colonia: fc.constantFrom("Americana", "Del Valle", "Santa Fe", "Las Águilas"),
    coloniaMark: fc.constantFrom("Col. ", "Colonia ", ""),
    isDelimited: fc.boolean(),
  });

  it("what was put together is read as its parts, for sure", () => {
    fc.assert(
      fc.property(parts, ({ kind, name, number, mark, interior, colonia, coloniaMark, isDelimited }) => {
        const inside = interior?.join("") ?? "";
        const address = isDelimited
          ? {
              address1: concatenateAddress1({ countryCode: "MX", streetName: kind + name, streetNumber: number }),
              address2: concatenateAddress2({ countryCode: "MX", line2: inside, neighborhood: colonia }),
            }
          : { address1: `${kind}${name} ${mark}${number} ${inside}`, address2: coloniaMark + colonia };
        const reading = readLocationAddress(located(address));
        const sure = (value: string) => ({ value, source: "shopify", confidence: "sure" });
        expect(reading.street1).toEqual(sure(kind + name));
        expect(reading.street_number).toEqual(sure(number));
        expect(reading.area_level3).toEqual(sure(colonia));
        if (interior) expect(reading.apartment_number).toEqual(sure(inside.replace("Int. ", "")));
        else expect(reading.apartment_number.value).toBeNull();
      }),
      { numRuns: 2_000 },
    );
  });
});
