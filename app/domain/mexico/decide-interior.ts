import { fold } from "../address/fold.ts";
import { isMarket } from "./marks/building.ts";
import { isLabelRun, wordAt } from "./labels.ts";
import { STREET_KINDS, SUPER_CELLS } from "./words.ts";
import { isBorough, isRepetition, repeatsCity } from "./found.ts";
import type { Found, Said, Surroundings } from "./found.ts";
import { cutLine } from "./pieces.ts";
import { readTokens, textOf } from "./tokens.ts";

/**
 * The interior number: all pieces that name a part of a building, in the order they were typed. It is unsure where a manzana or lote stands
 * beside a house number, where the number is unsure (`4 B, Planta Baja`), where nothing else may be the street, where a name has no mark, where a label without its word stands in the first line, or where its words say that they
 * are something else (`Int. S/N`, `Int. Km 5`). A lote beside its manzana is sure.
 */
export function decideInterior(
  found: Found[],
  around: { isColoniaSure: boolean; hasStreet: boolean; number: Said | null; place: Surroundings },
): Said | null {
  const { isColoniaSure, number, place } = around;
  const sorted = [...found].sort(
    (a, b) => Number(b.isFirstLine) - Number(a.isFirstLine) || a.piece.from - b.piece.from,
  );
  if (sorted.length === 0) return null;
  const text = runsOf(sorted)
    .map(([first, last]) => textOf(first.line, first.piece.valueFrom, last.piece.to))
    .filter((words) => words !== "")
    .join(", ");
  const isLote = isOnlyLote(sorted) && number?.isSure === true && isManzana(number.text);
  const isSure = sorted.every(
    (each, index) =>
      (each.piece.kind === "lots" ? isLote : isPlaced(each, sorted[index - 1])) && (!each.piece.vague || isColoniaSure),
  );
  // The words behind an unsure number may be the number's, and the number's end the interior's.
  const isWhole = number?.isSure !== false && (around.hasStreet || !sorted.some(({ isFirstLine }) => isFirstLine));
  return { text, isSure: isSure && isWhole && isInterior(text, place) };
}

/** Whether a text that stands in the interior's place is read as nothing else, and none of its words repeats the rest of the address. */
function isInterior(text: string, place: Surroundings): boolean {
  const line = readTokens(text, place.names);
  return cutLine(line, "second").every(({ kind, from, to }) => {
    const words = textOf(line, from, to);
    if (kind !== "plain") return kind === "interior" || kind === "lots" || isMarket(words);
    const isWay = STREET_KINDS.has(wordAt(line, from)) && to - from > 1;
    return (
      words === "" || (!isWay && !isRepetition(words, place) && !repeatsCity(words, place) && !isBorough(words, place))
    );
  });
}

/** The first and the last piece of each run without words between them, which is one value as it was typed. */
function runsOf(sorted: Found[]): [first: Found, last: Found][] {
  const runs: [Found, Found][] = [];
  for (const each of sorted) {
    const run = runs.at(-1);
    if (run?.[1].line === each.line && isNext(run[1].piece.to, each)) run[1] = each;
    else runs.push([each, each]);
  }
  return runs;
}

/** Whether a piece begins at a token, or behind a dash there. */
const isNext = (to: number, { line, piece }: Found): boolean =>
  piece.from === to || (piece.from === to + 1 && wordAt(line, to) === "-");

/** Whether one lote is the first of the pieces, and no other piece is a lot but a supermanzana. */
const isOnlyLote = ([first, ...others]: Found[]): boolean =>
  first?.piece.kind === "lots" &&
  wordAt(first.line, first.piece.valueFrom).startsWith("l") &&
  others.every(({ line, piece }) => piece.kind !== "lots" || SUPER_CELLS.includes(wordAt(line, piece.valueFrom)));

/** Whether a house number is a manzana and nothing else: `Mz 5`, `M30A`. */
function isManzana(number: string): boolean {
  const words = fold(number).split(" ");
  return words.length <= 2 && /^m(?:z|anz|\d)/.test(words[0]!);
}

/**
 * A label without its word is an interior where Shopify's form keeps it apart, where it continues a list (`Locales 3, 4 y 5`), and where it
 * begins the second line.
 */
function isPlaced({ line, piece, isDelimited, isFirstLine }: Found, before: Found | undefined): boolean {
  if (piece.kind !== "plain") return true;
  const goesOn = before?.line === line && before.piece.segment === piece.segment - 1;
  return (
    (isDelimited && !STREET_KINDS.has(wordAt(line, piece.from))) ||
    goesOn ||
    (!isFirstLine && isLabelRun(line, piece) && before === undefined)
  );
}
