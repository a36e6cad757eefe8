import { fold, tidy } from "../address/fold.ts";
import { streetSides } from "./delimited.ts";
import type { Found, Said } from "./found.ts";
import type { ListedNames } from "./postal/listed-names.ts";
import { cutLine } from "./pieces.ts";
import type { Piece } from "./pieces.ts";
import { wordAt } from "./labels.ts";
import { findHouseNumber, NO_NUMBER } from "./find-house-number.ts";
import { readStreet } from "./read-street.ts";
import { readTokens } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { NUMBER_MARKS } from "./words.ts";

/** What `address1` tells, and the pieces of it that are neither street nor number. */
export interface FirstLine {
  street: Said | null;
  number: Said | null;
  found: Found[];
}

/** Reads `address1`, in Shopify's delimited form or as free text. */
export function readFirstLine(text: string | null, names: ListedNames): FirstLine {
  const [streetText, numberText] = streetSides(text);
  const line = readTokens(streetText, names);
  const pieces = cutLine(line, "street");
  if (numberText === null) {
    const { street, number, rest } = readStreet(line, pieces);
    return { street, number, found: foundIn(line, rest, false) };
  }
  const aside = pieces.filter(({ kind }) => kind === "beside");
  const { said, found } = readNumberSide(numberText);
  return { ...withStreetSide(withoutPieces(line, aside), said), found: [...foundIn(line, aside, true), ...found] };
}

/**
 * Reads Shopify's own field for the street. A number that was typed there too is removed if it is the same; a different one makes the
 * street unsure.
 */
function withStreetSide(text: string, number: Said): { street: Said | null; number: Said } {
  const line = readTokens(text);
  const pieces = cutLine(line, "street");
  const inStreet = findHouseNumber(line, pieces);
  if (text === "") return { street: null, number };
  if (!inStreet?.isSure || !["number", "plain"].includes(inStreet.kind))
    return { street: { text, isSure: true }, number };
  const { street, rest } = readStreet(line, pieces);
  const isSame = fold(inStreet.text) === fold(number.text) && rest.length === 0;
  if (isSame && street !== null) return { street, number };
  return { street: { text, isSure: false }, number: { ...number, isSure: false } };
}

const foundIn = (line: Line, pieces: Piece[], isDelimited: boolean): Found[] =>
  pieces.map((piece) => ({ line, piece, isDelimited, isFirstLine: true }));

function withoutPieces(line: Line, out: Piece[]): string {
  let text = line.text;
  for (const { from, to } of [...out].reverse()) {
    text = text.slice(0, line.tokens[from]!.start) + text.slice(line.tokens[to - 1]!.end);
  }
  return tidy(text).replace(/(?<![\s,;])[\s,;]+$/, "");
}

/** Reads Shopify's own field for the number, which may hold an interior behind the number. A text that is no number is kept as typed. */
function readNumberSide(text: string): { said: Said; found: Found[] } {
  const line = readTokens(/^\p{N}/u.test(text) ? `# ${text}` : text);
  const { street, number, rest } = readStreet(line, cutLine(line, "number"));
  if (street !== null || number === null) return { said: { text, isSure: false }, found: [] };
  // `# 179-A`: the mark says what the field is called, and is no part of the number.
  if (rest.length === 0 && NUMBER_MARKS.has(wordAt(readTokens(text), 0)))
    return { said: { ...number, isSure: true }, found: [] };
  const isWhole = number.text !== NO_NUMBER && rest.every(({ kind }) => kind === "lots" || kind === "km");
  if (isWhole) return { said: { text, isSure: true }, found: [] };
  return { said: { ...number, isSure: number.isSure || number.text === NO_NUMBER }, found: foundIn(line, rest, true) };
}
