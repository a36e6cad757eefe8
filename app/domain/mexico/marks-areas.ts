import { skip, wordAt } from "./labels.ts";
import { isFree } from "./marks.ts";
import type { Finder } from "./marks.ts";
import { COLONIA_KINDS, COLONIA_MARKS, SOFT_KINDS, STREET_KINDS, STRONG_COLONIA } from "./words.ts";

export const findColonia: Finder = (line, at, place) => {
  if (place.inside === "colonia") return null;
  const word = wordAt(line, at);
  const isMark = COLONIA_MARKS.has(word);
  const kind = isMark
    ? [word]
    : COLONIA_KINDS.find((of) => of.every((part, index) => wordAt(line, at + index) === part));
  if (kind === undefined || place.opensLine) return null;
  const isStrong = STRONG_COLONIA.has(word) && !STREET_KINDS.has(wordAt(line, at - 1));
  const isSoft = place.afterFigure && SOFT_KINDS.has(word) && !place.opensSegment;
  if ((!isFree(place) || isSoft) && !(isStrong && at > 0)) return null;
  const valueFrom = isMark ? skip(line, at + 1, [":", "."]) : at;
  const needsName = isMark || kind.length === 1;
  if (needsName && wordAt(line, at + 1) === "") return null;
  return { kind: "colonia", valueFrom, to: Math.max(valueFrom, at + kind.length), open: true };
};

export const findBorough: Finder = (line, at, { opensLine }) => {
  if (opensLine) return null;
  const word = wordAt(line, at);
  if (!["alcaldia", "delegacion", "deleg", "municipio", "mpio", "mun"].includes(word)) return null;
  const valueFrom = skip(line, at + 1, [":", ".", "de"]);
  return wordAt(line, valueFrom) === "" ? null : { kind: "borough", valueFrom, to: valueFrom, open: true };
};
