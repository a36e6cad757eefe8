import { valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said } from "./found.ts";

/**
 * The interior number from all that names a part of a building, in the order it was typed. A manzana or lote beside a
 * house number, a bare name and a label without its word in the first line leave doubt.
 */
export function settleInterior(found: Found[], hasColonia: boolean): Said | null {
  const sorted = [...found].sort(
    (a, b) => Number(b.isFirstLine) - Number(a.isFirstLine) || a.piece.from - b.piece.from,
  );
  if (sorted.length === 0) return null;
  let text = "";
  for (const [index, each] of sorted.entries()) {
    const before = sorted[index - 1];
    const isAdjacent = before?.line === each.line && before.piece.to === each.piece.from;
    text += isAdjacent ? ` ${wordsOf(each)}` : `${index === 0 ? "" : ", "}${valueOfFound(each)}`;
  }
  return { text, isSure: sorted.every((each) => isSure(each, sorted.length === 1, hasColonia)) };
}

function isSure({ piece, isDelimited, isFirstLine }: Found, isAlone: boolean, hasColonia: boolean): boolean {
  if (piece.kind === "lots") return false;
  if (piece.kind === "plain") return isDelimited || (!isFirstLine && isAlone);
  return !piece.vague || hasColonia;
}
