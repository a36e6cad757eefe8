import { hasDigit, labelsEnd, numberEnd, skip, wordAt } from "../labels.ts";
import type { Finder } from "./marks.ts";
import { LOT_WORDS, NUMBER_MARKS, STREET_KINDS, SUPER_CELLS } from "../words.ts";

/** `S/N`, `SN`, `sin número`. */
export const findNone: Finder = (line, at, { inside }) => {
  if (inside === "colonia") return null;
  const start = skip(line, at, ["#", "no", "num", "numero", "ext", ":"]);
  const word = wordAt(line, start);
  if (["s/n", "sn", "s.n"].includes(word)) return { kind: "none", valueFrom: start, to: start + 1, open: false };
  const says = word === "sin" && ["num", "numero", "no", "nro", "n", "nº", "n°"].includes(wordAt(line, start + 1));
  return says ? { kind: "none", valueFrom: start, to: start + 2, open: false } : null;
};

/** `Km 15.5`, `Kilómetro 3+200`, `KM. 251 más 500`. */
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

/** `Mz 3`, `Lote A1`, `Lotes 8 y 9`, `M30A`, `Mz 11 Smz 248`; but `Calle Manzana 45`. */
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

/** Finds `#10`, `No. 12 bis`, `Núm. Ext. 5`. Inside a name, as in `San Sebastián Número 1`, the number is part of the name. */
export const findNumber: Finder = (line, at, { inside, afterNumber, opensSegment }) => {
  const isInName = inside === "colonia" || (afterNumber && inside === "plain" && !opensSegment);
  if (isInName || !NUMBER_MARKS.has(wordAt(line, at))) return null;
  const valueFrom = skip(line, at, [...NUMBER_MARKS, ":", "."]);
  const to = numberEnd(line, valueFrom);
  return to === null ? null : { kind: "number", valueFrom, to, open: false };
};

/** `C.P. 06700`, `Código postal 06700`. */
export const findPostal: Finder = (line, at) => {
  const isOneWord = ["cp", "c.p"].includes(wordAt(line, at));
  const isTwoWords = ["c p", "codigo postal"].includes(`${wordAt(line, at)} ${wordAt(line, at + 1)}`);
  const marks = isOneWord ? 1 : isTwoWords ? 2 : 0;
  if (marks === 0) return null;
  const valueFrom = skip(line, at + marks, [":", "#", "."]);
  return /^\d{4,5}$/.test(wordAt(line, valueFrom))
    ? { kind: "postal", valueFrom, to: valueFrom + 1, open: false }
    : null;
};
