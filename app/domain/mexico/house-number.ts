import { isDate, isLabel, numberEnd, wordAt } from "./labels.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { DIRECTIONS, INTERIOR_WORDS, NUMBERED_KINDS, ROAD_KINDS, ROUTE_WORDS, STREET_KINDS } from "./words.ts";

/** A house number without a mark: its tokens, and whether another reading is as good. */
export interface BareNumber {
  from: number;
  to: number;
  isSure: boolean;
  /** A second label after it, which may be an interior (`222 4B`). */
  interiorFrom: number | null;
}

/**
 * Finds the house number at the end of a street's words `from`…`to`, and tells it from a number in the street's name (`Calle 60`, `Oriente
 * 158`, `Eje 3 Sur`, `Carretera Federal 180`). Null when the words hold no house number.
 */
export function bareNumber(line: Line, from: number, to: number): BareNumber | null {
  let end = to;
  while (end - from > 1 && /^[([]/.test(wordAt(line, end - 1))) end -= 1;
  const found = bareNumberAtEnd(line, from, end);
  return found && end < to ? { ...found, to, isSure: false } : found;
}

function bareNumberAtEnd(line: Line, from: number, to: number): BareNumber | null {
  const word = (at: number) => line.tokens[at]?.word ?? "";
  const start = tailStart(line, from, to);
  if (start === null || isStreetName(line, from, start, to)) return null;
  if (start === from) return { from: start, to, isSure: true, interiorFrom: null };
  if (["de", "del"].includes(word(start - 1))) return null;
  const isPlain =
    !mayHoldInterior(textOf(line, start, to)) &&
    !isPartOfBuilding(line, from, start) &&
    !isCrossing(line, from, start) &&
    !holdsStrayFigure(line, from, start);
  const earlier = tailStart(line, from, start);
  if (earlier === null || isStreetName(line, from, earlier, start)) {
    return { from: start, to, isSure: isPlain, interiorFrom: null };
  }
  if (["de", "del"].includes(word(earlier - 1))) return { from: start, to, isSure: isPlain, interiorFrom: null };
  if (/^1[89]\d\d$|^20\d\d$/.test(word(earlier))) return { from: start, to, isSure: false, interiorFrom: null };
  return { from: earlier, to: start, isSure: false, interiorFrom: start };
}

/**
 * Where a figure begins that stands amid words of neither a road nor a numbered street (`Insurgentes 10 Del Valle`); null when there is
 * none.
 */
export function figureAmid(line: Line, from: number, to: number): number | null {
  const word = (at: number) => line.tokens[at]?.word ?? "";
  if (ROUTE_WORDS.has(word(from)) || ROAD_KINDS.has(word(from))) return null;
  for (let at = from + 1; at < to - 1; at += 1) {
    if (!/^\d/.test(word(at)) || numberEnd(line, at) === null || isOrdinal(line, at)) continue;
    const isNamed = ["de", "del", "y"].includes(word(at - 1)) || isStreetName(line, from, at, at + 1);
    if (!isNamed) return at;
  }
  return null;
}

/** `222-4` is a range or an interior behind its number, and so are `68-PB` and `179-A-3`. `179-A` is a number. */
export const mayHoldInterior = (number: string): boolean => /\d\s*-\s*(?:\d|\p{L}{2}|\p{L}\s*-)|\//u.test(number);

/** `Av. 11 Calle 5`: a figure behind a second kind of way is likely the name of that way. `5a. Avenida 123` is none of these. */
function isCrossing(line: Line, from: number, at: number): boolean {
  return CROSSED_KINDS.includes(line.tokens[at - 1]?.word ?? "") && NUMBERED_KINDS.has(line.tokens[from]!.word);
}

/** `Edificio Azul Piso 3`: the figure is likely the floor's; but `Calle Puerta 5`, `Camino a la Torre 12`. */
function isPartOfBuilding(line: Line, from: number, at: number): boolean {
  if (at - 1 <= from || !INTERIOR_WORDS.has(wordAt(line, at - 1))) return false;
  const before = wordAt(line, at - 2);
  return !STREET_KINDS.has(before) && !ARTICLES.has(before);
}

const ARTICLES = new Set("de del la las el los".split(" "));

const CROSSED_KINDS = ["calle", "c", "av", "avenida"];

/** Whether the street's words hold a figure that is no street's name, date or year: `Pinos 100 a 102`, `Roble M30A Centro`. */
export function holdsStrayFigure(line: Line, from: number, to: number): boolean {
  if (ROAD_KINDS.has(wordAt(line, from))) return false;
  for (let at = from + 1; at < to; at += 1) {
    if (/^[a-z]{1,2}-?\d/.test(wordAt(line, at))) return true;
    if (!/^\d/.test(wordAt(line, at)) || isOrdinal(line, at) || isDate(line, at)) continue;
    const before = wordAt(line, at - 1);
    const isNamed = ["de", "del"].includes(before) || NUMBERED_KINDS.has(before) || DIRECTIONS.has(before);
    if (!isNamed && !ROUTE_WORDS.has(before)) return true;
  }
  return false;
}

/** Where the number begins that ends exactly at `to`; it takes as many tokens as make one number. */
function tailStart(line: Line, from: number, to: number): number | null {
  for (let start = Math.max(from, to - 4); start < to; start += 1) {
    if (/^\d/.test(line.tokens[start]!.word) && !isOrdinal(line, start) && numberEnd(line, start) === to) return start;
  }
  const last = to - 1;
  const isLabelled = last > from && /^[a-z]-?\d+/.test(line.tokens[last]!.word) && isLabel(line.tokens[last]!.word);
  return isLabelled ? last : null;
}

/** Whether a word is an ordinal (`9na.`, `27a.`, `1er`), which is part of a street's name and never a house number. */
function isOrdinal(line: Line, at: number): boolean {
  const { start, end } = line.tokens[at]!;
  return /^\d+(?:r[ao]|d[ao]|t[ao]|m[ao]|n[ao]|v[ao]|er|ª|º|°|[ao]\.)\.?$/i.test(line.text.slice(start, end));
}

/** Whether the number at `start`…`end` is (part of) the name of the street whose words begin at `from`. */
function isStreetName(line: Line, from: number, start: number, end: number): boolean {
  if (start === from) return from === 0 && end - start > 1 && DIRECTIONS.has(line.tokens[end - 1]!.word);
  const last = line.tokens[start - 1]!.word;
  if (ROUTE_WORDS.has(last) || last === "eje") return true;
  // `Brecha E-99`: ways outside towns are called by a letter and a figure.
  if (start - from === 1 && ROAD_KINDS.has(last) && /^[a-z]-?\d/.test(wordAt(line, start))) return true;
  let [kinds, directions] = [0, 0];
  for (let at = from; at < start; at += 1) {
    const { word } = line.tokens[at]!;
    if (NUMBERED_KINDS.has(word)) kinds += 1;
    else if (DIRECTIONS.has(word) && directions === 0) directions += 1;
    else return false;
  }
  // No town counts its streets by thousands: `Calle Norte 1341` is called Norte.
  if (kinds > 0 && directions > 0 && /^\d{4}/.test(wordAt(line, start))) return false;
  return directions === 0 || DIRECTIONS.has(last);
}
