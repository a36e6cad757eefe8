import type { AddressField } from "../address/address.ts";
import { PLACE_ROWS } from "../address/form-fields.ts";
import { tidy } from "../address/fold.ts";

/** An address as somebody types it: what is not there is not judged. */
export type TypedAddress = Partial<Record<AddressField, string | null>>;

export type LabelLine = "name" | "street" | "reference";
export const LABEL_LINES: readonly LabelLine[] = ["name", "street", "reference"];

/** The fields of each line, in the order in which they are joined. Which carrier joins them otherwise is not public. */
export const FIELDS_OF = {
  name: ["name"],
  street: [...PLACE_ROWS[0], ...PLACE_ROWS[1]],
  reference: ["reference"],
} as const satisfies Record<LabelLine, readonly AddressField[]>;

/** One line of the label; "" where the address has nothing for it. */
export function lineOf(line: LabelLine, address: TypedAddress): string {
  return FIELDS_OF[line]
    .map((field) => tidy(address[field]))
    .filter(Boolean)
    .join(" ");
}

/** How long a line is, in characters as people count them: an accent on its letter is none of its own. */
export const lengthOf = (text: string): number => charactersOf(text).length;

/** A line that is too long for a width: what stands in it, and what does not. */
export interface Cut {
  width: number;
  kept: string;
  lost: string;
}

/** Null where the line fits. The two parts together are the line. */
export function cutAt(text: string, width: number): Cut | null {
  const characters = charactersOf(text);
  if (characters.length <= width) return null;
  return { width, kept: characters.slice(0, width).join(""), lost: characters.slice(width).join("") };
}

/** Whether a cut takes (a part of) the house number with it. */
export function losesNumber({ kept }: Cut, { street1, street_number }: TypedAddress): boolean {
  const number = tidy(street_number);
  if (number === "") return false;
  const before = tidy(street1);
  return lengthOf(kept) < lengthOf(before === "" ? number : `${before} ${number}`);
}

const charactersOf = (text: string): string[] => Array.from(tidy(text));
