import { likelySame, placeOf } from "../address/compare.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import type { AddressAttributes } from "../address/address.ts";
import { markerNow, markerOf } from "../marker.ts";
import type { AddressTemplate, DetailsRecord, LocationRecord, TemplateDraft } from "../records.ts";
import { differs, valuesOfDraft, valuesOfTemplate } from "./three-way.ts";
import type { Field } from "./three-way.ts";
import type { IndexedTemplate, TemplateIndex } from "../template-index.ts";

/** Templates of the account that may already stand for a location. The owner is asked about them before the app creates another one. */

export interface Proposal {
  template: AddressTemplate;
  how: "marker" | "equal" | "likely";
  differences: { field: Field; ours: string | null; theirs: string | null }[];
}

export interface ProposalFacts {
  location: LocationRecord;
  details: Pick<DetailsRecord, "marker"> | null;
  /** The account's templates without a link; null while the whole book was never read. */
  free: TemplateIndex | null;
  /** Markers of this shop's other existing locations: their templates are not up for adoption. */
  otherMarkers: ReadonlySet<string>;
}

/** Templates of the account that may stand for the location, the surest first. */
export function proposalsFor(facts: ProposalFacts, draft: TemplateDraft): Proposal[] {
  const { location, details, free, otherMarkers } = facts;
  if (!free) return [];
  const ours = placeOf(wholeAddress(draft));
  // Of a location that has moved the template of before may be it, in an account of before; its owner is asked.
  const own = [...new Set([markerNow(location, details), markerOf(location.shop, location.locationId)])];
  const how = ({ template, place, marker }: IndexedTemplate): Proposal["how"] | null => {
    if ((marker !== null && own.includes(marker)) || template.address_type !== draft.address_type) return null;
    if (marker !== null && otherMarkers.has(marker)) return null;
    if (place.canonical === ours.canonical) return "equal";
    return likelySame(place, ours) ? "likely" : null;
  };
  // Both ways of being alike need the same postal code, so only those templates are compared.
  const alike = free.of(ours.postalCode);
  const found = (as: Proposal["how"], among: readonly IndexedTemplate[]) =>
    among.map(({ template }) => ({ template, how: as, differences: differencesBetween(draft, template) }));
  return [
    ...found(
      "marker",
      own.flatMap((marker) => free.marked(marker)),
    ),
    ...found(
      "equal",
      alike.filter((each) => how(each) === "equal"),
    ),
    ...found(
      "likely",
      alike.filter((each) => how(each) === "likely"),
    ),
  ];
}

/** What linking to this template would change in it: the fields for which we have a value that differs. */
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
