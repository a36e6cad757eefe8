import { CONTACT_FIELDS } from "./form-fields.ts";
import { NO_ADDRESS } from "./address.ts";
import type { ContactDetails, FieldProblem } from "./address.ts";
import { tooLong, validateAddress } from "./validate.ts";

/** Contact details as they are stored: without white space around a value, and with null for an empty one. */
export function tidyContact(contact: ContactDetails): ContactDetails {
  return Object.fromEntries(CONTACT_FIELDS.map((field) => [field, contact[field]?.trim() || null])) as ContactDetails;
}

/**
 * What is wrong with the shop's contact details. Values must be well formed; a missing one is no problem, because a location may have its
 * own. `there`: the details as the form showed them.
 */
export function contactProblems(contact: ContactDetails, there?: ContactDetails): FieldProblem[] {
  const malformed = validateAddress({ ...NO_ADDRESS, country_code: "MX", ...contact }).filter(
    ({ field, code }) => code !== "missing" && (CONTACT_FIELDS as readonly string[]).includes(field),
  );
  return [...tooLong(contact, there), ...malformed];
}
