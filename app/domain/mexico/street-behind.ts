import type { FirstLine } from "./first-line.ts";
import { NO_NUMBER } from "./find-house-number.ts";
import { firstWord, valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said } from "./found.ts";
import { bareNumber } from "./house-number.ts";
import { readStreet } from "./read-street.ts";
import { WAYS } from "./words.ts";

/** Both lines, after the second was searched for the street that the first lacks. */
export interface LinesFound extends FirstLine {
  /** The text in place of the street, which is likely a building. */
  building: string | null;
}

/**
 * `Plaza Azul, Local 12` / `Av. Vallarta 3959, Col. …`: takes the street from the second line where the first has no street or no number.
 * The street is unsure then, and the text in its place goes to the interior.
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
      street: { text: [text, numberAsTyped(reading.number, sameSegment)].filter(Boolean).join(" "), isSure: false },
    };
  const number = reading.number && { ...reading.number, isSure: false };
  return { ...behind, building, street: text === null ? null : { text, isSure: false }, number };
}

/** A number that goes to the street is spelled as it was typed, also where it says that there is none. */
function numberAsTyped(number: Said | null, pieces: Found[]): string {
  if (number?.text !== NO_NUMBER) return number?.text ?? "";
  const none = pieces.find(({ piece }) => piece.kind === "none");
  return none === undefined ? "" : valueOfFound(none);
}

/** Whether a piece is a street: it has a kind of way and a number. If the first line has no street at all, either is enough. */
function isStreet(each: Found, isEnough: boolean): boolean {
  const { line, piece, isDelimited } = each;
  if (piece.kind !== "plain" || isDelimited || wordsOf(each) === "") return false;
  const isWay = WAYS.has(firstWord(each)) && piece.to - piece.from > 1;
  const isNumbered =
    bareNumber(line, piece.from, piece.to) !== null && piece.to - piece.from > 1 && !/^\d/.test(firstWord(each));
  return isEnough ? isWay || isNumbered : isWay && isNumbered;
}
