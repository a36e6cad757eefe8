import { fold, foldedWords, tidy } from "./address-fold.ts";
import type { AddressAttributes, AddressField } from "./address.ts";
import { normalisePhone } from "./mexico/phone.ts";
import { withoutColoniaKind, withoutStreetKind } from "./mexico/words.ts";

/**
 * Whether they changed a field: white space, U+2060, the forms of a phone and "no value" in its three spellings
 * (null, empty, blank) are one; case and accents count.
 */
export function differsForThem(field: AddressField, ours: string | null, theirs: string | null): boolean {
  const form = field === "phone" ? phoneForm : tidy;
  return form(ours) !== form(theirs);
}

function phoneForm(text: string | null): string {
  const national = normalisePhone(text, "MX");
  return (national ?? tidy(text)).replace(/[\s().\-+]/g, "");
}

/**
 * The place an address stands for, for adopting a template that already holds it: case, accents, punctuation, marks and
 * kinds of way and colonia are one, as are a number inside `street1` and one in `street_number`. Who is there (name, phone, e-mail) plays no part.
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

/** Whether two addresses are likely one origin: same postal code, a street with the same words, and a name in common. */
export function likelySame(a: AddressAttributes, b: AddressAttributes): boolean {
  if (tidy(a.postal_code) === "" || tidy(a.postal_code) !== tidy(b.postal_code)) return false;
  return sharesWords(streetWords(a), streetWords(b)) && sharesName(a, b);
}

function sharesWords(a: string[], b: string[]): boolean {
  const [few, many] = a.length <= b.length ? [a, b] : [b, a];
  return few.length > 0 && few.every((word) => many.includes(word));
}

function sharesName(a: AddressAttributes, b: AddressAttributes): boolean {
  const names = (of: AddressAttributes) => [of.name, of.company].map(fold).filter((name) => name !== "");
  const theirs = new Set(names(b));
  return names(a).some((name) => theirs.has(name));
}
