import { tidy } from "./fold.ts";
import type { ShopifyAddress } from "./address.ts";

/**
 * Whether a location stands in another country than Mexico, by Shopify's code of it. One without a country is not: it lacks something that
 * its owner can add.
 */
export function isAbroad({ countryCode }: Pick<ShopifyAddress, "countryCode">): boolean {
  return !["", "MX"].includes(tidy(countryCode).toUpperCase());
}
