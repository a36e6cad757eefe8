import type { Line } from "./tokens.ts";
import {
  COLONIA_MARKS,
  CROSSINGS,
  DIRECTIONS,
  INTERIOR_WORDS,
  MONTHS,
  NUMBER_MARKS,
  ORDINALS,
  STREET_KINDS,
} from "./words.ts";

/** The folded word at a token; empty at a break and outside the line. */
export function wordAt(line: Line, at: number): string {
  const token = line.tokens[at];
  return token === undefined || token.isBreak ? "" : token.word;
}

/** Fillers that stand together, as people write them. A longer row is nobody's, and is not walked through from each of its tokens. */
const MOST_FILLERS = 12;

/** The first token from `at` on that is none of the fillers. */
export function skip(line: Line, at: number, fillers: readonly string[]): number {
  let next = at;
  while (next - at < MOST_FILLERS && fillers.includes(wordAt(line, next))) next += 1;
  return next;
}

/** Whether a word holds a figure. */
export const hasDigit = (word: string): boolean => /\d/.test(word);

const LABELS = [/^\d[\da-z/-]*$/, /^[a-z]{1,2}-?\d+[a-z]?(?:-\d+)?$/, /^[“”"']?[a-z][“”"']?$/];

/** Where words end that say "without number" (`S/N`, `SN`, `sin número`); null when none begin here. */
export function noneEnd(line: Line, at: number): number | null {
  const word = wordAt(line, at);
  if (["s/n", "sn", "s.n"].includes(word)) return at + 1;
  const says = word === "sin" && ["num", "numero", "no", "nro", "n", "nº", "n°"].includes(wordAt(line, at + 1));
  return says ? at + 2 : null;
}

/** What a flat, a lot or a house is called: `4B`, `12-A`, `K-32`, `C`. */
export const isLabel = (word: string): boolean => LABELS.some((shape) => shape.test(word));

/** Whether all tokens of a run are labels (`4B`, `3 y 4`): an interior without its word. */
export function isLabelRun(line: Line, { from, to }: { from: number; to: number }): boolean {
  const words = line.tokens.slice(from, to).map(({ word }) => word);
  return words.length < 5 && words.every((word) => isLabel(word) || word === "y" || word === "-");
}

/** Whether a date as in a street's name begins here: `5 de Mayo`. */
export const isDate = (line: Line, at: number): boolean =>
  wordAt(line, at + 1) === "de" && MONTHS.has(wordAt(line, at + 2));

/** Tokens of the longest list of labels that a building has. */
const LONGEST_LIST = 20;

/** Where a list of labels ends (`3`, `3 y 4`, `4 B`, `8 - 9`); null when none begins here. */
export function labelsEnd(line: Line, at: number): number | null {
  if (!isLabel(wordAt(line, at)) || isDate(line, at)) return null;
  let end = at + 1;
  if (wordAt(line, end) === "1/2") end += 1;
  while (end - at < LONGEST_LIST && ["y", "-", "e", "al", "&"].includes(wordAt(line, end)) && goesOn(line, end + 1))
    end += 2;
  if (/^bis(?:-[a-z])?$/.test(wordAt(line, end))) return end + 1;
  const isFigure = /^\d+$/.test(wordAt(line, end - 1));
  return isFigure && isSuffix(wordAt(line, end)) && endsThere(line, end + 1) ? end + 1 : end;
}

/** `2o. piso`, `segundo nivel`. */
export const isFloor = (line: Line, at: number): boolean =>
  ORDINALS.has(wordAt(line, at)) && ["piso", "nivel"].includes(wordAt(line, at + 1));

/** Whether a list goes on with this label: a figure, or a single letter that ends the list (`A y B`). */
const goesOn = (line: Line, at: number): boolean =>
  (isNumbered(wordAt(line, at)) && !isFloor(line, at)) || (/^[a-z]$/.test(wordAt(line, at)) && endsThere(line, at + 1));

const isNumbered = (word: string): boolean => isLabel(word) && hasDigit(word);

/** A letter behind a figure. Not `e`, `o`, `u`, `x` and `y`, which are words of their own. */
const isSuffix = (word: string): boolean => /^[a-df-np-tvwz]$/.test(word);

/** Whether no word follows that a label could belong to. */
export const endsThere = (line: Line, at: number): boolean => {
  const word = wordAt(line, at);
  return word === "" || line.listed.has(at) || ENDS.some((words) => words.has(word));
};

const ENDS = [CROSSINGS, COLONIA_MARKS, INTERIOR_WORDS, NUMBER_MARKS, STREET_KINDS];

/** Where a house number ends (`123`, `12 bis`, `38 y 46`, `1006 Pte.`, `M30A`); null when none begins here. */
export function numberEnd(line: Line, at: number): number | null {
  if (!isNumbered(wordAt(line, at)) || isDate(line, at)) return null;
  const end = labelsEnd(line, at)!;
  return DIRECTIONS.has(wordAt(line, end)) ? end + 1 : end;
}
