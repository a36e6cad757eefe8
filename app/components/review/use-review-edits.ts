import { useCallback, useState } from "react";
import type { ContactDetails } from "../../domain/address/address.ts";
import type { ContactField, RepeatedField } from "../../domain/address/form-fields.ts";
import type { ReviewRowView } from "../../views/review.ts";
import { fillDown, undoFill } from "./fill-down.ts";
import type { Fill } from "./fill-down.ts";
import { NO_EDITS } from "./review-state.ts";
import type { ReviewEdits, RowEdits } from "./review-state.ts";

/** What a copy fills, and with what. */
export interface Copy {
  field: RepeatedField;
  value: string;
  rows: ReviewRowView[];
}

/** What a person has changed on the page, and what was copied into other rows last. `contactRevision`: the contact's, as it is shown. */
export function useReviewEdits(contactRevision: number) {
  const [{ edits, fill }, setMade] = useState<{ edits: ReviewEdits; fill: Fill | null }>({
    edits: NO_EDITS,
    fill: null,
  });
  const setEdits = useCallback(
    (change: (before: ReviewEdits) => ReviewEdits) => setMade((before) => ({ ...before, edits: change(before.edits) })),
    [],
  );
  const editRow = useCallback(
    (locationId: string, own: RowEdits) =>
      setEdits((before) => ({ ...before, rows: { ...before.rows, [locationId]: own } })),
    [setEdits],
  );
  const editContact = useCallback(
    (field: ContactField, value: string) =>
      setEdits((before) => ({
        ...before,
        contact: { ...before.contact, [field]: value },
        contactRevision: before.contactRevision ?? contactRevision,
      })),
    [contactRevision, setEdits],
  );
  const fillContact = useCallback(
    (values: Partial<ContactDetails>) => {
      for (const [field, value] of Object.entries(values)) editContact(field as ContactField, value ?? "");
    },
    [editContact],
  );
  const copy = useCallback((asked: Copy) => setMade((before) => fillDown(before.edits, asked)), []);
  const undoCopy = useCallback(
    () => setMade((before) => (before.fill ? { edits: undoFill(before.edits, before.fill), fill: null } : before)),
    [],
  );
  const forgetCopy = useCallback(() => setMade((before) => ({ ...before, fill: null })), []);
  const discard = useCallback(() => setMade({ edits: NO_EDITS, fill: null }), []);
  return { edits, fill, setEdits, editRow, editContact, fillContact, copy, undoCopy, forgetCopy, discard };
}
