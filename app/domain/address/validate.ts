import { ADDRESS_FIELDS } from "./address.ts";
import type { AddressAttributes, AddressField, FieldProblem, ProblemCode } from "./address.ts";
import { longestOf } from "./form-fields.ts";
import { normalisePhone } from "../mexico/phone.ts";
import { checkRfc } from "../mexico/rfc.ts";
import { postalCodeFits, stateOfText } from "../mexico/states.ts";

/** The fields that the interface never shows as null (docs/shipping-interface.md, 2.2). We take them for required in every country. */
export const NEVER_NULL: readonly AddressField[] = [
  "name",
  "street1",
  "postal_code",
  "area_level1",
  "area_level2",
  "country_code",
  "phone",
  "email",
];

/** The fields that Mexico requires besides (docs/shipping-interface.md, 4.3). */
const REQUIRED_IN_MEXICO: readonly AddressField[] = [...NEVER_NULL, "area_level3", "reference"];

/** The fields that an address in this country cannot be sent without. */
export function requiredFields(countryCode: string | null): readonly AddressField[] {
  return isMexico(countryCode) ? REQUIRED_IN_MEXICO : NEVER_NULL;
}

/** Whether a country code is Mexico's. */
export function isMexico(countryCode: string | null): boolean {
  return countryCode?.trim().toUpperCase() === "MX";
}

/**
 * What is wrong with an address, found before a call is spent on it. The form of a phone, an e-mail and an RFC is checked everywhere; in
 * Mexico also the postal code against its state. Lengths are left to the service, and to `tooLong` in the forms.
 */
export function validateAddress(attributes: AddressAttributes): FieldProblem[] {
  const has = (field: AddressField) => (attributes[field] ?? "").trim() !== "";
  const missing = requiredFields(attributes.country_code)
    .filter((field) => !has(field))
    .map((field) => problem(field, "missing"));
  const malformed = CHECKS.filter(([field]) => has(field)).flatMap(([field, check]) => {
    const code = check(attributes[field]!.trim(), attributes);
    return code ? [problem(field, code)] : [];
  });
  return [...missing, ...malformed];
}

type Said = Partial<Record<AddressField, string | null>>;

/**
 * Fields in which a person said more than any label takes. What is `there` already, as the form showed it, is not judged by this: it may
 * have come with a template, and is synced as it is.
 */
export function tooLong(said: Said, there: Said = {}): FieldProblem[] {
  const isNews = (field: AddressField) => said[field] !== there[field];
  return ADDRESS_FIELDS.filter((field) => isNews(field) && (said[field] ?? "").trim().length > longestOf(field)).map(
    (field) => problem(field, "too_long"),
  );
}

function problem(field: AddressField, code: ProblemCode): FieldProblem {
  return { field, code, severity: code === "rfc_check_digit" ? "warning" : "error" };
}

type Check = (value: string, attributes: AddressAttributes) => ProblemCode | null;

const CHECKS: readonly (readonly [AddressField, Check])[] = [
  ["postal_code", checkPostalCode],
  ["country_code", (value) => (/^[A-Za-z]{2}$/.test(value) ? null : "country_code_format")],
  ["phone", (value, { country_code }) => (normalisePhone(value, country_code ?? "MX") ? null : "phone_format")],
  ["email", (value) => (isEmail(value) ? null : "email_format")],
  ["rfc", checkTaxId],
];

function checkPostalCode(value: string, attributes: AddressAttributes): ProblemCode | null {
  if (!isMexico(attributes.country_code)) return null;
  if (!/^\d{5}$/.test(value)) return "postal_code_format";
  const state = stateOfText(attributes.area_level1);
  return state && !postalCodeFits(value, state) ? "postal_code_state" : null;
}

function checkTaxId(value: string, { country_code }: AddressAttributes): ProblemCode | null {
  if (!isMexico(country_code)) return null;
  const verdict = checkRfc(value);
  if (verdict === "valid") return null;
  return verdict === "invalid" ? "rfc_format" : "rfc_check_digit";
}

const EMAIL = /^[^\s@<>(),;:"]+@(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]*[\p{L}\p{N}])?\.)+\p{L}{2,}$/u;

function isEmail(value: string): boolean {
  const [local = ""] = value.split("@");
  return EMAIL.test(value) && !local.startsWith(".") && !local.endsWith(".") && !local.includes("..");
}
