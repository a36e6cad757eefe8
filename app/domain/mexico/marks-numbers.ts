import { hasDigit, labelsEnd, numberEnd, skip, wordAt } from "./labels.ts";
import type { Finder } from "./marks.ts";
import { LOT_WORDS, NUMBER_MARKS, STREET_KINDS, SUPER_CELLS } from "./words.ts";

export const findNone: Finder = (line, at, { inside }) => {
  if (inside === "colonia") return null;
  const start = skip(line, at, ["#", "no", "num", "numero", "ext", ":"]);
  const word = wordAt(line, start);
  if (["s/n", "sn", "s.n"].includes(word)) return { kind: "none", valueFrom: start, to: start + 1, open: false };
  const says = word === "sin" && ["num", "numero", "no", "nro", "n", "nº", "n°"].includes(wordAt(line, start + 1));
  return says ? { kind: "none", valueFrom: start, to: start + 2, open: false } : null;
};

export const findKm: Finder = (line, at, { inside }) => {
  if (inside === "colonia" || inside === "beside") return null;
  const start = skip(line, at, ["#", "no"]);
  if (!["km", "kms", "k.m", "kilometro"].includes(wordAt(line, start))) return null;
  let value = skip(line, start + 1, [":", ".", "no", "#"]);
  if (/^[a-z]$/.test(wordAt(line, value)) && hasDigit(wordAt(line, value + 1))) value += 1;
  if (!/^\d/.test(wordAt(line, value))) return null;
  let to = value + 1;
  if (["+", "mas"].includes(wordAt(line, to)) && hasDigit(wordAt(line, to + 1))) to += 2;
  return { kind: "km", valueFrom: start, to, open: false };
};

export const findLots: Finder = (line, at, { inside, afterNumber, opensLine, opensSegment }) => {
  const start = skip(line, at, ["#", "no"]);
  const word = wordAt(line, start);
  if (/^[ml]\d+[a-z]?$/.test(word) && !opensLine && inside === null) {
    return { kind: "lots", valueFrom: start, to: start + 1, open: false, vague: true };
  }
  if (word === "manzana" && STREET_KINDS.has(wordAt(line, at - 1))) return null;
  const isCell = LOT_WORDS.includes(word) || (SUPER_CELLS.includes(word) && afterNumber && !opensSegment);
  if (!isCell) return null;
  const named = labelsEnd(line, skip(line, start + 1, ["catastral", "no", "num", "#", ":"]));
  const end = named !== null && SUPER_CELLS.includes(wordAt(line, named)) ? labelsEnd(line, named + 1) : named;
  return end === null ? null : { kind: "lots", valueFrom: start, to: end, open: false };
};

export const findNumber: Finder = (line, at, { inside, afterNumber, opensSegment }) => {
  if (
    inside === "colonia" ||
    (afterNumber && inside === "plain" && !opensSegment) ||
    !NUMBER_MARKS.has(wordAt(line, at))
  )
    return null;
  const valueFrom = skip(line, at, [...NUMBER_MARKS, ":", "."]);
  const to = numberEnd(line, valueFrom);
  return to === null ? null : { kind: "number", valueFrom, to, open: false };
};

export const findPostal: Finder = (line, at) => {
  const word = wordAt(line, at);
  const next = wordAt(line, at + 1);
  const marks =
    word === "cp" || word === "c.p"
      ? 1
      : (word === "c" && next === "p") || (word === "codigo" && next === "postal")
        ? 2
        : 0;
  if (marks === 0) return null;
  const valueFrom = skip(line, at + marks, [":", "#", "."]);
  return /^\d{4,5}$/.test(wordAt(line, valueFrom))
    ? { kind: "postal", valueFrom, to: valueFrom + 1, open: false }
    : null;
};
