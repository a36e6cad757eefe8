import type { AddressAttributes, ShopifyAddress } from "./address.ts";

/** A location's address as Shopify holds it, in lines for a person. */
export function shopifyLines(address: ShopifyAddress): string[] {
  const { address1, address2, city, province, zip } = address;
  return shown([address1, address2, [zip, city].filter(Boolean).join(" "), province]);
}

/** A template's address in lines for a person, after Mexico's habit: street and numbers, colonia, postal code and municipality, state. */
export function templateLines(address: AddressAttributes): string[] {
  const { street1, street_number, apartment_number, area_level1, area_level2, area_level3, postal_code } = address;
  return shown([
    [street1, street_number, interior(apartment_number ?? "")].filter(Boolean).join(" "),
    area_level3,
    [postal_code, area_level2].filter(Boolean).join(" "),
    area_level1,
  ]);
}

/** A number or a letter alone would be taken for more of the street's number. "int." is what an address has in either language. */
function interior(apartment: string): string {
  return /^\d|^\p{L}$/u.test(apartment) ? `int. ${apartment}` : apartment;
}

/** Without Shopify's word joiner between street and number, which means nothing to a reader. */
function shown(lines: (string | null)[]): string[] {
  return lines.map((line) => (line ?? "").replaceAll("\u2060", "").replace(/\s+/g, " ").trim()).filter(Boolean);
}
