import type { ContactField, SplitField } from "../../domain/address/form-fields.ts";
import { differsForThem } from "../../domain/address/compare.ts";
import { adoptedFields, problemOf } from "../../domain/plan/adoption.ts";
import { choicesIn, keptFields } from "../../domain/plan/adoption-choices.ts";
import type { OwnSide } from "../../domain/plan/adoption.ts";
import type { AdoptedField, AdoptionChoices } from "../../domain/plan/adoption-choices.ts";
import type { ProposalView } from "../../views/origin.ts";
import { CONTACT_FIELDS, SPLIT_FIELDS, eachField } from "../../domain/address/form-fields.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ReviewRowView, ReviewView } from "../../views/review.ts";
import type { ConfirmedRow } from "./review-intent.ts";

/** What a person has changed on the page, on top of the view. Everything else follows the view when that is read again. */
export interface ReviewEdits {
  contact: Partial<ContactDetails>;
  /** The contact's revision when editing began. */
  contactRevision?: number;
  rows: Record<string, RowEdits>;
}

export interface RowEdits {
  values?: Partial<Record<SplitField, string>>;
  templateId?: string;
  /** Which content of that template the page showed when it was chosen. */
  templateVersion?: string | null;
  /** Whose value stays, where the owner chose between that template's and the location's. */
  choices?: AdoptionChoices;
  leftOut?: boolean;
  /** The row as it was shown when editing began. A newer one must be seen before it is confirmed. */
  basis?: Pick<ReviewRowView, "revision" | "readFrom">;
}

export const NO_EDITS: ReviewEdits = { contact: {}, rows: {} };

/** The edits of a row with one more, which is based on the row as it is shown when the first is made. */
export function withBasis(
  { revision, readFrom }: ReviewRowView,
  edits: RowEdits | undefined,
  patch: RowEdits,
): RowEdits {
  return { basis: { revision, readFrom }, ...edits, ...patch };
}

/** What is typed in a cell; a reference that is typed comes before the template's. */
export function typedIn(edits: RowEdits | undefined, field: SplitField, value: string): RowEdits {
  return {
    values: { ...edits?.values, [field]: value },
    ...(field === "reference" ? { choices: { ...edits?.choices, reference: "ours" as const } } : {}),
  };
}

/**
 * What stands in a cell. A field of the place that the location lacks is filled in from the chosen template, and the reference is the
 * template's where that one stays.
 */
export function valueOf(row: ReviewRowView, edits: RowEdits | undefined, field: SplitField): string {
  const typed = edits?.values?.[field];
  const { value } = row.cells[field];
  if (field === "reference") return referenceOf(row, edits) ?? value;
  return typed ?? (value || (fromTemplate(row, edits, field) ?? ""));
}

function referenceOf(row: ReviewRowView, edits: RowEdits | undefined): string | undefined {
  const typed = edits?.values?.reference;
  const choice = edits?.choices?.reference;
  if (choice === "ours" || (typed !== undefined && choice !== "theirs")) return typed;
  const stays = adoptionOf(row, edits, NOBODY).find(({ field }) => field === "reference");
  return stays && keptFields([stays]).length > 0 ? (stays.theirs ?? undefined) : undefined;
}

/** What the chosen template says of a required field that the location lacks; null where nobody has filled it in from there. */
export function fromTemplate(row: ReviewRowView, edits: RowEdits | undefined, field: SplitField): string | null {
  const isLacking = row.cells[field].value === "" && edits?.values?.[field] === undefined;
  if (field === "reference" || !isLacking || !row.required.includes(field)) return null;
  return chosenOf(row, edits)?.there[field]?.trim() || null;
}

/** The template that is to be linked to the row's location; null where none is. */
export function chosenOf(row: ReviewRowView, edits: RowEdits | undefined): ProposalView | null {
  const choice = templateChoiceOf(row, edits);
  return row.proposals.find(({ templateId }) => templateId === choice) ?? null;
}

/** By contact and row: what follows from a row asks for it several times, and sixty rows follow a letter typed in the contact. */
const adoptions = new WeakMap<
  ContactDetails,
  WeakMap<ReviewRowView, { edits: RowEdits | undefined; fields: AdoptedField[] }>
>();

/** Where the contact of the chosen template differs from what the page says of the location, and whose value stays. */
export function adoptionOf(row: ReviewRowView, edits: RowEdits | undefined, contact: ContactDetails): AdoptedField[] {
  const chosen = chosenOf(row, edits);
  if (!chosen) return [];
  const known = adoptions.get(contact) ?? new WeakMap();
  adoptions.set(contact, known);
  const before = known.get(row);
  if (before && before.edits === edits) return before.fields;
  const own = eachField(CONTACT_FIELDS, (field) => ownSide(row, edits, contact, field));
  const fields = adoptedFields({ own, theirs: chosen.there, choices: edits?.choices });
  known.set(row, { edits, fields });
  return fields;
}

function ownSide(
  row: ReviewRowView,
  edits: RowEdits | undefined,
  contact: ContactDetails,
  field: ContactField,
): OwnSide {
  const shops = contact[field]?.trim() || null;
  const edited = field === "reference" ? edits?.values?.reference : undefined;
  const own = (field === "reference" ? (edited ?? row.cells.reference.value) : row.ownContact[field])?.trim() || null;
  const typed = own !== null && (edited !== undefined || row.typed.includes(field));
  return { value: own ?? shops, typed };
}

const NOBODY = eachField(CONTACT_FIELDS, (): string | null => null);

/** The row's choice among existing templates: a sure one is proposed, a likely one needs an answer. Null: there is nothing to choose. */
export function templateChoiceOf(row: ReviewRowView, edits: RowEdits | undefined): string | "undecided" | null {
  const [first] = row.proposals;
  if (!first) return null;
  return edits?.templateId ?? (first.how === "likely" ? "undecided" : first.templateId);
}

/** The content of the chosen template that the person saw; null where none is to be linked. */
export function templateVersionOf(row: ReviewRowView, edits: RowEdits | undefined): string | null {
  return edits?.templateVersion ?? versionShown(row, templateChoiceOf(row, edits));
}

/** The content that the row shows of one of its proposals. */
export function versionShown({ proposals }: ReviewRowView, templateId: string | null): string | null {
  return proposals.find((proposal) => proposal.templateId === templateId)?.version ?? null;
}

/** The row's required fields that are empty, without the contact's, which are filled in once above. */
export function missingIn(row: ReviewRowView, edits: RowEdits | undefined): SplitField[] {
  return (Object.keys(row.cells) as SplitField[]).filter((field) => {
    return field !== "reference" && row.required.includes(field) && valueOf(row, edits, field).trim() === "";
  });
}

/** Contact fields, with the reference, that a row needs and that neither the location, its chosen template nor the shop has. */
export function missingContact(
  row: ReviewRowView,
  edits: RowEdits | undefined,
  contact: ContactDetails,
): ContactField[] {
  const kept = keptFields(adoptionOf(row, edits, contact));
  return CONTACT_FIELDS.filter((field) => {
    const own = field === "reference" ? valueOf(row, edits, field).trim() : row.ownContact[field];
    return row.required.includes(field) && !own && !contact[field]?.trim() && !kept.includes(field);
  });
}

/** What two chosen templates or more have alike, and the shop has not: said once, it holds for all of them. */
export function sharedContact(
  view: Pick<ReviewView, "rows" | "contact">,
  edits: ReviewEdits,
): { count: number; values: Partial<ContactDetails> } {
  const contact = contactOf(view.contact, edits.contact);
  const chosen = view.rows.flatMap((row) => {
    const own = edits.rows[row.locationId];
    return own?.leftOut ? [] : (chosenOf(row, own) ?? []);
  });
  const alike = CONTACT_FIELDS.flatMap((field): [ContactField, string][] => {
    // A reference tells where one door is.
    if (field === "reference") return [];
    const said = chosen.flatMap(({ there }) => there[field]?.trim() || []);
    const [first] = said;
    if (first === undefined || said.length < 2 || said.some((value) => differsForThem(field, value, first))) return [];
    const isNews = differsForThem(field, first, contact[field]) && problemOf(field, first) === null;
    return isNews ? [[field, first]] : [];
  });
  return { count: chosen.length, values: Object.fromEntries(alike) };
}

/** A row as it is sent to be confirmed. */
export function sentRow(row: ReviewRowView, own: RowEdits | undefined, contact: ContactDetails): ConfirmedRow {
  const { revision, readFrom } = own?.basis ?? row;
  return {
    locationId: row.locationId,
    revision,
    readFrom,
    values: eachField(SPLIT_FIELDS, (field) => valueOf(row, own, field)),
    templateId: templateChoiceOf(row, own),
    templateVersion: templateVersionOf(row, own),
    choices: choicesIn(adoptionOf(row, own, contact)),
  };
}

export function contactOf(contact: ContactDetails, edits: ReviewEdits["contact"]): ContactDetails {
  return { ...contact, ...edits };
}

/** What was sent to be confirmed. */
export interface SentReview {
  contact: ContactDetails;
  rows: { locationId: string }[];
}

/**
 * The edits that remain after the answer: all that it did not confirm. Refused rows, and contact fields typed since, are now based on what
 * the page shows after the answer.
 */
export function editsOf(
  { sent, refused }: { sent: SentReview; refused: string[] },
  { contact, rows }: ReviewEdits,
): ReviewEdits {
  const asked = new Set(sent.rows.map(({ locationId }) => locationId));
  const left = Object.entries(rows).filter(([locationId]) => !asked.has(locationId) || refused.includes(locationId));
  const typed = (Object.keys(contact) as ContactField[]).filter((field) => contact[field] !== sent.contact[field]);
  return {
    contact: Object.fromEntries(typed.map((field) => [field, contact[field] ?? null])),
    rows: Object.fromEntries(
      left.map(([locationId, own]) => [locationId, asked.has(locationId) ? withoutBasis(own) : own]),
    ),
  };
}

function withoutBasis({ basis: _, templateVersion: __, choices: ___, ...own }: RowEdits): RowEdits {
  return own;
}

/** Whether something is typed that nobody has confirmed. A row that is not shown any more was confirmed elsewhere, or is used no more. */
export function isDirty(edits: ReviewEdits, rows: readonly Pick<ReviewRowView, "locationId">[]): boolean {
  const own = rows.map(({ locationId }) => edits.rows[locationId]);
  return (
    Object.keys(edits.contact).length > 0 ||
    own.some((edited) => edited && (edited.values || edited.templateId || edited.choices))
  );
}
