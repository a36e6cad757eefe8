import { hasDigit, isDate, skip, wordAt } from "../labels.ts";
import type { Finder, Mark, Place } from "./marks.ts";
import type { Line } from "../tokens.ts";
import { CROSSINGS, DIRECTIONS, INTERIOR_MARKS, STREET_KINDS } from "../words.ts";

/** Finds cross streets and landmarks: `entre Morelos y Allende`, `x 61 y 63`, `esq. Juárez`, `frente al mercado`. */
export const findBeside: Finder = (line, at, place) => {
  if (place.opensLine || INTERIOR_MARKS.has(wordAt(line, at - 1))) return null;
  const word = wordAt(line, at);
  const open: Mark = { kind: "beside", valueFrom: at, to: at + 1, open: true };
  if (["esq", "esquina"].includes(word) && wordAt(line, at - 1) !== "la") return open;
  if (word === "casi" && ["esq", "esquina"].includes(wordAt(line, at + 1))) return { ...open, to: at + 2 };
  if (isBesideGroup(word)) return { ...open, open: false };
  // A landmark behind a dash belongs to no name: `Col. Centro - frente al parque`.
  if ((isAfterHouse(place) || wordAt(line, at - 1) === "-") && beginsLandmark(line, at)) return open;
  return CROSSINGS.has(word) ? findCrossing(line, at, place) : null;
};

/** Whether parentheses hold cross streets or a landmark: `(esquina con Insurgentes)`, `(frente al mercado)`. */
const isBesideGroup = (word: string): boolean =>
  /^[([]\s*(?:casi\s+)?(?:esq(?:uina)?|entre|e\/|frente|enfrente|junto|atras|detras|cerca|contraesquina|ref(?:erencias?)?)(?![\p{L}\p{N}])/u.test(
    word,
  );

const isAfterHouse = (place: Place): boolean =>
  place.opensSegment || place.afterNumber || place.afterFigure || place.inside === null;

const LANDMARKS = ["frente", "enfrente", "junto", "atras", "detras", "cerca", "contraesquina", "pegado"];

function beginsLandmark(line: Line, at: number): boolean {
  const word = wordAt(line, at);
  if (["ref", "referencia", "referencias"].includes(word)) return true;
  if (LANDMARKS.includes(word)) return ["a", "al", "de", "del", "con"].includes(wordAt(line, at + 1));
  return word === "a" && ["un", "una", "espaldas", "lado", "media"].includes(wordAt(line, at + 1));
}

/** The mark is closed when the cross streets are numbers, and open when they have names. */
function findCrossing(line: Line, at: number, place: Place): Mark | null {
  const word = wordAt(line, at);
  const first = numberedStreetEnd(line, skip(line, at + 1, ["calle", "calles", "las", "la", "av"]));
  const second = first !== null && wordAt(line, first) === "y" ? numberedStreetEnd(line, first + 1) : null;
  const isPair = second !== null && (word === "entre" || word === "e/");
  if (first !== null && (isPair || isAfterHouse(place) || endsNumberedStreet(line, at))) {
    const to = second ?? first;
    const goesOn = STREET_KINDS.has(wordAt(line, to)) || DIRECTIONS.has(wordAt(line, to));
    return { kind: "beside", valueFrom: at, to, open: goesOn };
  }
  if (STREET_KINDS.has(wordAt(line, at - 1))) return null;
  const isBetween = (word === "entre" || word === "e/") && segmentHolds(line, at, ["y", "e", "&"]);
  const isCross = word === "x" && isAfterHouse(place);
  return isBetween || isCross ? { kind: "beside", valueFrom: at, to: at + 1, open: true } : null;
}

/** The end of a street called by a number (`61`, `63-A`, `20 B`), or null. */
function numberedStreetEnd(line: Line, from: number): number | null {
  const start = STREET_KINDS.has(wordAt(line, from)) ? from + 1 : from;
  if (!/^\d+[°ºª]?(?:-?[a-z])?$/.test(wordAt(line, start)) || isDate(line, start)) return null;
  return /^[a-d]$/.test(wordAt(line, start + 1)) ? start + 2 : start + 1;
}

const endsNumberedStreet = (line: Line, at: number): boolean =>
  hasDigit(wordAt(line, at - 1)) || (hasDigit(wordAt(line, at - 2)) && wordAt(line, at - 1).length === 1);

/** Words of the longest name of a street, and some more. */
const LONGEST_NAME = 25;

function segmentHolds(line: Line, from: number, any: string[]): boolean {
  for (let at = from + 1; at <= from + LONGEST_NAME && wordAt(line, at) !== ""; at += 1)
    if (any.includes(wordAt(line, at))) return true;
  return false;
}
