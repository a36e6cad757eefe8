import type { ConfirmedSplit, HeldPlace, PlaceField, PlaceValues, ShopifyAddress } from "./address.ts";
import { SHOPIFYS_OWN } from "./address.ts";
import { fold, foldedWords, tidy } from "./fold.ts";
import { eachField, SPLIT_FIELDS } from "./form-fields.ts";
import { addressText } from "./text.ts";
import { withoutStreetKind } from "../mexico/words.ts";

/** Places apart from Shopify's own address: the one that a location moves to, and the one that is held over what Shopify shows. */

export const PLACE_FIELDS: readonly PlaceField[] = [...SPLIT_FIELDS, ...(SHOPIFYS_OWN as PlaceField[])];

/** Where an address is, without whom it is for. */
export function placeIn(address: PlaceValues): PlaceValues {
  return eachField(PLACE_FIELDS, (field) => tidy(address[field]) || null);
}

/**
 * Whether Shopify's address is this place: country and postal code are the same, and its lines have every word of the street and the number.
 * The colonia and a number inside play no part, because Shopify has no field for either.
 */
export function showsPlace(address: ShopifyAddress, place: PlaceValues): boolean {
  if (fold(address.countryCode) !== fold(place.country_code)) return false;
  if (tidy(address.zip) === "" || tidy(address.zip) !== tidy(place.postal_code)) return false;
  const lines = new Set(foldedWords(`${address.address1 ?? ""} ${address.address2 ?? ""}`));
  const words = foldedWords(`${withoutStreetKind(place.street1 ?? "")} ${place.street_number ?? ""}`);
  return words.length > 0 && words.every((word) => lines.has(word));
}

/** What a place says beside Shopify's address, once that one shows it. */
export function splitOf(place: PlaceValues, address: ShopifyAddress): ConfirmedSplit {
  return { values: eachField(SPLIT_FIELDS, (field) => place[field]), readFrom: addressText(address) };
}

/** What a person says of the place of a location goes where its place is: into the one that is held, else beside Shopify's text. */
export function placeSaid(
  held: HeldPlace | null,
  split: ConfirmedSplit | null,
): { held: HeldPlace | null; split: ConfirmedSplit | null } {
  if (!held || !split) return { held, split };
  return { held: { ...held, values: { ...held.values, ...split.values } }, split: null };
}

/** What a held place becomes where Shopify's own address holds from now on: a split of before would make a mixed address with it. */
export const SHOPIFYS_HOLDS = { held: null, split: null } as const;
