import { splitAddress1, splitAddress2 } from "@shopify/worldwide";

import { tidy } from "../address/fold.ts";

/** The two parts of a line in Shopify's Mexican form; the second is null where the line is free text. */
type Sides = [first: string, second: string | null];

/** `address1` in Shopify's form: street, a space and U+2060, exterior number. */
export function streetSides(address1: string | null): Sides {
  const parts = splitAddress1("MX", address1 ?? "");
  return [tidy(parts?.streetName), tidy(parts?.streetNumber) || null];
}

/** `address2` in Shopify's form: second line, a space and U+2060, neighbourhood. */
export function secondSides(address2: string | null): Sides {
  const parts = splitAddress2("MX", address2 ?? "");
  return [tidy(parts?.line2), tidy(parts?.neighborhood) || null];
}
