import type { ContactField, SplitField } from "../../domain/address/form-fields.ts";
import { CONTACT_FIELDS } from "../../domain/address/form-fields.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ReviewRowView, ReviewView } from "../../views/review.ts";

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
  leftOut?: boolean;
  /** The row as it was shown when editing began. A newer one must be seen before it is confirmed. */
  basis?: Pick<ReviewRowView, "revision" | "readFrom">;
}

export const NO_EDITS: ReviewEdits = { contact: {}, rows: {} };

export function valueOf(row: ReviewRowView, edits: RowEdits | undefined, field: SplitField): string {
  return edits?.values?.[field] ?? row.cells[field].value;
}

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

/** Contact fields, with the reference, that a row needs and that neither the location nor the shop has. */
export function missingContact(
  row: ReviewRowView,
  edits: RowEdits | undefined,
  contact: ContactDetails,
): ContactField[] {
  return CONTACT_FIELDS.filter((field) => {
    const own = field === "reference" ? valueOf(row, edits, field).trim() : row.ownContact[field];
    return row.required.includes(field) && !own && !contact[field]?.trim();
  });
}

export function contactOf(contact: ContactDetails, edits: ReviewEdits["contact"]): ContactDetails {
  return { ...contact, ...edits };
}

/** Rows that can be confirmed without a change. */
export function readyRows(view: ReviewView, edits: ReviewEdits): ReviewRowView[] {
  const contact = contactOf(view.contact, edits.contact);
  return view.rows.filter((row) => {
    const own = edits.rows[row.locationId];
    return (
      !own?.leftOut &&
      row.inShopify.length === 0 &&
      missingIn(row, own).length === 0 &&
      missingContact(row, own, contact).length === 0 &&
      templateChoiceOf(row, own) !== "undecided"
    );
  });
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

function withoutBasis({ basis: _, templateVersion: __, ...own }: RowEdits): RowEdits {
  return own;
}

export function isDirty(edits: ReviewEdits): boolean {
  return (
    Object.keys(edits.contact).length > 0 ||
    Object.values(edits.rows).some(({ values, templateId }) => values || templateId)
  );
}
