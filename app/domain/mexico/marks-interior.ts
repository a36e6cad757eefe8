import { labelsEnd, skip, wordAt } from "./labels.ts";
import { isFree } from "./marks.ts";
import type { Finder, Mark } from "./marks.ts";
import { INTERIOR_ALONE, INTERIOR_MARKS, INTERIOR_WORDS, NAMED_BUILDINGS, ORDINALS, STREET_KINDS } from "./words.ts";

export const findInterior: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  const next = wordAt(line, at + 1);
  const soon = isFree(place);
  const closed = (to: number): Mark => ({
    kind: "interior",
    valueFrom: at,
    to,
    open: ["de", "del"].includes(wordAt(line, to)),
  });
  if (word === "planta" && ["baja", "alta", "principal"].includes(next)) return closed(at + 2);
  if (soon && INTERIOR_ALONE.has(word)) return closed(labelsEnd(line, at + 1) ?? at + 1);
  if (soon && ORDINALS.has(word) && ["piso", "nivel"].includes(next)) return closed(at + 2);
  const start = ["no", "num", "numero"].includes(word) && INTERIOR_MARKS.has(next) ? at + 1 : at;
  const mark = wordAt(line, start);
  if (mark === "centro" && wordAt(line, start + 1) === "comercial" && soon) return named(at);
  if (!INTERIOR_WORDS.has(mark)) return null;
  const label = skip(line, start + 1, ["comercial", "comerciales", "no", "num", "numero", "letra", "#", ":", ".", "-"]);
  const end = labelsEnd(line, label);
  const isOwnSegment = end !== null && line.tokens[end]?.isBreak === true;
  const belongsToStreet = !soon && ((place.opensLine && !isOwnSegment) || STREET_KINDS.has(wordAt(line, at - 1)));
  if (end !== null && !belongsToStreet) return withoutMark(closed(end), start, mark);
  if (wordAt(line, start + 1) === "" || !soon || place.inside === "colonia") return null;
  if (INTERIOR_MARKS.has(mark)) return withoutMark(named(at), start, mark);
  return NAMED_BUILDINGS.has(mark) ? named(at) : null;
};

const named = (at: number): Mark => ({ kind: "interior", valueFrom: at, to: at + 1, open: true, vague: true });

const withoutMark = (found: Mark, start: number, mark: string): Mark =>
  INTERIOR_MARKS.has(mark) ? { ...found, valueFrom: start + 1, to: Math.max(found.to, start + 1) } : found;
