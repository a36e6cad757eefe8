import type { AddressField } from "../address/address.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import { fold, foldedWords, tidy } from "../address/fold.ts";
import { numberInStreet } from "../mexico/number-in-street.ts";
import { isForeignNumber } from "../mexico/phone-prefix.ts";
import type { TypedAddress } from "./lines.ts";

/** What a label or a carrier may stumble over; the locales hold words for each (`label:warning.<code>`), docs/labels.md their sources. */
export type WarningCode =
  | "unprintable"
  | "empty_reference"
  | "one_word_name"
  | "rfc_public"
  | "rfc_foreign"
  | "number_in_street"
  | "no_number"
  | "phone_abroad";

export interface AddressWarning {
  field: AddressField;
  code: WarningCode;
  /** What of the value it is about, as it was typed; "" where the words say it. */
  shown: string;
}

/** No field takes more; what is longer is told so when it is saved. */
const LONGEST_JUDGED = 500;

/**
 * What is known to be cut, printed otherwise or refused of an address, field by field, in the order of the fields. Only fields that are given
 * are judged, and what is wrong in form is left to `validateAddress`. A warning never stops anything.
 */
export function warningsOf(address: TypedAddress): AddressWarning[] {
  const country = tidy(address.country_code).toUpperCase();
  const rules = country === "" || country === "MX" ? { ...EVERYWHERE, ...IN_MEXICO } : EVERYWHERE;
  return ADDRESS_FIELDS.flatMap((field) => {
    const text = tidy(address[field]?.slice(0, LONGEST_JUDGED));
    const strange = text === "" ? "" : unprintable(text);
    const found = address[field] === undefined ? null : (rules[field]?.(text, address) ?? null);
    return [
      ...(strange === "" ? [] : [{ field, code: "unprintable" as const, shown: strange }]),
      ...(found === null ? [] : [{ field, ...found }]),
    ];
  });
}

type Rule = (text: string, address: TypedAddress) => Omit<AddressWarning, "field"> | null;

const EVERYWHERE: Partial<Record<AddressField, Rule>> = {
  name: (text) => (text !== "" && foldedWords(text).length === 1 ? { code: "one_word_name", shown: "" } : null),
  reference: (text) => (text !== "" && saysNothing(text) ? { code: "empty_reference", shown: text } : null),
};

const IN_MEXICO: Partial<Record<AddressField, Rule>> = {
  street_number: (text, { street1 }) => {
    const street = tidy(street1?.slice(0, LONGEST_JUDGED));
    if (text !== "" || street === "") return null;
    const inStreet = numberInStreet(street);
    return inStreet === null ? { code: "no_number", shown: "" } : { code: "number_in_street", shown: inStreet };
  },
  phone: (text) => (isForeignNumber(text) ? { code: "phone_abroad", shown: "" } : null),
  rfc: (text) => {
    const code = GENERIC_RFCS.get(fold(text).replace(/[^a-z0-9]/g, ""));
    return code === undefined ? null : { code, shown: "" };
  },
};

/** The tax authority's for whoever has none of their own. */
const GENERIC_RFCS = new Map<string, WarningCode>([
  ["xaxx010101000", "rfc_public"],
  ["xexx010101000", "rfc_foreign"],
]);

/** What people write where a form demands a reference. A text of such words alone tells no door from another. */
const NOTHING_SAID = new Set(
  `s n sn na a no aplica hay tiene tengo ninguna ninguno alguna nada sin pendiente referencia referencias ref datos dato numero especificar
  conocida conocido la de del con none reference`.split(/\s+/),
);

const saysNothing = (text: string): boolean =>
  foldedWords(text).every((word) => NOTHING_SAID.has(word) || /^(?:x+|0+)$/.test(word));

/** Most characters named in one warning. */
const MOST_NAMED = 5;

/**
 * Characters that are not in Latin-1, the set of Spanish labels: emoji, letters of other scripts, signs of a word processor. Each once; one
 * that cannot be seen by its number.
 */
function unprintable(text: string): string {
  const strange = new Set(Array.from(text).filter((one) => !/^[ -~\u00a0-\u00ff]$/u.test(one)));
  return [...strange].slice(0, MOST_NAMED).map(named).join(" ");
}

const named = (one: string): string =>
  /^[\p{C}\p{M}\p{Z}]$/u.test(one) ? `U+${one.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}` : one;
