import { CONTACT_FIELDS } from "./form-fields.ts";
import { ADDRESS_FIELDS } from "./address.ts";
import type { AddressAttributes, ContactDetails, FieldProblem } from "./address.ts";
import { validateAddress } from "./validate.ts";

/** As it is stored: no white space around, and nothing said is null. */
export function tidyContact(contact: ContactDetails): ContactDetails {
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, contact[field]?.trim() || null])) as ContactDetails;
}

/** What is said must be well formed; what is left out each location may still say for itself. */
export function contactProblems(contact: ContactDetails): FieldProblem[] {
  const nothing = Object.fromEntries(ADDRESS_FIELDS.map((field) => [field, null])) as AddressAttributes;
  return validateAddress({ ...nothing, country_code: "MX", ...contact }).filter(
    ({ field, code }) => code !== "missing" && (CONTACT_FIELDS as readonly string[]).includes(field),
  );
}
