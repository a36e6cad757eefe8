import { CONTACT_FIELDS, SPLIT_FIELDS } from "../../domain/address/form-fields.ts";
import type { ContactField, SplitField } from "../../domain/address/form-fields.ts";
import type { FieldProblem } from "../../domain/address/address.ts";
import { NO_CONTACT } from "../../domain/new-records.ts";
import type { ReviewRowView, ReviewView } from "../../views/review.ts";
import type { ReviewEdits, RowEdits } from "../review/review-state.ts";
import { missingContact, templateChoiceOf } from "../review/review-state.ts";
import { faultOf, guessesIn } from "../review/row-facts.ts";

/** More locations than this that ask for something are finished in Review's table. */
export const MOST_IN_PLACE = 10;

/** The fields of a location that its owner has to fill in or to look at. What is typed meanwhile takes none of them away. */
export function askedFields(row: ReviewRowView, edits: RowEdits | undefined, alone: boolean): SplitField[] {
  const { values: typed, ...untyped } = edits ?? {};
  const guesses = guessesIn(row, untyped);
  return SPLIT_FIELDS.filter((field) => {
    // Of several locations it is asked once, above, as a start.
    if (field === "reference") return alone && missingContact(row, untyped, NO_CONTACT).includes("reference");
    return faultOf(row, untyped, field) !== null || guesses.includes(field) || typed?.[field] !== undefined;
  });
}

/** Something of the location itself is to be filled in, chosen or looked at, whatever the contact. */
export function asksSomething(row: ReviewRowView, alone: boolean): boolean {
  return (
    row.inShopify.length > 0 ||
    templateChoiceOf(row, undefined) === "undecided" ||
    askedFields(row, undefined, alone).length > 0
  );
}

/** The fields of the shop's contact to ask for: what some location needs and nobody has said, with what is typed or faulty now. */
export function askedContact(
  view: ReviewView,
  { edits, problems, alone }: { edits: ReviewEdits; problems: FieldProblem[]; alone: boolean },
): ContactField[] {
  const lacking = view.rows.flatMap((row) => missingContact(row, edits.rows[row.locationId], view.contact));
  return CONTACT_FIELDS.filter(
    (field) =>
      (!alone || field !== "reference") &&
      (lacking.includes(field) || edits.contact[field] !== undefined || problems.some((one) => one.field === field)),
  );
}
