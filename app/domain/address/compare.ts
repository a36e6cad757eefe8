import { fold, foldedWords, tidy } from "./fold.ts";
import type { AddressAttributes, AddressField } from "./address.ts";
import { normalisePhone } from "../mexico/phone.ts";
import { normaliseRfc } from "../mexico/rfc.ts";
import { withoutColoniaKind, withoutStreetKind } from "../mexico/words.ts";

/**
 * Whether the service's value differs from ours for a reader. White space, U+2060, the forms of a phone and the three spellings of "no
 * value" (null, empty, blank) make no difference, nor do the spaces, hyphens and case of an RFC; elsewhere case and accents do.
 */
export function differsForThem(field: AddressField, ours: string | null, theirs: string | null): boolean {
  const form = field === "phone" ? phoneForm : field === "rfc" ? rfcForm : tidy;
  return form(ours) !== form(theirs);
}

function phoneForm(text: string | null): string {
  const national = normalisePhone(text, "MX");
  return (national ?? tidy(text)).replace(/[\s().\-+]/g, "");
}

function rfcForm(text: string | null): string {
  return normaliseRfc(tidy(text));
}

/**
 * The place an address stands for, as text to compare: used to find a template that already holds it. Case, accents, punctuation, number
 * marks and kinds of way and colonia make no difference, nor does a number written in `street1` instead of `street_number`. The person
 * (name, phone, e-mail) plays no part.
 */
export function canonicalAddress(attributes: AddressAttributes): string {
  return [
    streetWords(attributes),
    coloniaWords(attributes),
    tidy(attributes.postal_code),
    fold(attributes.country_code),
  ]
    .map((part) => (typeof part === "string" ? part : part.join(" ")))
    .join("|");
}

const NO_NUMBER = /\b(?:s\s*\/\s*n|s\.\s*n\.|sin\s+(?:numero|num|no)\b)/g;
const NUMBER_MARKS = new Set(["no", "num", "numero", "n", "int", "interior", "ext", "exterior", "sn"]);

function streetWords(attributes: AddressAttributes): string[] {
  const { street1, street_number, apartment_number } = attributes;
  const text = [withoutStreetKind(street1 ?? ""), street_number, apartment_number].filter(Boolean).join(" ");
  return foldedWords(fold(text).replace(NO_NUMBER, " ")).filter((word) => !NUMBER_MARKS.has(word));
}

function coloniaWords(attributes: AddressAttributes): string[] {
  return withoutColoniaKind(foldedWords(attributes.area_level3));
}

/** What of an address is compared with other addresses, computed once because it is compared with many. */
export interface Place {
  canonical: string;
  postalCode: string;
  street: readonly string[];
  /** The names of the person and the company. */
  names: ReadonlySet<string>;
}

export function placeOf(attributes: AddressAttributes): Place {
  const names = [attributes.name, attributes.company].map(fold).filter((name) => name !== "");
  return {
    canonical: canonicalAddress(attributes),
    postalCode: tidy(attributes.postal_code),
    street: streetWords(attributes),
    names: new Set(names),
  };
}

/** Whether two places are likely one origin: same postal code, a street with the same words, and a name in common. */
export function likelySame(a: Place, b: Place): boolean {
  if (a.postalCode === "" || a.postalCode !== b.postalCode) return false;
  return [...a.names].some((name) => b.names.has(name)) && sharesWords(a.street, b.street);
}

function sharesWords(a: readonly string[], b: readonly string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  const known = new Set(many);
  return few.length > 0 && few.every((word) => known.has(word));
}
