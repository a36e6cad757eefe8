import { boroughOfText } from "../boroughs.ts";
import { skip, wordAt } from "../labels.ts";
import { isFree } from "./marks.ts";
import type { Finder } from "./marks.ts";
import { textOf } from "../tokens.ts";
import type { Line } from "../tokens.ts";
import {
  COLONIA_KINDS,
  COLONIA_MARKS,
  LOT_WORDS,
  SOFT_KINDS,
  STREET_KINDS,
  STRONG_COLONIA,
  SUPER_CELLS,
} from "../words.ts";

/** Finds `Col. Juárez`, `Fracc. Las Palmas`, `Ejido El Nacimiento`. A street may be called `Colonia del Valle`, too. */
export const findColonia: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  if (place.inside === "colonia" || (place.opensLine && !mayOpenLine(line, at))) return null;
  const isMark = COLONIA_MARKS.has(word);
  const kind = isMark
    ? [word]
    : COLONIA_KINDS.find((of) => of.every((part, index) => wordAt(line, at + index) === part));
  if (kind === undefined) return null;
  const isStreet = place.inside === "plain" && STREET_KINDS.has(wordAt(line, at - 1));
  const isStrong = STRONG_COLONIA.has(word) && !isStreet;
  const isSoft = place.afterFigure && SOFT_KINDS.has(word) && !place.opensSegment;
  if (!isStrong && !place.opensLine && (!isFree(place) || isSoft)) return null;
  if ((isMark || kind.length === 1) && wordAt(line, at + 1) === "") return null;
  const valueFrom = isMark ? skip(line, at + 1, [":", "."]) : at;
  return { kind: "colonia", valueFrom, to: Math.max(valueFrom, at + kind.length), open: true };
};

/** Finds `Alcaldía Cuauhtémoc`, `Mpio. de Zapopan`. `Av. Municipio Libre` is a street, and a colonia may be called `Delegación …`. */
export const findBorough: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  const valueFrom = skip(line, at + 1, [":", ".", "de"]);
  if (place.opensLine || wordAt(line, valueFrom) === "") return null;
  const mark = { kind: "borough", valueFrom, to: valueFrom, open: true } as const;
  if (["municipio", "mpio", "mun"].includes(word)) {
    return place.opensSegment && wordAt(line, valueFrom) !== "libre" ? mark : null;
  }
  if (!["alcaldia", "delegacion", "deleg", "del"].includes(word)) return null;
  return namesBorough(line, valueFrom) && (place.inside !== "plain" || place.opensSegment) ? mark : null;
};

/** `Col. Centro, Av. Juárez 5` and Cancún's `SM 45 Mz 15 Lt 3` begin with the colonia; any other line begins with its street. */
const mayOpenLine = (line: Line, at: number): boolean =>
  (STRONG_COLONIA.has(wordAt(line, at)) && line.tokens.slice(at).some(({ isBreak }) => isBreak)) ||
  (SUPER_CELLS.includes(wordAt(line, at)) && LOT_WORDS.includes(wordAt(line, at + 2)));

/** Whether one to four words from here name an alcaldía. */
const namesBorough = (line: Line, from: number): boolean =>
  [1, 2, 3, 4].some((length) => boroughOfText(textOf(line, from, from + length)) !== null);
