import { canonicalAddress, likelySame } from "./address-compare.ts";
import { ADDRESS_FIELDS } from "./address.ts";
import type { AddressAttributes } from "./address.ts";
import { markerIn, markerOf } from "./marker.ts";
import type { AddressTemplate, LocationRecord, TemplateDraft } from "./records.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Field } from "./three-way.ts";

/** Which templates of the account may stand for a location already: its owner is asked before anything is made beside them. */

export interface Proposal {
  template: AddressTemplate;
  how: "marker" | "equal" | "likely";
  differences: { field: Field; ours: string | null; theirs: string | null }[];
}

export interface ProposalFacts {
  location: LocationRecord;
  /** The account's templates that nobody's link holds; null while the whole book was never read. */
  free: AddressTemplate[] | null;
  /** Markers of this shop's other living locations: their templates are not up for adoption. */
  otherMarkers: ReadonlySet<string>;
}

/** Templates of the account that already stand for a location, the surest first. */
export function proposalsFor(facts: ProposalFacts, draft: TemplateDraft): Proposal[] {
  const ours = wholeAddress(draft);
  const postalCode = ours.postal_code?.trim();
  const marker = markerOf(facts.location.shop, facts.location.locationId);
  const how = (template: AddressTemplate): Proposal["how"] | null => {
    const carried = markerIn(template.alias_name);
    if (carried === marker) return "marker";
    // Both kinds of likeness need it, and it is cheap: a book may hold thousands.
    if (template.address.postal_code?.trim() !== postalCode) return null;
    if (template.address_type !== draft.address_type || (carried !== null && facts.otherMarkers.has(carried)))
      return null;
    if (canonicalAddress(template.address) === canonicalAddress(ours)) return "equal";
    return likelySame(template.address, ours) ? "likely" : null;
  };
  const found = (facts.free ?? []).flatMap((template) => {
    const known = how(template);
    return known ? [{ template, how: known, differences: differencesBetween(draft, template) }] : [];
  });
  const order = ["marker", "equal", "likely"];
  return found.sort((a, b) => order.indexOf(a.how) - order.indexOf(b.how));
}

/** Field by field, where we have something to say: what linking to this template would change in it. */
export function differencesBetween(draft: TemplateDraft, template: AddressTemplate): Proposal["differences"] {
  const ours = valuesOfDraft(draft);
  const theirs = valuesOfTemplate(template);
  return (Object.keys(ours) as Field[])
    .filter((field) => (ours[field] ?? "") !== "" && theirs[field] !== undefined)
    .filter((field) => differs(field, ours[field], theirs[field]))
    .map((field) => ({ field, ours: ours[field] ?? null, theirs: theirs[field] ?? null }));
}

function wholeAddress(draft: TemplateDraft): AddressAttributes {
  const entries = ADDRESS_FIELDS.map((field) => [field, draft.address_attributes[field] ?? null]);
  return Object.fromEntries(entries) as AddressAttributes;
}
