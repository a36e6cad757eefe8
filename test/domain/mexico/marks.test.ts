import { describe, expect, test } from "vitest";
import type { LocationField, ShopifyAddress } from "../../../app/domain/address/address.ts";
import { WORD_JOINER } from "../../../app/domain/address/fold.ts";
import { readLocationAddress } from "../../../app/domain/mexico/read-location.ts";

/** Marks that look like another one: what they are is told by what stands around them. */

const FIELDS = ["street1", "street_number", "apartment_number", "area_level3"] as const satisfies LocationField[];

/** The four fields in one text, a question mark behind what is unsure. */
function read(address1: string, address2: string | null, city = "Benito Juárez"): string {
  const address: ShopifyAddress = {
    address1,
    address2,
    city,
    province: "Quintana Roo",
    provinceCode: "Q ROO",
    countryCode: "MX",
    zip: "77533",
    phone: null,
  };
  const reading = readLocationAddress(address, null);
  return FIELDS.map((field) => {
    const { value, confidence } = reading[field];
    return value === null ? "-" : value + (confidence === "sure" ? "" : "?");
  }).join(" | ");
}

describe("`SN` is San where a name goes on, and no number where it ends", () => {
  test.each([
    ["Carretera a SN Luis Potosí km 10.5", "Carretera a SN Luis Potosí | km 10.5 | - | Centro"],
    ["Calle SN Juan 45", "Calle SN Juan | 45 | - | Centro"],
    ["SN Marcos SN", "SN Marcos | S/N | - | Centro"],
    ["Villa SN Pedro 4", "Villa SN Pedro | 4 | - | Centro"],
    ["Hidalgo SN", "Hidalgo | S/N | - | Centro"],
    ["Carretera a Chetumal SN", "Carretera a Chetumal | S/N | - | Centro"],
    ["Hidalgo SN Local 4", "Hidalgo | S/N | Local 4 | Centro"],
  ])("%s", (address1, fields) => expect(read(address1, "Col. Centro")).toBe(fields));
});

describe("every mark in front of a kilometre goes with it", () => {
  test.each(["N° K.M. 251", "Núm. Km 251", "# km. 251", "No. Km 251"])("Carretera México-Laredo %s", (number) => {
    expect(read(`Carretera México-Laredo ${number}`, "Col. Centro")).toBe(
      `Carretera México-Laredo | ${number.replace(/^\S+ /, "")} | - | Centro`,
    );
  });
});

describe("a supermanzana is the colonia, but behind its manzana", () => {
  test.each([
    ["Av. Tulum 12", "Col. SM 312", "Av. Tulum | 12 | - | SM 312"],
    ["Calle Palmas #5 SM 312", null, "Calle Palmas | 5 | - | SM 312"],
    ["Calle Palmas 5", "Int. 4, Supermanzana 312", "Calle Palmas | 5 | 4 | Supermanzana 312"],
    ["Av. Tulum SM 312 Mz 5 Lt 3", null, "Av. Tulum | Mz 5 | Lt 3 | SM 312"],
    ["Calle Coral Supermanzana 312 Manzana 4 Lote 7", null, "Calle Coral | Manzana 4 | Lote 7 | Supermanzana 312"],
    ["Av. Tulum Mz 4 Lt 7 SM 312", null, "Av. Tulum | Mz 4 | Lt 7 | SM 312"],
    ["Av. Tulum Mz 4 Lt 7 SM 312", "Col. Donceles", "Av. Tulum | Mz 4 | Lt 7 SM 312 | Donceles"],
    ["Av. Kabah Mz 11 SMZ 248", "Villas del Mar", "Av. Kabah | Mz 11 SMZ 248 | - | Villas del Mar"],
  ])("%s / %s", (address1, address2, fields) => expect(read(address1, address2)).toBe(fields));
});

describe("a plaza is a building beside a colonia, and may be the colonia where no other name is", () => {
  test.each([
    ["Loc 2, Plaza Fiesta", "Loc 2 | Plaza Fiesta?"],
    ["Plaza Fiesta", "- | Plaza Fiesta?"],
    ["Loc 2, Plaza Fiesta, Col. Centro", "Loc 2, Plaza Fiesta | Centro"],
    ["Loc 2, Centro", "Loc 2 | Centro"],
  ])("%s", (address2, fields) => expect(read("Hidalgo 12", address2)).toBe(`Hidalgo | 12 | ${fields}`));
});

describe("kinds in front of a settlement's name belong to it", () => {
  test.each([
    "Zona Federal Playa Norte",
    "Paraje El Refugio",
    "Exhacienda San Juan",
    "Zona Industrial",
    "Privada Los Pinos",
    "Ciudad Jardín",
  ])("%s", (colonia) => {
    expect(read("Hidalgo 12", colonia)).toBe(`Hidalgo | 12 | - | ${colonia}`);
    expect(read(`Hidalgo 12, ${colonia}`, "Local 3")).toBe(`Hidalgo | 12 | Local 3 | ${colonia}`);
  });
});

describe("a manzana behind the street is the number and its lote the interior, where there is no other number", () => {
  test.each([
    ["Calle Coral Mz 5 Lt 11", "Col. Centro", "Calle Coral | Mz 5 | Lt 11 | Centro"],
    ["Calle Coral, Manzana 5, Lote 11-B", "Centro", "Calle Coral | Manzana 5 | Lote 11-B | Centro"],
    ["Andador Garza Mz 5", "Lt 11, Col. Centro", "Andador Garza | Mz 5 | Lt 11 | Centro"],
    ["Calle 9 M12B L7", "Col. Centro", "Calle 9 | M12B | L7 | Centro"],
    ["Calle 9 M12", "L7, Centro", "Calle 9 | M12 | L7 | Centro"],
    ["Garza Mz 5 Lt 11 Casa 3", "Centro", "Garza | Mz 5 | Lt 11 Casa 3 | Centro"],
    [`Garza ${WORD_JOINER}Mz 5`, `Lt 11 ${WORD_JOINER}Centro`, "Garza | Mz 5 | Lt 11 | Centro"],
  ])("%s / %s", (address1, address2, fields) => expect(read(address1, address2)).toBe(fields));

  test.each([
    ["Calle Coral 8 Mz 5 Lt 11", "a house number beside them"],
    ["Calle Coral Lt 11 Mz 5", "a lote before its manzana"],
    ["Calle Coral Mz 5 Lt 11 Mz 6 Lt 2", "two of each"],
    ["Mz 5 Lt 11 Los Pinos", "words that may be a colonia in the street's place"],
  ])("%s is left to a person: %s", (address1) => expect(read(address1, "Col. Centro")).toContain("?"));
});

describe("an interior whose words say that they are something else is left to a person", () => {
  test.each([
    ["Hidalgo 12 Int. S/N", "Hidalgo | 12 | S/N? | Centro"],
    ["Hidalgo 12 Int. sin número", "Hidalgo | 12 | sin número? | Centro"],
    ["Hidalgo 12 Int. Km 61.5", "Hidalgo | 12 | Km 61.5? | Centro"],
    ["Hidalgo S/N Int. SN", "Hidalgo | S/N | SN? | Centro"],
  ])("%s", (address1, fields) => expect(read(address1, "Col. Centro")).toBe(fields));
});

describe("a figure that no street is called by is the house number", () => {
  test.each([
    ["Calle Norte 3374", "Calle Norte | 3374 | - | Centro"],
    ["Calle Norte 45 No. 3374", "Calle Norte 45 | 3374 | - | Centro"],
    ["Periférico 18464", "Periférico | 18464 | - | Centro"],
    ["Brecha E-99 Km 27", "Brecha E-99 | Km 27 | - | Centro"],
    ["Brecha E-99 12", "Brecha E-99 | 12 | - | Centro"],
  ])("%s", (address1, fields) => expect(read(address1, "Col. Centro")).toBe(fields));
});

describe("what may be a part of a building is left to a person", () => {
  test.each([
    ["Juárez 4 B, Planta Baja", "Juárez? | 4 B? | Planta Baja? | Centro"],
    ["Juárez #4 B, Planta Baja", "Juárez | 4 B? | Planta Baja? | Centro"],
    ["Juárez 4 B", "Juárez | 4 B | - | Centro"],
    ["Mercado Num. 2933", "- | - | Mercado Num. 2933? | Centro"],
    ["Aeropuerto Internacional Terminal 2 Local 5", "Aeropuerto Internacional Terminal? | 2? | Local 5? | Centro"],
    ["Av. Cortines 3495 L-23 y 24 Plaza Azul", "Av. Cortines 3495 L-23 y? | 24? | Plaza Azul? | Centro"],
    ["Plaza Azul, Local 15, Av. Sanzio 150", "Av. Sanzio? | 150 | Plaza Azul, Local 15 | Centro"],
    [
      "Centro Comercial Azul Local 3, Anillo Periférico 46",
      "Anillo Periférico? | 46 | Centro Comercial Azul Local 3 | Centro",
    ],
    ["Edificio Azul Piso 3, Av. Patria 888", "Av. Patria? | 888 | Edificio Azul Piso 3 | Centro"],
    ["Camino a la Torre 12", "Camino a la Torre | 12 | - | Centro"],
    ["Calle Puerta 5", "Calle Puerta | 5 | - | Centro"],
    ["Calle Norte 103", "Calle Norte 103? | - | - | Centro"],
    ["Central de Abasto Bodega 15", "Central de Abasto? | - | Bodega 15 | Centro"],
    ["Juárez 4, Loc 9, Central de Abasto", "Juárez | 4 | Loc 9, Central de Abasto | Centro"],
  ])("%s", (address1, fields) => expect(read(address1, "Col. Centro")).toBe(fields));
});

test("a wholesale market is the colonia where no other name is", () => {
  expect(read("Juárez 4", "Central de Abasto")).toBe("Juárez | 4 | - | Central de Abasto");
  expect(read("Juárez 4", "Loc 9, Central de Abasto Col. Ejidal")).toBe(
    "Juárez | 4 | Loc 9, Central de Abasto | Ejidal",
  );
});

test("manzana and lote are written with a hyphen, too", () => {
  expect(read("Calle Pino Mz-12 Lt-5", "Fracc. Los Olivos")).toBe("Calle Pino | Mz-12 | Lt-5 | Fracc. Los Olivos");
});

test("a dash parts what stands behind a kilometre", () => {
  expect(read("Carr. Saltillo Km 123 - frente al parque", "Col. Centro")).toBe("Carr. Saltillo | Km 123 | - | Centro");
});

test.each(["Col. Colonia Eréndira", "Colonia Colonia Eréndira", `${WORD_JOINER}Col. Colonia Eréndira`])(
  "the mark of a colonia is written twice: %s",
  (address2) => expect(read("Hidalgo 12", ` ${address2}`)).toBe("Hidalgo | 12 | - | Eréndira"),
);

test("a dash behind a colonia parts it from a landmark", () => {
  expect(read("Hidalgo 12 Col. Centro - frente al parque", null)).toBe("Hidalgo | 12 | - | Centro");
  expect(read("Carretera a Mérida Km 270 - frente al parque", "Barrio La Ribera")).toBe(
    "Carretera a Mérida | Km 270 | - | Barrio La Ribera",
  );
});

test("a zone's name begins the colonia behind a number", () => {
  expect(read("Blvd. Kukulcán Km 12.5 Zona Hotelera", null)).toBe("Blvd. Kukulcán | Km 12.5 | - | Zona Hotelera");
});

test("an interior that repeats the city is left to a person", () => {
  const typed = `Local 4, Piso 12 Benito Juárez`;
  expect(read(`Coral 5 ${typed}`, "Col. Centro")).toBe("Coral | 5 | Local 4, Piso 12 | Centro");
});

test("an interior of several parts keeps what stands between them", () => {
  expect(read("Hidalgo 12", "Int. Mz 5 - Torre Azul, Col. Centro")).toBe("Hidalgo | 12 | Mz 5 - Torre Azul | Centro");
});

test("a road that is called by its kilometre is a street as any other", () => {
  expect(read("Carretera Km 42 Camino a Tihuatlán S/N", "Ejido El Sol")).toBe(
    "Carretera Km 42 Camino a Tihuatlán | S/N | - | Ejido El Sol",
  );
  expect(read("Carretera Km 42", "Ejido El Sol")).toBe("Carretera? | Km 42 | - | Ejido El Sol");
});

describe("a city that begins as a colonia does is left out where it is only repeated", () => {
  test.each([
    ["Local 2, Col. Las Gaviotas, Puerto Escondido", "Local 2 | Las Gaviotas"],
    [`Local 2 ${WORD_JOINER}Las Gaviotas, Puerto Escondido`, "Local 2 | Las Gaviotas"],
    [`Local 2 ${WORD_JOINER}Barrio Norte, Puerto Escondido`, "Local 2 | Barrio Norte"],
    ["Puerto Escondido", "- | Puerto Escondido?"],
  ])("%s", (address2, fields) => {
    expect(read("Hidalgo 12", address2, "Puerto Escondido")).toBe(`Hidalgo | 12 | ${fields}`);
  });
});

test("a city's name without a comma before it is the end of the colonia's", () => {
  const fields = "Hidalgo | 12 | - | Módulo 2000 Reynosa";
  expect(read("Hidalgo 12", "Col. Módulo 2000 Reynosa", "Reynosa")).toBe(fields);
  expect(read("Hidalgo 12", ` ${WORD_JOINER}Módulo 2000 Reynosa`, "Reynosa")).toBe(fields);
  expect(read("Hidalgo 12", ` ${WORD_JOINER}Módulo 2000, Reynosa`, "Reynosa")).toBe("Hidalgo | 12 | - | Módulo 2000");
});

test("a colonia of the city's name stands before the state", () => {
  expect(read("Hidalgo 12", "Bacalar, 77533 Bacalar, Quintana Roo", "Bacalar")).toBe("Hidalgo | 12 | - | Bacalar?");
});

test("words in brackets belong to the name before them, as those in parentheses do", () => {
  expect(read("Hidalgo 12", "Pueblo El Roble [Granja Norte]")).toBe(
    "Hidalgo | 12 | - | Pueblo El Roble [Granja Norte]",
  );
});
