import type { ContactField } from "../domain/address/form-fields.ts";
import { CONTACT_FIELDS } from "../domain/address/form-fields.ts";
import type { ShopifyAddress } from "../domain/address/address.ts";
import { exclusionOf } from "../domain/origin-state.ts";
import type { OriginRecords } from "./read-origin-facts.ts";

/** The one location that ships, when there is only one: Home is its page then, and its contact is the whole shop's. */
export function onlyOriginOf(origins: OriginRecords[]): string | null {
  const shipping = origins.filter((origin) => exclusionOf(origin) === null);
  return shipping.length === 1 ? shipping[0]!.location.locationId : null;
}

/**
 * What the only origin says for the whole shop, so that a second location begins with it. Not the reference, which tells where one
 * door is, and no phone where Shopify has one of the location's own, for that comes before the shop's.
 */
export function contactForAll(address: ShopifyAddress): ContactField[] {
  return CONTACT_FIELDS.filter((field) => field !== "reference" && (field !== "phone" || address.phone === null));
}
