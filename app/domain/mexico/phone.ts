import { parsePhoneNumberFromString } from "libphonenumber-js";
import type { CountryCode } from "libphonenumber-js";
import { tidy } from "../address/fold.ts";
import { isForeignNumber, withoutOldPrefix } from "./phone-prefix.ts";

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
  const isForeign = isForeignNumber(written);
  const mexican = !isForeign && (country === "MX" || /^(?:00)?52/.test(digits)) ? withoutOldPrefix(digits) : null;
  const number = mexican
    ? parsePhoneNumberFromString(mexican, "MX")
    : parsePhoneNumberFromString(written.replace(/^00/, "+"), country as CountryCode);
  if (!number?.isValid()) return null;
  return country === "MX" && number.countryCallingCode === "52" ? number.nationalNumber : number.number;
}
