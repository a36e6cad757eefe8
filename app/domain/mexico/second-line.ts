import { foldedWords } from "../address/fold.ts";
import { secondSides } from "./delimited.ts";
import { isBorough, isRepetition, repeatsCity } from "./found.ts";
import type { Found, Said, Surroundings } from "./found.ts";
import { cutLine } from "./pieces.ts";
import type { Piece } from "./pieces.ts";
import { readTokens, textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { withoutColoniaMark } from "./words.ts";

/** What was read from `address2`: the colonia, where Shopify's form keeps it apart, and the other pieces. */
export interface SecondLine {
  colonia: Said | null;
  found: Found[];
}

/** Reads `address2`, in Shopify's delimited form or as free text. */
export function readSecondLine(text: string | null, around: Surroundings): SecondLine {
  const [lineText, neighbourhood] = secondSides(text);
  const line = readTokens(lineText, around.names);
  const isDelimited = neighbourhood !== null;
  const found = foundIn(line, cutLine(line, "second"), isDelimited);
  if (!isDelimited) return { colonia: null, found };
  const side = readNeighbourhood(neighbourhood, around);
  return { colonia: side.colonia, found: [...found, ...side.found] };
}

const foundIn = (line: Line, pieces: Piece[], isDelimited: boolean): Found[] =>
  pieces.map((piece) => ({ line, piece, isDelimited, isFirstLine: false }));

/** Reads Shopify's own field for the colonia, into which people also write the alcaldía, the city and the postal code. */
function readNeighbourhood(text: string, around: Surroundings): SecondLine {
  const whole = withoutColoniaMark(text);
  // Some names of the list have a comma in them.
  if (around.names.hasAcross(foldedWords(whole))) return { colonia: { text: whole, isSure: true }, found: [] };
  const line = readTokens(text);
  const pieces = cutLine(line, "second");
  const says = (piece: Piece) => textOf(line, piece.from, piece.to);
  const isMarked = (piece: Piece) => piece.kind === "postal" || piece.kind === "borough";
  // `Módulo 2000 Reynosa` is one name.
  const isApart = (piece: Piece, before: Piece) => piece.segment !== before.segment || isMarked(before);
  const isBehind = (piece: Piece, before: Piece) =>
    isMarked(piece) ||
    // Some cities begin as a colonia does: `Puerto Vallarta`.
    (["plain", "colonia"].includes(piece.kind) &&
      isApart(piece, before) &&
      (isRepetition(says(piece), around) || isBorough(says(piece), around) || repeatsCity(says(piece), around)));
  let end = pieces.length;
  while (end > 1 && isBehind(pieces[end - 1]!, pieces[end - 2]!)) end -= 1;
  const colonia = withoutColoniaMark(textOf(line, 0, pieces[end - 1]?.to ?? 0));
  return {
    colonia: colonia === "" ? null : { text: colonia, isSure: true },
    found: foundIn(line, pieces.slice(end), true),
  };
}
