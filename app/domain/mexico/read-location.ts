/**
 * Mexican addresses: how a Shopify location's text is read, and the rules of its states, phones and RFC. Pure text in, fields out; nothing
 * here knows a shop, a template or a confirmed split.
 *
 * A line is cut into tokens, and the tokens into pieces at the marks that people write (`Col.`, `#`, `Int.`, `Km`, …). The street is what
 * stands before the house number. The other pieces are read as interior, colonia, alcaldía and cross streets. Every value says whether
 * another reading of the same words is as good.
 */

import { fold, tidy } from "../address/fold.ts";
import type { AddressReading, FieldReading, ShopifyAddress } from "../address/address.ts";
import { isMexico } from "../address/validate.ts";
import { cityOf, readMunicipality, strayCity } from "./municipality.ts";
import { listedNames } from "./postal/listed-names.ts";
import type { PostalFacts } from "./postal-codes.ts";
import { normalisePhone } from "./phone.ts";
import { readLines } from "./read-lines.ts";
import type { Said } from "./found.ts";
import { settleByCode } from "./postal/settle-by-code.ts";
import { CAPITAL, findState } from "./states.ts";

/**
 * Reads a location's address from its own text. A value with another reading as good is `unsure`: it is prefilled for a person and never
 * sent before somebody confirmed it. What the list of postal codes says of the address's code settles what words leave open. Outside Mexico the lines are taken as they are, and so is a text that no carrier prints.
 */
export function readLocationAddress(address: ShopifyAddress, postal: PostalFacts | null): AddressReading {
  const country = tidy(address.countryCode).toUpperCase();
  const shared = {
    country_code: reading(country === "" ? null : country, true),
    phone: phoneReading(address.phone, country),
  };
  if (!isMexico(country)) return { ...shared, ...takeAsTyped(address, true) };
  return {
    ...shared,
    ...(isReadable(address)
      ? settleByCode(readMexican(address, postal), { postal, cityTyped: cityAlone(address) })
      : takeAsTyped(address, false)),
  };
}

/** Shopify keeps at most 255 characters of a line. What is longer comes from no form of theirs, and is left to a person. */
const LONGEST_READ = 500;

/** The city, without the state that some write behind it. */
const cityAlone = ({ city, provinceCode, province }: ShopifyAddress): string =>
  cityOf(city, findState(provinceCode, province));

const isReadable = ({ address1, address2, city, province, provinceCode, zip }: ShopifyAddress): boolean =>
  [address1, address2, city, province, provinceCode, zip].every((text) => (text ?? "").length <= LONGEST_READ);

type PlaceReading = Omit<AddressReading, "country_code" | "phone">;

function takeAsTyped(address: ShopifyAddress, isSure: boolean): PlaceReading {
  const { address1, address2, city, province, provinceCode, zip } = address;
  const asTyped = (text: string | null) => reading(tidy(text) || null, isSure);
  return {
    street1: asTyped(address1),
    street_number: reading(null, false),
    apartment_number: asTyped(address2),
    postal_code: asTyped(zip),
    area_level1: asTyped(province || provinceCode),
    area_level2: asTyped(city),
    area_level3: reading(null, false),
    reference: reading(null, false),
  };
}

function readMexican(address: ShopifyAddress, postal: PostalFacts | null): PlaceReading {
  const state = findState(address.provinceCode, address.province);
  const stateCode = state?.code ?? null;
  const zip = postalCode(address.zip, stateCode === CAPITAL);
  const city = cityOf(address.city, state);
  const names = listedNames(postal?.code === zip ? postal : null);
  const lines = readLines(address.address1, address.address2, { city, zip, stateCode, names });
  const municipality = readMunicipality({ city, zip, state, borough: lines.borough });
  return {
    street1: saidReading(lines.street),
    street_number: saidReading(lines.number),
    apartment_number: saidReading(lines.interior),
    postal_code: reading(zip || null, /^\d{5}$/.test(zip)),
    area_level1: reading(state?.name ?? null, true),
    area_level2: saidReading(municipality),
    area_level3: saidReading(lines.colonia ?? strayCity(city, state)),
    reference: saidReading(lines.reference),
  };
}

/** The five digits of an address in Mexico; null where it has none. */
export function postalCodeOf({ countryCode, provinceCode, province, zip }: ShopifyAddress): string | null {
  if (!isMexico(countryCode)) return null;
  const code = postalCode(zip, findState(provinceCode, province)?.code === CAPITAL);
  return /^\d{5}$/.test(code) ? code : null;
}

/** Five digits. A spreadsheet drops the leading zero of a postal code of Mexico City; it is put back. */
function postalCode(text: string | null, isMexicoCity: boolean): string {
  const digits = fold(text)
    .replace(/^c\.?\s*p\.?\s*/, "")
    .replace(/\s/g, "");
  return isMexicoCity && /^\d{4}$/.test(digits) ? `0${digits}` : digits;
}

function phoneReading(text: string | null, country: string): FieldReading {
  const typed = tidy(text);
  const phone = normalisePhone(typed, country);
  return phone === null ? reading(typed || null, false) : reading(phone, true);
}

const saidReading = (said: Said | null): FieldReading => reading(said?.text || null, said?.isSure ?? false);

function reading(value: string | null, isSure: boolean): FieldReading {
  if (value === null) return { value, source: "none", confidence: "absent" };
  return isSure ? { value, source: "shopify", confidence: "sure" } : { value, source: "guess", confidence: "unsure" };
}
