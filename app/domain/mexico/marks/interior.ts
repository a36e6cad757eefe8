import { endsThere, isFloor, labelsEnd, noneEnd, skip, wordAt } from "../labels.ts";
import { isFree } from "./marks.ts";
import type { Finder, Mark } from "./marks.ts";
import type { Line } from "../tokens.ts";
import {
  INTERIOR_ALONE,
  INTERIOR_MARKS,
  INTERIOR_WORDS,
  NAMED_BUILDINGS,
  PLAIN_INTERIORS,
  STREET_KINDS,
} from "../words.ts";

const ARTICLES = ["de", "del", "la", "las", "el", "los", "al", "y"];

/** Finds `Int. 4B`, `Piso 3`, `2o. piso`, `Planta baja`, `Torre Reforma`; never the `Torre` of `Av. de la Torre 12`. */
export const findInterior: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  const next = wordAt(line, at + 1);
  if (ARTICLES.includes(wordAt(line, at - 1))) return null;
  if (word === "planta" && ["baja", "alta", "principal"].includes(next)) return closed(line, at, at + 2);
  if (isFree(place) && INTERIOR_ALONE.has(word) && (endsThere(line, at + 1) || labelsEnd(line, at + 1) !== null))
    return closed(line, at, labelsEnd(line, at + 1) ?? at + 1);
  if (isFree(place) && isFloor(line, at)) return closed(line, at, at + 2);
  if (isFree(place) && word === "centro" && next === "comercial") return named(at, at);
  const start = ["no", "num", "numero"].includes(word) && INTERIOR_MARKS.has(next) ? at + 1 : at;
  const mark = wordAt(line, start);
  if (!INTERIOR_WORDS.has(mark)) return null;
  const valueFrom = INTERIOR_MARKS.has(mark) ? skip(line, start + 1, [".", ":", "-"]) : at;
  if (INTERIOR_MARKS.has(mark) && isFloor(line, valueFrom)) return { ...closed(line, at, valueFrom + 2), valueFrom };
  // `Int. S/N` says of the interior that it has no number, not of the house.
  const noneTo = INTERIOR_MARKS.has(mark) ? noneEnd(line, valueFrom) : null;
  if (noneTo !== null) return { ...closed(line, at, noneTo), valueFrom };
  const end = labelsEnd(line, skip(line, start + 1, FILLERS));
  if (end !== null) {
    const isOwnSegment = wordAt(line, end) === "";
    const mayStand = isFree(place) || (place.opensLine ? isOwnSegment : PLAIN_INTERIORS.has(mark));
    return mayStand && !(place.inside === "plain" && STREET_KINDS.has(wordAt(line, at - 1)))
      ? { ...closed(line, at, end), valueFrom }
      : null;
  }
  if (next === "" || !isFree(place) || place.inside === "beside") return null;
  return INTERIOR_MARKS.has(mark) || NAMED_BUILDINGS.has(mark) ? named(at, valueFrom) : null;
};

const FILLERS = ["comercial", "comerciales", "ancla", "no", "num", "numero", "letra", "#", ":", ".", "-"];

/** A mark that ends at `to`; an open one if words follow that say what it is a part of (`Fracción 2 del lote`). */
const closed = (line: Line, at: number, to: number): Mark => ({
  kind: "interior",
  valueFrom: at,
  to,
  open: ["de", "del"].includes(wordAt(line, to)),
});

const named = (at: number, valueFrom: number): Mark => ({
  kind: "interior",
  valueFrom,
  to: Math.max(at + 1, valueFrom),
  open: true,
  vague: true,
});
