import { tidy } from "./fold.ts";
import type { ShopifyAddress } from "./address.ts";

/**
 * The text in Shopify that a confirmed split is bound to: all of a location's address except its phone. Spellings that differ only in white
 * space or U+2060 are one text, so that no split lapses because Shopify reformats an address.
 */
export function addressText(address: ShopifyAddress): string {
  const { address1, address2, city, zip, provinceCode, province, countryCode } = address;
  return [address1, address2, city, zip, provinceCode || province, countryCode].map(tidy).join("\n");
}
