import { parsePhoneNumberFromString } from "libphonenumber-js";
import type { CountryCode } from "libphonenumber-js";
import { tidy } from "../address/fold.ts";

const TEN_DIGITS = /^[2-9]\d{9}$/;

/** Old Mexican prefixes: `01`, `044` and `045` before a national number, `1` after `+52`. None is valid any more. */
function withoutOldPrefix(digits: string): string | null {
  const national = digits
    .replace(/^(?:00)?52(?=1?\d{10}$)/, "")
    .replace(/^(?:044|045|01)(?=\d{10}$)/, "")
    .replace(/^1(?=\d{10}$)/, "");
  return TEN_DIGITS.test(national) ? national : null;
}

/** What follows the number itself, where every blank is a single one: `ext. 12`, `x12`, `(ext 3)`. */
const EXTENSION = / ?[,;(]? ?(?:ext(?:ensi[oó]n)?|x)\.? ?:? ?\d{1,6} ?\)?$/i;

/** No phone is longer, however it is written. */
const LONGEST = 100;

/**
 * A phone as the service takes it: ten digits for a Mexican number in a Mexican address, E.164 for any other. Null when the text is no
 * valid number. `countryCode` is the address's country; it tells how to read a number without a prefix.
 */
export function normalisePhone(text: string | null, countryCode: string): string | null {
  const given = tidy(text);
  if (given.length > LONGEST) return null;
  const written = given.replace(EXTENSION, "");
  if (/[a-z]/i.test(written)) return null;
  const country = (countryCode || "MX").toUpperCase();
  const digits = written.replace(/\D/g, "");
  const isForeign = /^(?:\+|00)/.test(written) && !/^(?:00)?52/.test(digits);
  const mexican = !isForeign && (country === "MX" || /^(?:00)?52/.test(digits)) ? withoutOldPrefix(digits) : null;
  const number = mexican
    ? parsePhoneNumberFromString(mexican, "MX")
    : parsePhoneNumberFromString(written.replace(/^00/, "+"), country as CountryCode);
  if (!number?.isValid()) return null;
  return country === "MX" && number.countryCallingCode === "52" ? number.nationalNumber : number.number;
}
