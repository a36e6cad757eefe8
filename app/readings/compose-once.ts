import type { ComposedOrigin, OriginDetails } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import { rememberWork } from "./remember-work.ts";

const of = ({ contact, split, held }: OriginDetails): OriginDetails => ({ contact, split, held });

type Given = Parameters<typeof composeOrigin>[0];

const compose = rememberWork(composeOrigin);

/**
 * `composeOrigin`, remembered: reading an address is the dearest thing a list of a thousand locations does, and it depends on its words
 * alone.
 */
export function composeOnce({ address, postal, defaults, details }: Given): ComposedOrigin {
  // Of a whole record only what is said of the address: when that was said changes nothing.
  return compose({ address, postal, defaults, details: details && of(details) });
}
