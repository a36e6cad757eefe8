import { endsThere, hasDigit, labelsEnd, noneEnd, numberEnd, skip, wordAt } from "../labels.ts";
import type { Finder } from "./marks.ts";
import type { Line } from "../tokens.ts";
import { COLONIA_MARKS, LOT_WORDS, NUMBER_MARKS, STREET_KINDS, SUPER_CELLS } from "../words.ts";

/** `S/N`, `SN`, `sin número`. */
export const findNone: Finder = (line, at, { inside }) => {
  if (inside === "colonia") return null;
  const start = skip(line, at, ["#", "no", "num", "numero", "ext", ":"]);
  if (wordAt(line, start) === "sn" && isSaint(line, start)) return null;
  const to = noneEnd(line, start);
  return to === null ? null : { kind: "none", valueFrom: start, to, open: false };
};

/** `Carretera a SN Luis`, `SN Marcos 5`: short for San where a name goes on and a number, or nothing else, is still to come. */
function isSaint(line: Line, at: number): boolean {
  if (endsThere(line, at + 1) || !/^\p{L}{3}/u.test(wordAt(line, at + 1))) return false;
  const before = wordAt(line, at - 1);
  if (BEFORE_SAINT.has(before)) return true;
  if (at > 0 && !STREET_KINDS.has(before)) return false;
  for (let next = at + 2; wordAt(line, next) !== ""; next += 1)
    if (hasDigit(wordAt(line, next)) || ["sn", "s/n"].includes(wordAt(line, next))) return true;
  return false;
}

const BEFORE_SAINT = new Set(["a", "de", "y", "villa"]);

/** `Km 15.5`, `Kilómetro 3+200`, `KM. 251 más 500`. */
export const findKm: Finder = (line, at, { inside }) => {
  if (inside === "colonia" || inside === "beside") return null;
  const start = skip(line, at, [...NUMBER_MARKS, ":", "."]);
  if (!["km", "kms", "k.m", "kilometro"].includes(wordAt(line, start))) return null;
  let value = skip(line, start + 1, [":", ".", "no", "#"]);
  if (/^[a-z]$/.test(wordAt(line, value)) && hasDigit(wordAt(line, value + 1))) value += 1;
  if (!/^\d/.test(wordAt(line, value))) return null;
  let to = value + 1;
  if (["+", "mas"].includes(wordAt(line, to)) && hasDigit(wordAt(line, to + 1))) to += 2;
  return { kind: "km", valueFrom: start, to, open: false };
};

/** `Mz 3`, `Lote A1`, `Lotes 8 y 9`, `M30A`, `Mz 11 Smz 248`; but `Calle Manzana 45`. */
export const findLots: Finder = (line, at, { inside, opensLine, opensSegment }) => {
  const start = skip(line, at, ["#", "no"]);
  const word = wordAt(line, start);
  if (/^[ml]\d+[a-z]?$/.test(word) && !opensLine) {
    const isPair = isShortManzana(word) && /^l\d+[a-z]?$/.test(wordAt(line, start + 1));
    const isOfPair = word.startsWith("l") && isShortManzana(wordAt(line, start - 1));
    if (isPair || inside === null)
      return { kind: "lots", valueFrom: start, to: start + 1, open: false, vague: !isPair && !isOfPair };
  }
  if (word === "manzana" && STREET_KINDS.has(wordAt(line, at - 1))) return null;
  if (SUPER_CELLS.includes(word) && COLONIA_MARKS.has(wordAt(line, at - 1))) return null;
  const isCell = LOT_WORDS.includes(word) || (SUPER_CELLS.includes(word) && !opensSegment && isBehindLot(line, at));
  if (!isCell) return null;
  const named = labelsEnd(line, skip(line, start + 1, ["catastral", "no", "num", "#", ":", "-"]));
  const takesCell = !word.startsWith("l") && named !== null && SUPER_CELLS.includes(wordAt(line, named));
  const end = takesCell ? labelsEnd(line, named + 1) : named;
  return end === null ? null : { kind: "lots", valueFrom: start, to: end, open: false };
};

/** `M30A`: in front of a lote a manzana, elsewhere perhaps a number. */
const isShortManzana = (word: string): boolean => /^m\d+[a-z]?$/.test(word);

/** A supermanzana is a part of the lot's name only behind its manzana; elsewhere it is the colonia. */
const isBehindLot = (line: Line, at: number): boolean =>
  line.tokens.slice(0, at).some(({ word }) => LOT_WORDS.includes(word) || /^m\d/.test(word));

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
