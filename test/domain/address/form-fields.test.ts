import { readdirSync, readFileSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import {
  CONTACT_FIELDS,
  FORM_CONTACT_FIELDS,
  FORM_FIELDS,
  SPLIT_FIELDS,
  TEMPLATE_PLACE_ROWS,
} from "../../../app/domain/address/form-fields.ts";

/** The fields of the forms are defined once. */

const root = resolve(import.meta.dirname, "../../..");

/** Files that may name several fields: all of the interface's, the country's rules, and what reads or writes an address's text. */
const OTHERS = [
  // All that the interface has.
  "app/domain/address/address.ts",
  // What the interface and Mexico require.
  "app/domain/address/validate.ts",
];

test("a form holds fields of an address, each once", () => {
  for (const fields of [FORM_FIELDS, CONTACT_FIELDS, [...TEMPLATE_PLACE_ROWS.flat(), ...FORM_CONTACT_FIELDS]]) {
    expect(fields).toEqual([...new Set(fields)]);
    expect(fields.filter((field) => !ADDRESS_FIELDS.includes(field))).toEqual([]);
  }
  expect([...SPLIT_FIELDS, ...FORM_CONTACT_FIELDS]).toEqual(FORM_FIELDS);
});

test("a template's form holds every field of an address", () => {
  expect([...TEMPLATE_PLACE_ROWS.flat(), ...FORM_CONTACT_FIELDS].toSorted()).toEqual(ADDRESS_FIELDS.toSorted());
});

test("whatever lists all fields of an address shows the place as its form does", () => {
  const place: readonly string[] = TEMPLATE_PLACE_ROWS.flat();
  expect(ADDRESS_FIELDS.filter((field) => place.includes(field))).toEqual(place);
  const contact: readonly string[] = FORM_CONTACT_FIELDS;
  expect(ADDRESS_FIELDS.filter((field) => contact.includes(field))).toEqual(contact);
});

test.each([
  ["app/i18n/locales/en/common.json", "fields"],
  ["app/i18n/locales/es-MX/common.json", "fields"],
  ["extensions/order-origin/locales/en.default.json", "field"],
  ["extensions/order-origin/locales/es.json", "field"],
  ["extensions/order-list/locales/en.default.json", "field"],
  ["extensions/order-list/locales/es.json", "field"],
])("each field has its label in %s", (file, section) => {
  const words = JSON.parse(readFileSync(join(root, file), "utf8")) as Record<string, Record<string, string>>;
  expect(ADDRESS_FIELDS.filter((field) => !words[section]![field])).toEqual([]);
});

test("nobody else lists the fields", () => {
  const name = `"(?:${ADDRESS_FIELDS.filter((field) => !["name", "default"].includes(field)).join("|")})"`;
  const list = new RegExp(`${name}\\s*,\\s*${name}`);
  const sources = ["app", "extensions/order-origin/src", "extensions/order-list/src"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  const listing = sources.filter((file) => list.test(readFileSync(file, "utf8"))).map((file) => relative(root, file));
  expect(listing.toSorted()).toEqual(["app/domain/address/form-fields.ts", ...OTHERS].toSorted());
});
