import { CONTACT_FIELDS } from "./form-fields.ts";
import { NO_ADDRESS } from "./address.ts";
import type { ContactDetails, FieldProblem } from "./address.ts";
import { validateAddress } from "./validate.ts";

/** As it is stored: no white space around, and nothing said is null. */
export function tidyContact(contact: ContactDetails): ContactDetails {
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, contact[field]?.trim() || null])) as ContactDetails;
}

/** What is said must be well formed; what is left out each location may still say for itself. */
export function contactProblems(contact: ContactDetails): FieldProblem[] {
  return validateAddress({ ...NO_ADDRESS, country_code: "MX", ...contact }).filter(
    ({ field, code }) => code !== "missing" && (CONTACT_FIELDS as readonly string[]).includes(field),
  );
}
