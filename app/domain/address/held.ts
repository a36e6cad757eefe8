import { addressText } from "./text.ts";
import type {
  ContactDetails,
  ConfirmedSplit,
  HeldPlace,
  OriginDetails,
  PlaceValues,
  ShopifyAddress,
} from "./address.ts";
import { composeOrigin } from "./compose.ts";
import { placeIn, showsPlace, splitOf } from "./place.ts";
import type { PostalFacts } from "../mexico/postal-codes.ts";

/** Shopify has told another address of a location that moves, or that has moved. */

/** `early`: the coming place is shown before the day. `shown`: the place that was held. `elsewhere`: a third one, so that the owner is asked. */
export type HeldNews = "early" | "shown" | "elsewhere";

export interface AfterText {
  held: HeldPlace | null;
  split: ConfirmedSplit | null;
  news: HeldNews | null;
}

interface Told {
  before: { address: ShopifyAddress; postal: PostalFacts | null };
  after: ShopifyAddress;
  details: OriginDetails;
  defaults: ContactDetails;
  /** Where the location is to move; null where it is not. */
  coming: PlaceValues | null;
}

/** What becomes of the place that is held; null where nothing does. */
export function heldAfter({ before, after, details, defaults, coming }: Told): AfterText | null {
  const { held, split } = details;
  const text = addressText(after);
  const showsComing = coming !== null && showsPlace(after, coming);
  if (held) {
    if (showsPlace(after, held.values)) return { held: null, split: splitOf(held.values, after), news: "shown" };
    if (held.why === "early" && showsComing) return { held: { ...held, against: text }, split, news: null };
    return held.against === text ? null : { held, split, news: "elsewhere" };
  }
  if (!showsComing || showsPlace(before.address, coming)) return null;
  const { attributes } = composeOrigin({ ...before, defaults, details });
  // Of an address that was never whole nothing was sent, so there is nothing to hold.
  if (!attributes) return null;
  return { held: { values: placeIn(attributes), against: text, why: "early" }, split: null, news: "early" };
}

/** The place of a location that has just moved: Shopify's own address, where it shows the place already, else held over what it shows. */
export function heldFrom(
  place: PlaceValues,
  { address, held }: { address: ShopifyAddress; held: HeldPlace | null },
): { held: HeldPlace | null; split: ConfirmedSplit | null } {
  if (showsPlace(address, place)) return { held: null, split: splitOf(place, address) };
  return { held: { values: place, against: held?.against ?? addressText(address), why: "moved" }, split: null };
}
