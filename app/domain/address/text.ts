import { tidy } from "./fold.ts";
import type { ShopifyAddress } from "./address.ts";

/**
 * The Shopify text a confirmed split is bound to: everything that says where the location is, and not its phone.
 * Two spellings that differ in white space or U+2060 alone are one text, so that Shopify's own reformatting lapses nothing.
 */
export function addressText(address: ShopifyAddress): string {
  const { address1, address2, city, zip, provinceCode, province, countryCode } = address;
  return [address1, address2, city, zip, provinceCode || province, countryCode].map(tidy).join("\n");
}
