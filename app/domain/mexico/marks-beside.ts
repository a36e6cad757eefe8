import { hasDigit, isDate, wordAt } from "./labels.ts";
import type { Finder, Mark, Place } from "./marks.ts";
import type { Line } from "./tokens.ts";
import { LANDMARKS, STREET_KINDS } from "./words.ts";

export const findBeside: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  const isFree = place.opensSegment || place.afterNumber || place.afterFigure;
  const open = (vague = false): Mark => ({ kind: "beside", valueFrom: at, to: at + 1, open: true, vague });
  if (["esq", "esquina"].includes(word) && !place.opensLine) return open();
  if (word === "casi" && ["esq", "esquina"].includes(wordAt(line, at + 1))) return open();
  if (isFree && LANDMARKS.has(word)) return open();
  if (isFree && word === "a" && ["un", "una", "espaldas", "lado", "media"].includes(wordAt(line, at + 1)))
    return open();
  if (["entre", "e/", "x", "por"].includes(word)) return findCrossing(line, at, place);
  return null;
};

/** `x 61 y 63`, `por 25`, `entre Morelos y Allende`: closed when the streets are numbers, open when they have names. */
const findCrossing: Finder = (line, at, place) => {
  const numbered = (from: number): number | null => {
    const start = STREET_KINDS.has(wordAt(line, from)) ? from + 1 : from;
    if (!/^\d+[°ºª]?(?:-?[a-z])?$/.test(wordAt(line, start)) || isDate(line, start)) return null;
    return /^[a-d]$/.test(wordAt(line, start + 1)) ? start + 2 : start + 1;
  };
  const first = numbered(at + 1);
  const second = first !== null && wordAt(line, first) === "y" ? numbered(first + 1) : null;
  const afterFigure =
    hasDigit(wordAt(line, at - 1)) || (hasDigit(wordAt(line, at - 2)) && wordAt(line, at - 1).length === 1);
  const word = wordAt(line, at);
  if (first !== null && (place.afterNumber || place.opensSegment || place.afterFigure || afterFigure)) {
    return { kind: "beside", valueFrom: at, to: second ?? first, open: false };
  }
  const isPair = word !== "entre" && word !== "e/" ? word === "x" : segmentHolds(line, at, ["y", "e", "&"]);
  const isStreetName = place.opensLine || STREET_KINDS.has(wordAt(line, at - 1));
  if (!isPair || isStreetName) return null;
  return place.afterNumber || place.opensSegment || place.afterFigure || word !== "x"
    ? { kind: "beside", valueFrom: at, to: at + 1, open: true }
    : null;
};

function segmentHolds(line: Line, from: number, any: string[]): boolean {
  for (let at = from + 1; wordAt(line, at) !== ""; at += 1) if (any.includes(wordAt(line, at))) return true;
  return false;
}
