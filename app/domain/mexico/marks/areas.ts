import { boroughOfText } from "../boroughs.ts";
import { endsThere, skip, wordAt } from "../labels.ts";
import { isMarket } from "./building.ts";
import { isFree } from "./marks.ts";
import type { Finder, Place } from "./marks.ts";
import { textOf } from "../tokens.ts";
import type { Line } from "../tokens.ts";
import {
  COLONIA_KINDS,
  COLONIA_MARKS,
  CROSSINGS,
  INTERIOR_WORDS,
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
  const isCell = beginsCell(line, at);
  const isStrong = (STRONG_COLONIA.has(word) && !isStreet) || isCell;
  const isSoft = place.afterFigure && SOFT_KINDS.has(word) && !place.opensSegment;
  if (!isStrong && !place.opensLine && (!isFree(place) || isSoft)) return null;
  if ((isMark || kind.length === 1) && wordAt(line, at + 1) === "") return null;
  const valueFrom = isMark ? afterMarks(line, at + 1) : at;
  const listedTo = listedEnd(line, valueFrom);
  if (listedTo !== null) return { kind: "colonia", valueFrom, to: listedTo, open: false, listed: true };
  const to = Math.max(valueFrom, at + kind.length);
  return { kind: "colonia", valueFrom, to, open: isMark || !COLONIA_MARKS.has(wordAt(line, to)) };
};

/** `Col. Colonia Eréndira`: people write the mark before a name that a list has with it. */
function afterMarks(line: Line, at: number): number {
  const from = skip(line, at, [":", "."]);
  return COLONIA_MARKS.has(wordAt(line, from)) && wordAt(line, from + 1) !== "" ? afterMarks(line, from + 1) : from;
}

/** Words that announce what stands behind a colonia. */
const BEHIND_COLONIA = new Set([
  "cp",
  "c.p",
  "codigo",
  "alcaldia",
  "delegacion",
  "deleg",
  "del",
  "municipio",
  "mpio",
  "mun",
]);

/** Finds a settlement that the list of postal codes has, without a mark: behind a number or in a segment of its own. */
export const findListedColonia: Finder = (line, at, place) => {
  // Behind words and a figure in the second line the words go on as a name: `Distrito 22 Centro`.
  const isInName = place.inside === "plain" && place.afterNumber && !place.opensSegment && !opensWithFigure(line, at);
  if (place.inside === "colonia" || !isFree(place) || isInName || COLONIA_MARKS.has(wordAt(line, at))) return null;
  if (!place.opensSegment && isOfOtherName(line, at, place)) return null;
  const to = listedEnd(line, at);
  return to === null ? null : { kind: "colonia", valueFrom: at, to, open: false, listed: true };
};

/** Whether nothing but a figure stands before a token in its segment: `…, 312C Centro`. */
const opensWithFigure = (line: Line, at: number): boolean => wordAt(line, at - 2) === "";

/**
 * Whether a name is that of a crossing street, a landmark or a building, be it a settlement's as well: `esq. Los Pinos`, `Torre Los Pinos`. Of
 * crossing streets only `Centro` behind a name is none.
 */
function isOfOtherName(line: Line, at: number, { inside }: Place): boolean {
  if (inside === null || inside === "plain") return false;
  const isNamedByIt = [wordAt(line, at), wordAt(line, at - 1)].some((word) => NAME_GOES_ON.has(word));
  return isNamedByIt || (inside === "beside" && wordAt(line, at) !== "centro");
}

/** Words behind which a name begins or goes on. */
const NAME_GOES_ON = new Set([
  ...CROSSINGS,
  ...STREET_KINDS,
  ...INTERIOR_WORDS,
  ..."comercial y e con de del la las el los al a".split(" "),
]);

/** The end of the listed name that begins at a token; null where there is none, or where it goes on as the name of something else. */
function listedEnd(line: Line, at: number): number | null {
  const to = line.listed.get(at);
  if (to === undefined || isHallBesideColonia(line, at)) return null;
  const next = wordAt(line, to);
  return endsThere(line, to) || BEHIND_COLONIA.has(next) || !/^[\p{L}\p{N}]/u.test(next) ? to : null;
}

/** `Central de Abasto Col. Ejidal` are two names, also where a list has the second one. */
const isHallBesideColonia = (line: Line, at: number): boolean =>
  COLONIA_MARKS.has(wordAt(line, at + 3)) && isMarket(textOf(line, at, at + 3));

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
  beginsCell(line, at);

/** `SM 45 Mz 15`; a supermanzana that is written out is always the colonia. */
const beginsCell = (line: Line, at: number): boolean =>
  SUPER_CELLS.includes(wordAt(line, at)) &&
  (LOT_WORDS.includes(wordAt(line, at + 2)) ||
    (wordAt(line, at) === "supermanzana" && /^\d/.test(wordAt(line, at + 1))));

/** Whether one to four words from here name an alcaldía. */
const namesBorough = (line: Line, from: number): boolean =>
  [1, 2, 3, 4].some((length) => boroughOfText(textOf(line, from, from + length)) !== null);
