import type { FirstLine } from "./first-line.ts";
import { firstWord, wordsOf } from "./found.ts";
import type { Found } from "./found.ts";
import { bareNumber } from "./house-number.ts";
import { readStreet } from "./read-street.ts";
import { WAYS } from "./words.ts";

/** Both lines, after the second was looked through for the street that the first does not hold. */
export interface LinesFound extends FirstLine {
  /** What stood where a street should, and is likely a building. */
  building: string | null;
}

/**
 * `Plaza Azul, Local 12` / `Av. Vallarta 3959, Col. …`: a street in the second line, where the first has none or has no
 * number. It is a guess; what stood in its place is kept for the interior.
 */
export function findStreetBehind(first: FirstLine, second: Found[]): LinesFound {
  const asTheyStand = { ...first, found: [...first.found, ...second], building: null };
  if (first.street !== null && first.number !== null) return asTheyStand;
  const index = second.findIndex((each) => isStreet(each, first.street === null));
  const opening = second[index];
  if (opening === undefined) return asTheyStand;
  const sameSegment = second
    .slice(index)
    .filter(({ line, piece }) => line === opening.line && piece.segment === opening.piece.segment);
  const reading = readStreet(
    opening.line,
    sameSegment.map(({ piece }) => piece),
  );
  const rest = reading.rest.map((piece) => ({ ...opening, piece }));
  const behind = {
    ...first,
    found: [...first.found, ...second.filter((each) => !sameSegment.includes(each)), ...rest],
  };
  const building = first.street?.text ?? null;
  const text = reading.street?.text ?? null;
  if (first.number !== null)
    return {
      ...behind,
      building,
      street: { text: [text, reading.number?.text].filter(Boolean).join(" "), isSure: false },
    };
  const number = reading.number && { ...reading.number, isSure: false };
  return { ...behind, building, street: text === null ? null : { text, isSure: false }, number };
}

/** A way with its kind and a number; without a street in the first line, either is enough. */
function isStreet(each: Found, isEnough: boolean): boolean {
  const { line, piece, isDelimited } = each;
  if (piece.kind !== "plain" || isDelimited || wordsOf(each) === "") return false;
  const isWay = WAYS.has(firstWord(each)) && piece.to - piece.from > 1;
  const isNumbered =
    bareNumber(line, piece.from, piece.to) !== null && piece.to - piece.from > 1 && !/^\d/.test(firstWord(each));
  return isEnough ? isWay || isNumbered : isWay && isNumbered;
}
