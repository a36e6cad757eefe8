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

/** The folded word at a token; empty at a break and beyond the line's ends. */
export function wordAt(line: Line, at: number): string {
  const token = line.tokens[at];
  return token === undefined || token.isBreak ? "" : token.word;
}

/** The first token from `at` on that is none of the fillers. */
export function skip(line: Line, at: number, fillers: readonly string[]): number {
  let next = at;
  while (fillers.includes(wordAt(line, next))) next += 1;
  return next;
}

/** Whether a word holds a figure. */
export const hasDigit = (word: string): boolean => /\d/.test(word);

const LABELS = [/^\d[\da-z/-]*$/, /^[a-z]{1,2}-?\d+[a-z]?(?:-\d+)?$/, /^[“”"']?[a-z][“”"']?$/];

/** What a flat, a lot or a house is called: `4B`, `12-A`, `K-32`, `C`. */
export const isLabel = (word: string): boolean => LABELS.some((shape) => shape.test(word));

/** Whether a run of tokens is nothing but labels (`4B`, `3 y 4`): an interior without its word. */
export function isLabelRun(line: Line, { from, to }: { from: number; to: number }): boolean {
  const words = line.tokens.slice(from, to).map(({ word }) => word);
  return words.length < 5 && words.every((word) => isLabel(word) || word === "y" || word === "-");
}

/** Whether a street's date begins here: `5 de Mayo`. */
export const isDate = (line: Line, at: number): boolean =>
  wordAt(line, at + 1) === "de" && MONTHS.has(wordAt(line, at + 2));

/** The end of a list of labels (`3`, `3 y 4`, `4 B`, `8 - 9`), or null when none begins here. */
export function labelsEnd(line: Line, at: number): number | null {
  if (!isLabel(wordAt(line, at)) || isDate(line, at)) return null;
  let end = at + 1;
  if (wordAt(line, end) === "1/2") end += 1;
  while (["y", "-", "e", "al", "&"].includes(wordAt(line, end)) && goesOn(line, end + 1)) end += 2;
  if (/^bis(?:-[a-z])?$/.test(wordAt(line, end))) return end + 1;
  const isFigure = /^\d+$/.test(wordAt(line, end - 1));
  return isFigure && isSuffix(wordAt(line, end)) && endsThere(line, end + 1) ? end + 1 : end;
}

/** `2o. piso`, `segundo nivel`. */
export const isFloor = (line: Line, at: number): boolean =>
  ORDINALS.has(wordAt(line, at)) && ["piso", "nivel"].includes(wordAt(line, at + 1));

/** Another label of a list: a figure, or a lone letter at the list's end (`A y B`). */
const goesOn = (line: Line, at: number): boolean =>
  (isNumbered(wordAt(line, at)) && !isFloor(line, at)) || (/^[a-z]$/.test(wordAt(line, at)) && endsThere(line, at + 1));

const isNumbered = (word: string): boolean => isLabel(word) && hasDigit(word);

/** A letter behind a figure; not the words that a letter alone can be (`e`, `o`, `u`, `x`, `y`). */
const isSuffix = (word: string): boolean => /^[a-df-np-tvwz]$/.test(word);

/** Whether nothing that a label could belong to goes on at a token. */
export const endsThere = (line: Line, at: number): boolean => {
  const word = wordAt(line, at);
  return word === "" || ENDS.some((words) => words.has(word));
};

const ENDS = [CROSSINGS, COLONIA_MARKS, INTERIOR_WORDS, NUMBER_MARKS, STREET_KINDS];

/** The end of a house number (`123`, `12 bis`, `38 y 46`, `1006 Pte.`, `M30A`), or null when none begins here. */
export function numberEnd(line: Line, at: number): number | null {
  if (!isNumbered(wordAt(line, at)) || isDate(line, at)) return null;
  const end = labelsEnd(line, at)!;
  return DIRECTIONS.has(wordAt(line, end)) ? end + 1 : end;
}
