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
  const line = readTokens(lineText);
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
  const line = readTokens(text);
  const pieces = cutLine(line, "second");
  const says = (piece: Piece) => textOf(line, piece.from, piece.to);
  const isBehind = (piece: Piece) =>
    piece.kind === "postal" ||
    piece.kind === "borough" ||
    (piece.kind === "plain" &&
      (isRepetition(says(piece), around) || isBorough(says(piece), around) || repeatsCity(says(piece), around)));
  let end = pieces.length;
  while (end > 1 && isBehind(pieces[end - 1]!)) end -= 1;
  const colonia = withoutColoniaMark(textOf(line, 0, pieces[end - 1]?.to ?? 0));
  return {
    colonia: colonia === "" ? null : { text: colonia, isSure: true },
    found: foundIn(line, pieces.slice(end), true),
  };
}
