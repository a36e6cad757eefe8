import type { AddressField, ContactDetails, ProblemCode } from "../../domain/address/address.ts";
import { NO_ADDRESS } from "../../domain/address/address.ts";
import { fold } from "../../domain/address/fold.ts";
import type { ContactField, RepeatedField, SplitField } from "../../domain/address/form-fields.ts";
import { REPEATED_FIELDS, SPLIT_FIELDS, eachField } from "../../domain/address/form-fields.ts";
import { templateLines } from "../../domain/address/lines.ts";
import { saidByCode } from "../../domain/mexico/postal/said-by-code.ts";
import type { SaidByCode } from "../../domain/mexico/postal/said-by-code.ts";
import type { ReviewRowView } from "../../views/review.ts";
import type { RowEdits } from "./review-state.ts";
import {
  adoptionOf,
  chosenOf,
  fromTemplate,
  missingContact,
  missingIn,
  templateChoiceOf,
  valueOf,
} from "./review-state.ts";

/** What follows from a row and its edits: whether it can be confirmed, what is open in it, and what is to be checked. */
export interface RowFacts {
  /** What keeps a ticked row from being confirmed. The contact, which is filled in once for all rows, is not in it. */
  opens: Open[];
  /** Fields that were guessed and that nobody has looked at. */
  guesses: SplitField[];
  /** Contact fields that it needs and that nobody has said; none where it is not ticked. */
  contactLacks: ContactField[];
  /** Ticked, and nothing is open in it, nor in the contact that it needs. */
  isReady: boolean;
  /** Fields that a value from another row could fill. */
  lacks: RepeatedField[];
  /** The address as it will stand, in one line. */
  address: string;
  /** What a search looks through, folded. */
  searched: string;
  /** The template that will be linked, and how many of its values change; null where the address is a new one. */
  link: { alias: string; changes: number } | null;
}

/** A field with what is wrong with it, or likely templates that wait for a choice. */
export type Open = { at: "field"; field: AddressField; problem: ProblemCode } | { at: "template" };

interface Remembered {
  edits: RowEdits | undefined;
  contact: ContactDetails;
  facts: RowFacts;
}

/**
 * By row, for the edits that it had last: a letter typed in one row asks nothing of sixty others. Facts that say the same are the same object,
 * so that no row is drawn again for them.
 */
const remembered = new WeakMap<ReviewRowView, Remembered>();

export function factsOf(row: ReviewRowView, edits: RowEdits | undefined, contact: ContactDetails): RowFacts {
  const known = remembered.get(row);
  if (known && known.edits === edits && known.contact === contact) return known.facts;
  const read = readFacts(row, edits, contact);
  const facts = known && JSON.stringify(known.facts) === JSON.stringify(read) ? known.facts : read;
  remembered.set(row, { edits, contact, facts });
  return facts;
}

function readFacts(row: ReviewRowView, edits: RowEdits | undefined, contact: ContactDetails): RowFacts {
  const opens = edits?.leftOut ? [] : opensIn(row, edits);
  const contactLacks = edits?.leftOut ? [] : missingContact(row, edits, contact);
  const values = eachField(SPLIT_FIELDS, (field) => valueOf(row, edits, field));
  const address = templateLines({
    ...NO_ADDRESS,
    ...values,
    postal_code: row.postalCode,
    area_level1: row.state,
  }).join(", ");
  const chosen = chosenOf(row, edits);
  const changed = adoptionOf(row, edits, contact).filter(({ stays, problem }) => stays === "ours" || problem !== null);
  return {
    opens,
    guesses: guessesIn(row, edits),
    contactLacks,
    isReady: !edits?.leftOut && opens.length === 0 && contactLacks.length === 0,
    lacks: REPEATED_FIELDS.filter(
      (field) => values[field].trim() === "" && !(field === "reference" && contact.reference?.trim()),
    ),
    address,
    searched: fold([row.name, address, ...row.shopifyLines].join(" ")),
    link: chosen && { alias: chosen.alias, changes: chosen.differences.length + changed.length },
  };
}

/** What becomes of a row, or what keeps it from being confirmed. */
export type RowOutlook =
  | { kind: "open"; lacks: AddressField[]; mend: AddressField[]; contact: ContactField[]; chooses: boolean }
  | { kind: "check"; guesses: SplitField[] }
  | { kind: "done"; link: RowFacts["link"] };

export function outlookOf({
  opens,
  guesses,
  contactLacks,
  link,
}: Pick<RowFacts, "opens" | "guesses" | "contactLacks" | "link">): RowOutlook {
  if (opens.length + contactLacks.length > 0) {
    const fields = opens.flatMap((one) => (one.at === "field" ? [one] : []));
    const lacks = fields.filter(({ problem }) => problem === "missing").map(({ field }) => field);
    const mend = fields.filter(({ problem }) => problem !== "missing").map(({ field }) => field);
    return { kind: "open", lacks, mend, contact: contactLacks, chooses: fields.length < opens.length };
  }
  return guesses.length > 0 ? { kind: "check", guesses } : { kind: "done", link };
}

function opensIn(row: ReviewRowView, edits: RowEdits | undefined): Open[] {
  const cells = SPLIT_FIELDS.flatMap((field) => {
    const problem = faultOf(row, edits, field);
    return problem ? [{ field, problem }] : [];
  });
  return [
    ...[...row.inShopify, ...cells].map((one) => ({ at: "field", ...one }) as const),
    ...(templateChoiceOf(row, edits) === "undecided" ? [{ at: "template" } as const] : []),
  ];
}

/** What is wrong in a cell: it is empty and must not be, or says what somebody else has written and the service would refuse. */
export function faultOf(row: ReviewRowView, edits: RowEdits | undefined, field: SplitField): ProblemCode | null {
  if (missingIn(row, edits).includes(field)) return "missing";
  const { problem, value } = row.cells[field];
  return problem !== "missing" && problem !== "unconfirmed" && valueOf(row, edits, field) === value ? problem : null;
}

/** What the row says against its postal code. */
export function differsIn(row: ReviewRowView, edits: RowEdits | undefined): SaidByCode["differs"] {
  return saidByCode({ area_level1: row.state ?? "", area_level2: valueOf(row, edits, "area_level2") }, row.postal)
    .differs;
}

/** Fields whose value is to be looked at: read from the text with doubt, taken from the book, or against the postal code. */
export function guessesIn(row: ReviewRowView, edits: RowEdits | undefined): SplitField[] {
  const { area_level2: against } = differsIn(row, edits);
  return SPLIT_FIELDS.filter(
    (field) =>
      (row.cells[field].confidence === "unsure" && edits?.values?.[field] === undefined) ||
      fromTemplate(row, edits, field) !== null ||
      (field === "area_level2" && against !== undefined),
  );
}
