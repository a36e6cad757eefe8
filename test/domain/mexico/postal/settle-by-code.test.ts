import { describe, expect, test } from "vitest";
import type { AddressReading, LocationField, ShopifyAddress } from "../../../../app/domain/address/address.ts";
import type { PostalFacts } from "../../../../app/domain/mexico/postal-codes.ts";
import { foldedWords } from "../../../../app/domain/address/fold.ts";
import { listedNames } from "../../../../app/domain/mexico/postal/listed-names.ts";
import { readLocationAddress } from "../../../../app/domain/mexico/read-location.ts";
import { postalFacts } from "../../../fakes/postal-codes.ts";

/** What the list of postal codes adds to a reading of the words. */

const JALISCO: ShopifyAddress = {
  address1: "Álvaro Obregón 12",
  address2: "Col. Centro",
  city: "Zapopan",
  province: "Jalisco",
  provinceCode: "JAL",
  countryCode: "MX",
  zip: "45100",
  phone: null,
};

const listOf = (...names: string[]): PostalFacts =>
  postalFacts({
    code: "45100",
    state: "Jalisco",
    municipality: "Zapopan",
    city: "Zapopan",
    settlements: names.map((name) => ({ name, kind: null })),
  });

const read = (over: Partial<ShopifyAddress>, postal: PostalFacts | null): AddressReading =>
  readLocationAddress({ ...JALISCO, ...over }, postal);

const brief = (reading: AddressReading, ...fields: LocationField[]) =>
  fields.map((field) => `${reading[field].value} ${reading[field].confidence}`);

test("a market and the colonia behind it stay two names where the list has the second", () => {
  const reading = read(
    { address1: "Pino 500 Loc. 38, Central de Abasto Col. Jardín", address2: null },
    listOf("Jardín"),
  );
  expect(brief(reading, "apartment_number", "area_level3")).toEqual(["Loc. 38, Central de Abasto sure", "Jardín sure"]);
});

describe("the municipality", () => {
  const ofCancun = postalFacts({
    code: "77500",
    state: "Quintana Roo",
    municipality: "Benito Juárez",
    city: "Cancún",
    settlements: [],
  });
  const cancun = { province: "Quintana Roo", provinceCode: "Q ROO", zip: "77500" };

  test("an empty one is filled from the code", () => {
    expect(read({ city: null }, null).area_level2.value).toBeNull();
    expect(read({ city: null }, listOf()).area_level2).toEqual({
      value: "Zapopan",
      source: "list",
      confidence: "sure",
    });
    expect(read({ city: null }, { ...listOf(), municipality: null }).area_level2.value).toBeNull();
  });

  test("a city's name in its place becomes the municipality, and the city stays in reach", () => {
    const { area_level2 } = read({ ...cancun, city: "Cancún" }, ofCancun);
    expect(area_level2).toEqual({ value: "Benito Juárez", source: "list", confidence: "sure", offers: ["Cancún"] });
    expect(read({ ...cancun, city: "Cancún, Q. Roo" }, ofCancun).area_level2.offers).toEqual(["Cancún"]);
    expect(read({ ...cancun, city: "Cancún, Benito Juárez" }, ofCancun).area_level2.value).toBe("Benito Juárez");
    const roma = { province: "Ciudad de México", provinceCode: "DF", zip: "06700", city: "CDMX" };
    expect(read(roma, postalFacts()).area_level2).toMatchObject({ value: "Cuauhtémoc", confidence: "sure" });
  });

  test.each(["zapopan", "ZAPOPAN", "Zapopan, Jal."])("what the list confirms stays as it was written: %s", (city) => {
    expect(read({ city }, listOf()).area_level2).toMatchObject({
      value: city.replace(", Jal.", ""),
      confidence: "sure",
    });
  });

  test.each([
    ["Pachuca", "Pachuca de Soto"],
    ["Garza García", "San Pedro Garza García"],
    ["Cd. Victoria", "Victoria"],
    ["Zapoppan", "Zapopan"],
  ])("%s is %s", (city, municipality) => {
    expect(read({ city }, { ...listOf(), municipality, city: null }).area_level2).toMatchObject({
      value: city,
      confidence: "sure",
    });
  });

  test.each([
    ["Guadalajara", "Zapopan"],
    ["Cuautitlán", "Cuautitlán Izcalli"],
    ["Nuevo Casas Grandes", "Casas Grandes"],
    ["García", "San Pedro Garza García"],
    ["Morelos", "Ecatepec de Morelos"],
    ["Tonalá", "Tonaya"],
    ["Sultepec", "Tultepec"],
  ])("another one is kept and asked about, with what the code says: %s, %s", (city, municipality) => {
    const { area_level2 } = read({ city }, { ...listOf(), municipality, city: null });
    expect(area_level2).toEqual({
      value: city,
      source: "shopify",
      confidence: "unsure",
      offers: [municipality],
    });
  });
});

describe("the state", () => {
  test("another one is kept and asked about; an empty one is filled", () => {
    const monterrey = postalFacts({ code: "64000", state: "Nuevo León", municipality: "Monterrey", settlements: [] });
    const { area_level1, area_level2 } = read({ zip: "64000" }, monterrey);
    expect(area_level1).toMatchObject({ value: "Jalisco", confidence: "unsure", offers: ["Nuevo León"] });
    expect(area_level2).toMatchObject({ value: "Zapopan", confidence: "unsure", offers: ["Monterrey"] });
    const empty = read({ zip: "64000", province: null, provinceCode: null }, monterrey);
    expect(empty.area_level1).toEqual({ value: "Nuevo León", source: "list", confidence: "sure" });
  });
});

describe("the colonia", () => {
  test.each([
    ["fracc las aguilas", "Las Águilas"],
    ["LAS ÁGUILAS", "Fraccionamiento Las Águilas"],
    ["Amp. Las Águilas", "Las Águilas Ampliación"],
    ["Paraíso 1a. Secc.", "Paraíso Primera Sección"],
    ["2da Sección Paraíso", "Paraíso Sección II"],
    ["5 de Mayo", "Cinco de Mayo"],
    ["SM 312", "Supermanzana 312"],
    ["Roma Nte.", "Roma Norte"],
    ["Sta. Ma. la Ribera", "Santa María La Ribera"],
    ["Zona Federal El Pinar", "El Pinar"],
    ["Exhacienda El Pinar", "Ex-Hacienda El Pinar"],
    ["Centro", "Zapopan Centro"],
    ["Tabasco 2000", "Galaxia/Tabasco 2000"],
    ["San José", "La Parrilla (San José)"],
  ])("«%s» is found as %s, and stays as it was written", (written, listed) => {
    const words = foldedWords(written);
    expect(listedNames(listOf("Otra")).has(words)).toBe(false);
    expect(listedNames(listOf("Otra", listed)).has(words)).toBe(true);
    const address = { address1: "Hidalgo 12", address2: `Sucursal Norte, Grupo Ánfora, ${written}` };
    expect(brief(read(address, listOf("Otra", listed)), "area_level3")).toEqual([`${written} sure`]);
  });

  test("it is found without its mark behind the number, and tells where the street ends", () => {
    const address = { address1: "Insurgentes 10 Del Valle Centro", address2: null };
    expect(brief(read(address, null), "area_level3")).toEqual(["Del Valle Centro unsure"]);
    expect(brief(read(address, listOf("Del Valle Centro")), "street1", "street_number", "area_level3")).toEqual([
      "Insurgentes sure",
      "10 sure",
      "Del Valle Centro sure",
    ]);
  });

  test("a street of the colonia's name stays the street", () => {
    const reading = read({ address1: "Roma Norte 12", address2: "Roma Norte" }, listOf("Roma Norte"));
    expect(brief(reading, "street1", "street_number", "area_level3")).toEqual([
      "Roma Norte sure",
      "12 sure",
      "Roma Norte sure",
    ]);
  });

  test.each([
    ["Álvaro Obregón 12 esq. Los Pinos", "Col. Centro", "- | esq. Los Pinos | Centro"],
    ["Álvaro Obregón 12", "esquina con calle Los Pinos, Col. Centro", "- | esquina con calle Los Pinos | Centro"],
    ["Álvaro Obregón 12", "entre Nogal y Los Pinos, Centro", "- | entre Nogal y Los Pinos | Centro"],
    ["Álvaro Obregón 12", "frente al parque Los Pinos, Centro", "- | frente al parque Los Pinos | Centro"],
    ["Álvaro Obregón 12", "Torre Los Pinos, Col. Centro", "Torre Los Pinos | - | Centro"],
    ["Álvaro Obregón 12 Plaza Comercial Los Pinos", "Col. Centro", "Plaza Comercial Los Pinos | - | Centro"],
    ["Álvaro Obregón 12 Local 3, Plaza de Los Pinos", "Centro", "Local 3, Plaza de Los Pinos | - | Centro"],
    ["Álvaro Obregón 12 esq. Nogal Centro", null, "- | esq. Nogal | Centro"],
    ["Álvaro Obregón 12 x 61 y 63 Los Pinos", null, "- | x 61 y 63 | Los Pinos"],
  ])("a crossing street or a building of a settlement's name stays what it is: %s / %s", (address1, address2, says) => {
    const { apartment_number, reference, area_level3, ...others } = read(
      { address1, address2 },
      listOf("Los Pinos", "Zapopan Centro"),
    );
    expect([apartment_number, reference, area_level3].map(({ value }) => value ?? "-").join(" | ")).toBe(says);
    expect(Object.values({ ...others, area_level3, reference }).map(({ confidence }) => confidence)).not.toContain(
      "unsure",
    );
  });

  test("it is found behind a number that a comma cuts off the street", () => {
    const address = { address1: "Avenida 20 de Noviembre, 312C Los Pinos", address2: null };
    expect(brief(read(address, listOf("Los Pinos")), "street1", "street_number", "area_level3")).toEqual([
      "Avenida 20 de Noviembre sure",
      "312C sure",
      "Los Pinos sure",
    ]);
  });

  test.each(["Col. Unidad Zapopan, Jal.", " \u2060Unidad Zapopan, Jal."])(
    "its name may end with the state: %j",
    (address2) => {
      const list = listOf("Unidad Zapopan, Jal.");
      expect(brief(read({ address2 }, list), "area_level3")).toEqual(["Unidad Zapopan, Jal. sure"]);
      expect(brief(read({ address2: " \u2060Unidad Zapopan, Jal." }, null), "area_level3")).toEqual([
        "Unidad Zapopan sure",
      ]);
    },
  );

  test("a building's name is sure beside a colonia that only the list confirms", () => {
    const address = { address2: "Loc 6, Torre Azul, Zapopan" };
    expect(brief(read(address, null), "apartment_number", "area_level3")).toEqual([
      "Loc 6, Torre Azul unsure",
      "Zapopan unsure",
    ]);
    expect(brief(read(address, listOf("Zapopan")), "apartment_number", "area_level3")).toEqual([
      "Loc 6, Torre Azul sure",
      "Zapopan sure",
    ]);
  });

  test("a settlement of the city's own name is no colonia beside another one", () => {
    const reading = read({ address2: "Los Cedros, 45100 Zapopan, Jalisco" }, listOf("Zapopan"));
    expect(reading.area_level3.value).toBe("Los Cedros");
  });

  test("one that is nearly on the list is offered, and as sure as before", () => {
    const reading = read({ address2: "Col. Las Aguilaz" }, listOf("Las Águilas", "El Pinar"));
    expect(reading.area_level3).toMatchObject({ value: "Las Aguilaz", confidence: "sure", offers: ["Las Águilas"] });
  });

  test("one that is not on the list is read as without it", () => {
    const list = listOf("El Pinar", "La Loma");
    for (const address2 of [
      "Col. Nueva Alborada",
      "Sucursal Norte, Grupo Ánfora, Nueva Alborada",
      "Nueva Alborada",
      "",
    ]) {
      expect(read({ address2 }, list).area_level3).toEqual(read({ address2 }, null).area_level3);
    }
  });
});

test("facts of another code say nothing", () => {
  const address = { city: null, zip: "45101" };
  expect(read(address, listOf("Centro"))).toEqual(read(address, null));
});
