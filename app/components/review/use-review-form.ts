import type { RefObject } from "react";
import { useCallback, useDeferredValue, useMemo, useState } from "react";
import type { ContactField } from "../../domain/address/form-fields.ts";
import type { ContactDetails, FieldProblem } from "../../domain/address/address.ts";
import type { NotTaken } from "../../views/not-taken.ts";
import type { ReviewRowView, ReviewView } from "../../views/review.ts";
import { useFocusFirstError } from "../hooks/use-focus-first-error.ts";
import type { Fill } from "./fill-down.ts";
import type { ReviewAnswer } from "./review-intent.ts";
import type { ReviewEdits, RowEdits } from "./review-state.ts";
import { contactOf, isDirty, sentRow, sharedContact, templateChoiceOf } from "./review-state.ts";
import type { RowFacts } from "./row-facts.ts";
import { factsOf } from "./row-facts.ts";
import { useReviewActions } from "./use-review-actions.ts";
import type { Copy } from "./use-review-edits.ts";
import { useReviewEdits } from "./use-review-edits.ts";
import { useSameRows } from "./use-same-rows.ts";

/** A constant, because a new array would render the contact again. */
const NO_PROBLEMS: FieldProblem[] = [];

export interface ReviewForm {
  /** The view's rows; one that was read again as it was is the same object. */
  rows: ReviewRowView[];
  /** What follows from each row and its edits, by location id. */
  facts: ReadonlyMap<string, RowFacts>;
  edits: ReviewEdits;
  /** The shop's contact with what was typed; `compared` is the same a moment later, for what is long to render. */
  contact: ContactDetails;
  compared: ContactDetails;
  problems: FieldProblem[];
  /** Fields of the shop's contact that some row needs. */
  needed: ContactField[];
  alike: ReturnType<typeof sharedContact>;
  /** Rows that the confirmation takes, and how many of the others are not left out. */
  ready: ReviewRowView[];
  open: number;
  dirty: boolean;
  /** Somebody pressed: what lacks something is an error from then on. A row that came since was not meant. */
  isAsked: boolean;
  wasAsked(locationId: string): boolean;
  busy: boolean;
  answer: ReviewAnswer | undefined;
  notTaken: NotTaken | null;
  /** What was copied into other rows last, and can be taken back. */
  fill: Fill | null;
  refusalOf(locationId: string): string | null;
  editRow(locationId: string, own: RowEdits): void;
  editContact(field: ContactField, value: string): void;
  fillContact(values: Partial<ContactDetails>): void;
  copy(asked: Copy): void;
  undoCopy(): void;
  exclude(locationId: string): void;
  /** False where nothing can be confirmed. */
  confirm(): boolean;
  discard(): void;
}

/**
 * What a person changes of the locations that wait for their word, and the one confirmation of them; Review and Home's first steps are made
 * of it. `root`: where the first faulty field gets the focus.
 */
export function useReviewForm(view: ReviewView, root: RefObject<HTMLElement>): ReviewForm {
  const rows = useSameRows(view.rows);
  const { edits, setEdits, fill, editRow, editContact, fillContact, copy, undoCopy, forgetCopy, discard } =
    useReviewEdits(view.contactRevision);
  const { answer, send, busy, notTaken } = useReviewActions(setEdits);
  const contact = useMemo(() => contactOf(view.contact, edits.contact), [view.contact, edits.contact]);
  // The rows follow behind what is typed in the contact.
  const compared = useDeferredValue(contact);
  const facts = new Map(rows.map((row) => [row.locationId, factsOf(row, edits.rows[row.locationId], compared)]));
  const ready = rows.filter(({ locationId }) => facts.get(locationId)!.isReady);
  const selected = rows.filter(({ locationId }) => !edits.rows[locationId]?.leftOut);
  const problems = answer?.kind === "contact_invalid" ? answer.problems : NO_PROBLEMS;
  useFocusFirstError(root, answer?.kind === "contact_invalid" ? answer.problems : null);
  // What lacks something is an error once somebody has pressed; until then it is only asked for.
  const [pressed, setPressed] = useState<{ confirmed: number; rows: ReadonlySet<string> } | null>(null);
  useFocusFirstError(root, pressed?.confirmed === 0 ? pressed : null);
  const exclude = useCallback((locationId: string) => send({ intent: "exclude", locationId }), [send]);

  function confirm() {
    const now = rows.filter((row) => factsOf(row, edits.rows[row.locationId], contact).isReady);
    setPressed({ confirmed: now.length, rows: new Set(rows.map(({ locationId }) => locationId)) });
    if (now.length === 0) return false;
    forgetCopy();
    send({
      intent: "confirm",
      contact,
      contactRevision: edits.contactRevision ?? view.contactRevision,
      rows: now.map((row) => sentRow(row, edits.rows[row.locationId], contact)),
    });
    return true;
  }

  const missing = [...new Set([...facts.values()].flatMap(({ contactLacks }) => contactLacks))].join();
  const needed = useMemo(() => missing.split(",").filter(Boolean) as ContactField[], [missing]);
  return {
    rows,
    facts,
    edits,
    contact,
    compared,
    problems,
    needed,
    alike: useAlike({ rows, contact: view.contact, edits }),
    ready,
    open: selected.length - ready.length,
    dirty: isDirty(edits, rows),
    isAsked: pressed !== null,
    wasAsked: (locationId) => pressed?.rows.has(locationId) ?? false,
    busy,
    answer,
    notTaken,
    fill,
    refusalOf: (locationId) => refusalOf(answer, locationId),
    editRow,
    editContact,
    fillContact,
    copy,
    undoCopy,
    exclude,
    confirm,
    discard() {
      discard();
      setPressed(null);
    },
  };
}

/** What the chosen templates have alike, asked again for another choice alone, and the same object as long as it says the same. */
function useAlike({ rows, contact, edits }: Pick<ReviewView, "rows" | "contact"> & { edits: ReviewEdits }) {
  const choices = JSON.stringify(
    rows.map((row) => {
      const own = edits.rows[row.locationId];
      return own?.leftOut ? null : templateChoiceOf(row, own);
    }),
  );
  const behind = useDeferredValue(edits.contact);
  const now = useMemo(
    () => JSON.stringify(sharedContact({ rows, contact }, { ...edits, contact: behind })),
    // Of the rows' edits it reads the choices alone.
    [rows, contact, behind, choices],
  );
  return useMemo(() => JSON.parse(now) as ReturnType<typeof sharedContact>, [now]);
}

function refusalOf(answer: ReviewAnswer | undefined, locationId: string): string | null {
  if (answer?.kind !== "confirmed") return null;
  return answer.refused.find((one) => one.locationId === locationId)?.refusal.kind ?? null;
}
