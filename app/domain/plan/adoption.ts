import { CONTACT_FIELDS, SPLIT_FIELDS } from "../address/form-fields.ts";
import type { ContactField, SplitField } from "../address/form-fields.ts";
import { contactProblems } from "../address/contact-details.ts";
import { ADDRESS_FIELDS } from "../address/address.ts";
import type {
  AddressAttributes,
  ComposedOrigin,
  ConfirmedSplit,
  ContactDetails,
  OriginDetails,
  ProblemCode,
} from "../address/address.ts";
import { placeSaid } from "../address/place.ts";
import { differsForThem } from "../address/compare.ts";
import { mixed } from "../marker.ts";
import { keptFields } from "./adoption-choices.ts";
import type { AdoptedField, AdoptionChoices, Side } from "./adoption-choices.ts";

/**
 * What becomes of the contact when a template of the account comes to stand for a location. The address book often knows better than the
 * store who answers at a door and how to find it, so its values stay, as this location's own. What the owner has typed for this location
 * comes before them. The owner sees both and may choose otherwise, field by field.
 */

/** What holds of a field without the template; `typed`: the owner has said it for this location. */
export interface OwnSide {
  value: string | null;
  typed: boolean;
}

export function adoptedFields({
  own,
  theirs,
  choices = {},
}: {
  own: Record<ContactField, OwnSide>;
  theirs: Pick<AddressAttributes, ContactField>;
  choices?: AdoptionChoices | undefined;
}): AdoptedField[] {
  return CONTACT_FIELDS.flatMap((field): AdoptedField[] => {
    const { value: ours, typed } = own[field];
    const there = theirs[field]?.trim() || null;
    if (!differsForThem(field, ours, there)) return [];
    const problem = there === null ? null : problemOf(field, there);
    const isOpen = ours !== null && there !== null && problem === null;
    return [
      { field, ours, theirs: there, stays: isOpen ? (choices[field] ?? usual(typed)) : only(ours), isOpen, problem },
    ];
  });
}

function usual(typed: boolean): Side {
  return typed ? "ours" : "theirs";
}

/** Without a choice: a value of ours is written, and where we have none, the template's is left alone. */
function only(ours: string | null): Side {
  return ours === null ? "theirs" : "ours";
}

/** What keeps a template's value from being the location's own. */
export function problemOf(field: ContactField, value: string): ProblemCode | null {
  const nobody = Object.fromEntries(CONTACT_FIELDS.map((each) => [each, null])) as ContactDetails;
  const [problem] = contactProblems({ ...nobody, [field]: value }).filter(({ severity }) => severity === "error");
  return problem?.code ?? null;
}

export function ownSides({ fields }: Pick<ComposedOrigin, "fields">): Record<ContactField, OwnSide> {
  const entries = CONTACT_FIELDS.map((field) => {
    const { value, source } = fields[field];
    return [field, { value, typed: value !== null && source === "owner" }];
  });
  return Object.fromEntries(entries) as Record<ContactField, OwnSide>;
}

/** Tells one state of a location's own values from any other: a choice between two values holds for those two. */
export function ownVersion({ fields }: Pick<ComposedOrigin, "fields">): string {
  return mixed(JSON.stringify(ADDRESS_FIELDS.map((field) => fields[field].value))).toString(36);
}

/**
 * The owner's details once the template stands for the location: what stays of its contact, as this location's own, and what the location's
 * text does not tell for sure of the place. A reference belongs to the place, so that it lapses when the address changes.
 */
export function adoptedDetails({
  details,
  composed,
  readFrom,
  defaults,
  theirs,
  fields,
}: {
  details: OriginDetails;
  composed: ComposedOrigin;
  /** `addressText` of the location. */
  readFrom: string;
  defaults: ContactDetails;
  theirs: AddressAttributes;
  fields: AdoptedField[];
}): OriginDetails {
  const kept = keptFields(fields);
  const there = (field: ContactField | SplitField) => theirs[field]?.trim() || null;
  const own = kept.map((field) => [field, field === "reference" ? null : there(field)]);
  const contact: ContactDetails = { ...details.contact, ...Object.fromEntries(own) };
  const unsaid = composed.problems.filter(({ code }) => code === "missing" || code === "unconfirmed");
  const lacks = (field: SplitField) => unsaid.some((problem) => problem.field === field);
  const keepsReference = kept.includes("reference");
  if (!keepsReference && !SPLIT_FIELDS.some((field) => lacks(field) && isSaid(field, composed))) {
    return { contact, split: details.split, held: details.held };
  }
  const valueOf = (field: SplitField): string | null => {
    if (field === "reference") return keepsReference ? there(field) : ownReference(composed, defaults);
    return lacks(field) ? there(field) : composed.fields[field].value;
  };
  const values = Object.fromEntries(SPLIT_FIELDS.map((field) => [field, valueOf(field)])) as ConfirmedSplit["values"];
  return { contact, ...placeSaid(details.held, { values, readFrom }) };
}

/** Whether a field that is lacking is one that the split says: a reference that nobody has is not. */
function isSaid(field: SplitField, { fields }: ComposedOrigin): boolean {
  return field !== "reference" || fields[field].value !== null;
}

/** The location's own reference; null where the shop's is all there is. */
export function ownReference({ fields }: Pick<ComposedOrigin, "fields">, defaults: ContactDetails): string | null {
  const { value, source } = fields.reference;
  return source === "shop" && value === defaults.reference ? null : value;
}
