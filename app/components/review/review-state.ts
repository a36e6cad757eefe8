import type { ContactField, SplitField } from "../../domain/address/form-fields.ts";
import { CONTACT_FIELDS } from "../../domain/address/form-fields.ts";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ReviewRowView, ReviewView } from "../../views/review.ts";

/** What a person changed on the page over what the view says; everything else follows the view when it is read anew. */
export interface ReviewEdits {
  contact: Partial<ContactDetails>;
  /** The revision of the contact that the editing began with. */
  contactRevision?: number;
  rows: Record<string, RowEdits>;
}

export interface RowEdits {
  values?: Partial<Record<SplitField, string>>;
  templateId?: string;
  leftOut?: boolean;
  /** What was shown when the editing began; a newer state must be seen before it is confirmed. */
  basis?: Pick<ReviewRowView, "revision" | "readFrom">;
}

export const NO_EDITS: ReviewEdits = { contact: {}, rows: {} };

export function valueOf(row: ReviewRowView, edits: RowEdits | undefined, field: SplitField): string {
  return edits?.values?.[field] ?? row.cells[field].value;
}

/** What the row says of existing templates: a sure one is proposed, a likely one waits for an answer. Null: nothing to say. */
export function templateChoiceOf(row: ReviewRowView, edits: RowEdits | undefined): string | "undecided" | null {
  const [first] = row.proposals;
  if (!first) return null;
  return edits?.templateId ?? (first.how === "likely" ? "undecided" : first.templateId);
}

/** Fields of the row's own that are required and empty; the contact's are filled in once, above. */
export function missingIn(row: ReviewRowView, edits: RowEdits | undefined): SplitField[] {
  return (Object.keys(row.cells) as SplitField[]).filter((field) => {
    return field !== "reference" && row.required.includes(field) && valueOf(row, edits, field).trim() === "";
  });
}

/** Contact fields, the reference among them, that a row needs and neither the location nor the shop has. */
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

/** Rows that can be confirmed as they stand. */
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
 * What is left to say once the answer came: all that was not confirmed with it. What was refused, and a contact that was typed
 * meanwhile, now answer to what is shown since.
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

function withoutBasis({ basis: _, ...own }: RowEdits): RowEdits {
  return own;
}

export function isDirty(edits: ReviewEdits): boolean {
  return (
    Object.keys(edits.contact).length > 0 ||
    Object.values(edits.rows).some(({ values, templateId }) => values || templateId)
  );
}
