import { expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressAttributes } from "../../../app/domain/address/address.ts";
import { NEVER_NULL } from "../../../app/domain/address/validate.ts";
import { fitOf } from "../../../app/domain/plan/create-fit.ts";
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
  ["too little of its name", { name: "Proveed" }, 0],
  ["more than its name", { name: `${NAME}, Morelos` }, 0],
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
