import { expect, test } from "vitest";
import type { AddressAttributes } from "../../../app/domain/address/address.ts";
import { templateLines } from "../../../app/domain/address/lines.ts";

test.each([
  ["5", "Av. Vallarta 2340 int. 5"],
  ["5-B", "Av. Vallarta 2340 int. 5-B"],
  ["B", "Av. Vallarta 2340 int. B"],
  ["Int. 5", "Av. Vallarta 2340 Int. 5"],
  ["Local 3", "Av. Vallarta 2340 Local 3"],
  [null, "Av. Vallarta 2340"],
])("an interior number %j is told from the street's number: %s", (apartment_number, line) => {
  const address = { street1: "Av. Vallarta", street_number: "2340", apartment_number } as AddressAttributes;
  expect(templateLines(address)).toEqual([line]);
});
