import type { ContactField, SplitField } from "../domain/address/form-fields.ts";
import { CONTACT_FIELDS, SPLIT_FIELDS } from "../domain/address/form-fields.ts";
import type {
  ComposedOrigin,
  ConfirmedSplit,
  ContactDetails,
  FieldProblem,
  OriginDetails,
} from "../domain/address/address.ts";
import { SHOPIFYS_OWN } from "../domain/address/address.ts";
import { composeOrigin } from "../domain/address/compose.ts";
import { placeSaid } from "../domain/address/place.ts";
import { restored } from "../domain/address/long-text.ts";
import { tooLong } from "../domain/address/validate.ts";
import type { ActivityRecord, DetailsRecord, LocationRecord, StatedDetails } from "../domain/records.ts";

export interface Judging {
  location: Pick<LocationRecord, "address" | "postal">;
  /** The shop's own contact. */
  shopContact: ContactDetails;
  before: DetailsRecord;
  stated: Pick<StatedDetails, "readFrom" | "contact" | "split">;
  /** Fields whose value becomes the shop's. */
  forAll: readonly ContactField[];
}

export interface JudgedDetails {
  /** What stops it; empty when it can be stored. */
  problems: FieldProblem[];
  contact: ContactDetails;
  /** What was said of the place. */
  split: ConfirmedSplit;
  /** Where that is kept. */
  place: Pick<OriginDetails, "split" | "held">;
  /** The shop's contact from then on. */
  shared: ContactDetails;
}

/** What a person's words about a location would make of its details, before anything is written. */
export function judgeDetails(judging: Judging): JudgedDetails {
  const { location, shopContact, before, stated } = judging;
  const shown = picked([...CONTACT_FIELDS], (field) => before.contact[field] ?? shopContact[field]);
  // The reference is the place's, and the shop's as long as nobody gave the place one.
  const there = { ...shown, ...before.split?.values };
  const said = restored(tidied(stated.contact, CONTACT_FIELDS), shown);
  const forAll = judging.forAll.filter((field) => field in said);
  // What is emptied gives way to the shop's, unless the shop's is what was shown.
  const emptied = (field: ContactField) => (before.contact[field] === null ? null : shopContact[field]);
  const shared = { ...shopContact, ...picked(forAll, (field) => said[field] ?? emptied(field)) };
  const contact = { ...before.contact, ...said, ...picked(forAll, () => null) };
  const split: ConfirmedSplit = {
    values: restored(tidied(stated.split, SPLIT_FIELDS), there) as ConfirmedSplit["values"],
    readFrom: stated.readFrom,
  };
  const { address, postal } = location;
  const place = placeSaid(before.held, split);
  const composed = composeOrigin({ address, postal, defaults: shared, details: { contact, ...place } });
  const long = tooLong({ ...said, ...split.values }, there);
  // What is Shopify's keeps the origin incomplete and does not stop a save.
  const problems = [...long, ...composed.problems].filter(
    ({ field, severity }) => severity === "error" && !SHOPIFYS_OWN.includes(field),
  );
  return { problems, contact, split, place, shared };
}

function picked<F extends string>(fields: F[], value: (field: F) => string | null): Partial<Record<F, string | null>> {
  return Object.fromEntries(fields.map((field) => [field, value(field)])) as Partial<Record<F, string | null>>;
}

function tidied<F extends string>(
  values: Partial<Record<F, string | null>>,
  fields: readonly F[],
): Partial<Record<F, string | null>> {
  return Object.fromEntries(
    fields.filter((field) => field in values).map((field) => [field, values[field]?.trim() || null]),
  ) as Partial<Record<F, string | null>>;
}

/** What the form showed of the split: what a person said before, or what was read in the location's text. */
function shownOf({ location, shopContact, before }: Judging): Record<SplitField, string | null> {
  const { address, postal } = location;
  const { fields } = composeOrigin({ address, postal, defaults: shopContact, details: before });
  const own = ({ value, source }: ComposedOrigin["fields"][SplitField]) => (source === "shop" ? null : value || null);
  return Object.fromEntries(SPLIT_FIELDS.map((field) => [field, own(fields[field])])) as Record<
    SplitField,
    string | null
  >;
}

/** Field by field, what becomes of what was shown. */
export function detailsChanges(
  judging: Judging,
  { contact, split }: Pick<JudgedDetails, "contact" | "split">,
): ActivityRecord["fields"] {
  const { before } = judging;
  const shown = shownOf(judging);
  const contacts = CONTACT_FIELDS.map((field) => ({
    field: field as string,
    from: before.contact[field],
    to: contact[field],
  }));
  const splits = SPLIT_FIELDS.map((field) => ({
    field: field as string,
    from: shown[field],
    to: split.values[field],
  }));
  return [...contacts, ...splits].filter(({ from, to }) => from !== to);
}
