import { readFileSync } from "node:fs";

import { STATES, stateOfText } from "../../../app/domain/mexico/states.ts";
import { ADDRESSES } from "../../domain/mexico/addresses.table.ts";
import type { TableRow } from "../../domain/mexico/addresses.table.ts";
import type { AddressRow } from "./address-row.ts";
import type { Expected, Typed } from "./typist.ts";

/** The rows of a file. Throws, with the line's number, on one that is no row or names no state. */
export function rowsOfFile(path: string): AddressRow[] {
  return readFileSync(path, "utf8")
    .split("\n")
    .flatMap((line, index) => (line.trim() === "" ? [] : [withInteriorApart(rowOf(line, index + 1))]));
}

function rowOf(line: string, at: number): AddressRow {
  const said = JSON.parse(line) as Partial<AddressRow>;
  const state = stateOfText(said.state ?? null);
  if (state === null || typeof said.street !== "string") {
    throw new Error(`Line ${at} has no street, or a state that is none of the 32.`);
  }
  return {
    number: null,
    interior: null,
    colonia: null,
    colonia_type: null,
    ...said,
    street: said.street,
    municipality: said.municipality ?? "",
    postal_code: said.postal_code ?? "",
    tags: said.tags ?? [],
    state: state.name,
  };
}

const INTERIOR_IN_NUMBER =
  /^(\S+)\s+((?:int|interior|edif|edificio|depto|desp|loc|local|nave|bodega|piso|altos|bajos)\b.*)$/i;

/** Directories write an interior into the number's field now and then (`22 INT. 1`); it is an interior all the same. */
function withInteriorApart(row: AddressRow): AddressRow {
  const found = row.interior === null ? INTERIOR_IN_NUMBER.exec(row.number ?? "") : null;
  return found ? { ...row, number: found[1]!, interior: found[2]! } : row;
}

/** The table's addresses as they were typed. */
export function tableAsTyped(): Typed[] {
  return ADDRESSES.map((row) => {
    const [address1, address2, city, provinceCode, zip] = row.typed;
    const address = { address1, address2, city, provinceCode, province: null, zip, countryCode: "MX", phone: null };
    return { address, expected: expectedOf(row), municipality: row.parts[4], kinds: row.kinds };
  });
}

function expectedOf({ typed, parts, reference }: TableRow): Expected {
  const [street1, street_number, apartment_number, area_level3, area_level2] = parts;
  const area_level1 = stateOf(typed[3]);
  const shared = { street1, street_number, apartment_number, area_level1, area_level2, area_level3 };
  return { ...shared, postal_code: typed[4], reference: reference ?? null };
}

const stateOf = (code: string): string => STATES.find((state) => state.code === code)!.name;

/** The table's addresses as rows, to be typed anew in other styles; only those whose text holds every part. */
export function tableAsRows(): AddressRow[] {
  return ADDRESSES.filter(({ parts }) => parts[1] !== null && parts[3] !== null && parts[4] !== null).map((row) => ({
    street: row.parts[0],
    number: row.parts[1] === "S/N" ? "SN" : row.parts[1],
    interior: row.parts[2],
    colonia: row.parts[3],
    colonia_type: null,
    municipality: row.parts[4]!,
    state: stateOf(row.typed[3]),
    postal_code: row.typed[4],
    ...(row.reference === undefined ? {} : { reference: row.reference }),
    tags: row.kinds,
  }));
}
