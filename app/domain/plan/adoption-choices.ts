import type { ContactField } from "../address/form-fields.ts";
import type { ProblemCode } from "../address/address.ts";

/**
 * What an owner chooses between a template's contact and a location's. What the choice is between is found in `adoption.ts`, which knows the
 * phones of every country: a page that only chooses does without those.
 */

export type Side = "ours" | "theirs";

/** What the owner chose where both sides have a value; a field that is absent follows the rule. */
export type AdoptionChoices = Partial<Record<ContactField, Side>>;

/** A field in which the two sides differ. */
export interface AdoptedField {
  field: ContactField;
  ours: string | null;
  theirs: string | null;
  /** Whose value the template holds afterwards. */
  stays: Side;
  /** Both sides have a value that can be kept, so that the owner may choose. */
  isOpen: boolean;
  /** Why the template's value cannot be kept as the location's own; it is only shown then. */
  problem: ProblemCode | null;
}

/** The same fields, with what the owner chooses instead. */
export function withChoices(fields: AdoptedField[], choices: AdoptionChoices): AdoptedField[] {
  return fields.map((one) => (one.isOpen ? { ...one, stays: choices[one.field] ?? one.stays } : one));
}

/** Every choice that is open, as it stands. */
export function choicesIn(fields: AdoptedField[]): AdoptionChoices {
  return Object.fromEntries(fields.filter(({ isOpen }) => isOpen).map(({ field, stays }) => [field, stays]));
}

/** The fields of which the template's value becomes the location's own. */
export function keptFields(fields: AdoptedField[]): ContactField[] {
  return fields
    .filter(({ stays, theirs, problem }) => stays === "theirs" && theirs !== null && problem === null)
    .map(({ field }) => field);
}
