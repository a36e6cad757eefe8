import { describe, expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressAttributes } from "../../../app/domain/address/address.ts";
import { NEVER_NULL } from "../../../app/domain/address/validate.ts";
import { fitOf, makerOf, mayAnswer } from "../../../app/domain/plan/create-fit.ts";
import { addressTemplate } from "../../fakes/records.ts";

const NAME = "Proveedor de Jalisco";
const { address } = addressTemplate();
const SAID = { alias_name: NAME, address_type: "from", address_attributes: address } as const;

const EMPTIED = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, ""])) as Partial<AddressAttributes>;
const WHOLE = Object.fromEntries(NEVER_NULL.map((field) => [field, "otro"])) as Partial<AddressAttributes>;

test.each<[string, { name?: string; said?: Partial<AddressAttributes> }, number]>([
  ["all of its words", {}, 4],
  ["a word that somebody corrected", { said: { name: "Luz" } }, 3],
  ["its words in capitals", { name: NAME.toUpperCase(), said: { street1: address.street1!.toUpperCase() } }, 3],
  ["the beginning of its name", { name: "Proveedor de J" }, 2],
  ["its address and too little of its name", { name: "Proveed" }, 1],
  ["its address and more than its name", { name: `${NAME}, Morelos` }, 1],
  ["its address and another name", { name: "Suya 1752" }, 1],
  [
    "its address, another name and two corrections",
    { name: "Suya 1752", said: { name: "Luz", rfc: "XEXX010101000" } },
    1,
  ],
  ["its address, another name and three corrections", { name: "Suya", said: { name: "Luz", rfc: "1", email: "2" } }, 0],
  ["its contact, another name and another street", { name: "Suya 1752", said: { street1: "Morelos" } }, 0],
  ["its address, another name and another house", { name: "Suya 1752", said: { street_number: "9" } }, 0],
  ["its address and a location's marker", { name: "Suya 1752 [OR-7K2M9QXF]" }, 0],
  ["an address that a write has emptied since", { said: { ...EMPTIED, reference: "Portón" } }, 3],
  ["a name alone, which a person gave it", { said: { ...EMPTIED, ...WHOLE, street1: "Morelos" } }, 1],
  ["its name and another address", { said: { street1: "Morelos", street_number: "9", postal_code: "1" } }, 1],
  [
    "the beginning of its name and another address",
    { name: "Proveedor de J", said: { street1: "Morelos", street_number: "9", postal_code: "1" } },
    0,
  ],
])("a template with %s", (_title, { name = NAME, said }, fit) => {
  const kept = addressTemplate({ alias_name: name, address_type: "from", address: { ...address, ...said } });
  expect(fitOf(kept, SAID)).toBe(fit);
});

const CODE = "[OR-7K2M9QXF]";

describe("an answer to a create", () => {
  const showing = (name: string, over: Partial<AddressAttributes> = {}) =>
    addressTemplate({ alias_name: name, address_type: "from", address: { ...address, ...over } });
  const marked = { ...SAID, alias_name: `${NAME} ${CODE}` };
  const elsewhere = { street1: "Morelos", street_number: "9", postal_code: "1" };

  test.each([
    ["its name and marker", `${NAME} ${CODE}`],
    ["its name and marker in capitals", `${NAME} ${CODE}`.toUpperCase()],
    ["its name and marker in small letters", `${NAME} ${CODE}`.toLowerCase()],
    ["its marker beside other words", `Otra ${CODE}`],
    ["its name and marker without brackets", `${NAME} OR 7K2M9QXF`],
    ["a cut marker", `${NAME} [OR-7K2`],
    ["its name and marker with a letter lost", `Proveedor de Jal?sco ${CODE}`.replace("[", "")],
  ])("that shows %s may show what it made", (_what, name) => {
    expect(mayAnswer(showing(name), marked)).toBe(true);
  });

  test.each([
    ["its name", NAME],
    ["its name in capitals", NAME.toUpperCase()],
    ["the beginning of its name", "Proveedor de J"],
    ["few letters of its name", "Prov"],
    ["no name", ""],
    ["its name with a letter lost", "Proveedor de Jal?sco"],
    ["its name and a number", `${NAME} (2)`],
    ["more before its name", `MX ${NAME}`],
  ])("without a marker that shows %s may show what it made", (_what, name) => {
    expect(mayAnswer(showing(name), SAID)).toBe(true);
  });

  test("in another encoding may show what it made", () => {
    const said = { ...SAID, alias_name: "Bodega León" };
    expect(mayAnswer(showing("Bodega LeÃ³n"), said)).toBe(true);
    expect(mayAnswer(showing("北京", elsewhere), { ...SAID, alias_name: "上海" })).toBe(false);
  });

  test.each([
    ["another name", "Bodega Norte", {}],
    ["another name with its marker's place", "Bodega Norte [OR-00000000]", {}],
    ["its name with another marker", `${NAME} [OR-00000000]`, {}],
    ["few letters of its name and another address", "Prov", elsewhere],
    ["no name and another address", "", elsewhere],
    ["a name with another number", "Proveedor de Jalisc0", {}],
    ["a name that is nearly its own and another address", "Proveedor de Colima", elsewhere],
  ])("that shows %s shows another template", (_what, name, over) => {
    expect(mayAnswer(showing(name, over), marked)).toBe(false);
    expect(mayAnswer(showing(name, over), SAID)).toBe(false);
  });
});

describe("of several creates of one location", () => {
  const at = (number: string) => ({ ...SAID, address_attributes: { ...address, street_number: number } });
  const shows = (over: Partial<AddressAttributes>) =>
    addressTemplate({ alias_name: NAME, address_type: "from", address: { ...address, ...over } });

  test.each<[string, Partial<AddressAttributes>, string]>([
    ["the one whose words it holds", { street_number: "102" }, "102"],
    ["that one where somebody has changed another field", { street_number: "102", reference: "Portón rojo" }, "102"],
    ["the newest where it holds no one's", { street_number: "7" }, "101"],
  ])("%s made a template", (_title, over, number) => {
    expect(makerOf(shows(over), [at("101"), at("102"), at("103")])).toEqual(at(number));
  });
});
