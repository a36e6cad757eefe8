import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { TemplateDraft, TemplatePatch } from "../../../app/domain/records.ts";

/** Why the service refuses a template, by field (docs/shipping-interface.md, 2.2 and 4.3). */

/** Never null in an answer, so never empty in a template. */
const NEVER_NULL: readonly string[] = [
  "name",
  "street1",
  "postal_code",
  "area_level1",
  "area_level2",
  "country_code",
  "phone",
  "email",
];
const REQUIRED_IN_MEXICO = [...NEVER_NULL, "area_level3", "reference"];

export type Problems = Record<string, string[]>;

export function problemsOfCreate(draft: Partial<TemplateDraft> | undefined): Problems {
  const { alias_name, address_type, address_attributes: address } = draft ?? {};
  const required = address?.country_code === "MX" ? REQUIRED_IN_MEXICO : NEVER_NULL;
  const missing = Object.entries({ alias_name, address_type, address_attributes: address });
  return blankProblems([
    ...missing.map(([field, value]) => [field, value] as const),
    ...required.map((field) => [field, (address as Record<string, unknown> | undefined)?.[field]] as const),
  ]);
}

/** An update is checked only in the fields that it names. */
export function problemsOfUpdate(patch: TemplatePatch | undefined): Problems {
  const { alias_name, address_type, address_attributes: address = {} } = patch ?? {};
  const named = Object.entries({ alias_name, address_type }).filter(([, value]) => value !== undefined);
  const given = ADDRESS_FIELDS.filter((field) => NEVER_NULL.includes(field) && address[field] !== undefined);
  return blankProblems([...named, ...given.map((field) => [field, address[field]] as const)]);
}

/** The value of a field for which no value was given. */
export function nothingIn(field: string): "" | null {
  return NEVER_NULL.includes(field) ? "" : null;
}

function blankProblems(values: readonly (readonly [string, unknown])[]): Problems {
  const blank = values.filter(([, value]) => value === undefined || value === null || String(value).trim() === "");
  return Object.fromEntries(blank.map(([field]) => [field, ["no puede estar en blanco"]]));
}
