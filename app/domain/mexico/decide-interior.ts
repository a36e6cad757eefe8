import { isLabelRun, wordAt } from "./labels.ts";
import { STREET_KINDS } from "./words.ts";
import { valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said } from "./found.ts";

/**
 * The interior number: all pieces that name a part of a building, in the order they were typed. It is unsure where a manzana or lote stands
 * beside a house number, where a name has no mark, or where a label without its word stands in the first line.
 */
export function decideInterior(found: Found[], isColoniaSure: boolean): Said | null {
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
  const isSure = sorted.every(
    (each, index) => isPlaced(each, sorted[index - 1]) && (!each.piece.vague || isColoniaSure),
  );
  return { text, isSure };
}

/**
 * A label without its word is an interior where Shopify's form keeps it apart, where it continues a list (`Locales 3, 4 y 5`), and where it
 * begins the second line.
 */
function isPlaced({ line, piece, isDelimited, isFirstLine }: Found, before: Found | undefined): boolean {
  if (piece.kind !== "plain") return piece.kind !== "lots";
  const goesOn = before?.line === line && before.piece.segment === piece.segment - 1;
  return (
    (isDelimited && !STREET_KINDS.has(wordAt(line, piece.from))) ||
    goesOn ||
    (!isFirstLine && isLabelRun(line, piece) && before === undefined)
  );
}
