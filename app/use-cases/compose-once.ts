import type { ComposedOrigin, ContactDetails, OriginDetails, ShopifyAddress } from "../domain/address.ts";
import { composeOrigin } from "../domain/address-compose.ts";

/** Enough for the stores that are being looked at; the one looked at longest ago makes room. */
const KEPT = 20_000;

const known = new Map<string, ComposedOrigin>();

/**
 * `composeOrigin`, remembered: reading an address is the dearest thing a list of a thousand locations does, and it depends on nothing
 * but its words. What comes out is shared, so it is only to be read.
 */
export function composeOnce(input: {
  address: ShopifyAddress;
  defaults: ContactDetails;
  details: OriginDetails | null;
}): ComposedOrigin {
  const { address, defaults, details } = input;
  const key = JSON.stringify([address, defaults, details?.contact, details?.split]);
  const composed = known.get(key) ?? composeOrigin(input);
  known.delete(key);
  known.set(key, composed);
  if (known.size > KEPT) known.delete(known.keys().next().value!);
  return composed;
}
