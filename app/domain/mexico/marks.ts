import type { Line } from "./tokens.ts";
import {
  COLONIA_KINDS,
  COLONIA_MARKS,
  DIRECTIONS,
  INTERIOR_ALONE,
  INTERIOR_MARKS,
  INTERIOR_WORDS,
  LANDMARKS,
  MONTHS,
  NAMED_BUILDINGS,
  NUMBER_MARKS,
  ORDINALS,
  STREET_KINDS,
  STRONG_COLONIA,
} from "./words.ts";

/** What a run of words in a line was marked as. `plain` has no mark, `none` says "no number", `lots` is manzana or lote. */
export type PieceKind =
  "plain" | "number" | "none" | "km" | "lots" | "interior" | "colonia" | "beside" | "postal" | "borough";

/** A mark found at a token: its value begins at `valueFrom`; an open one runs on to the next mark or break. */
export interface Mark {
  kind: PieceKind;
  valueFrom: number;
  to: number;
  open: boolean;
  /** The words alone leave doubt about where the value ends or what it is. */
  vague?: boolean;
}

/** Where in a line a mark is looked for. */
export interface Place {
  inside: PieceKind | null;
  opensSegment: boolean;
  opensLine: boolean;
  /** A house number, or something that comes after one, has been read. */
  afterNumber: boolean;
}

type Finder = (line: Line, at: number, place: Place) => Mark | null;

/** The mark that begins at a token, or null. */
export function markAt(line: Line, at: number, place: Place): Mark | null {
  for (const find of FINDERS) {
    const mark = find(line, at, place);
    if (mark) return mark;
  }
  return null;
}

const wordAt = (line: Line, at: number): string => {
  const token = line.tokens[at];
  return token === undefined || token.isBreak ? "" : token.word;
};

/** What a flat, a lot or a house is called: `4B`, `12-A`, `K-32`, `C`, `IV`. */
export function isLabel(word: string): boolean {
  return (
    /^\d[\da-z/-]*$/.test(word) || /^[a-z]{1,2}-?\d+[a-z]?(?:-\d+)?$/.test(word) || /^[“”"']?[a-z][“”"']?$/.test(word)
  );
}

const hasDigit = (word: string): boolean => /\d/.test(word);

const isDate = (line: Line, at: number): boolean => wordAt(line, at + 1) === "de" && MONTHS.has(wordAt(line, at + 2));

/** The end of a list of labels (`3`, `3 y 4`, `4 B`, `8 - 9`), or null when none begins here. */
function labelsEnd(line: Line, at: number): number | null {
  if (!isLabel(wordAt(line, at)) || isDate(line, at)) return null;
  let end = at + 1;
  while (
    ["y", "-", "e", "al", "&"].includes(wordAt(line, end)) &&
    isLabel(wordAt(line, end + 1)) &&
    hasDigit(wordAt(line, end + 1))
  )
    end += 2;
  const suffix = wordAt(line, end);
  if (/^\d+$/.test(wordAt(line, end - 1)) && /^(?:[b-df-np-wz]|a|bis)$/.test(suffix) && endsThere(line, end + 1))
    end += 1;
  return end;
}

const endsThere = (line: Line, at: number): boolean => {
  const word = wordAt(line, at);
  return word === "" || COLONIA_MARKS.has(word) || INTERIOR_WORDS.has(word) || NUMBER_MARKS.has(word);
};

const skip = (line: Line, at: number, fillers: readonly string[]): number => {
  let next = at;
  while (fillers.includes(wordAt(line, next))) next += 1;
  return next;
};

const findPostal: Finder = (line, at) => {
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

const findNone: Finder = (line, at, { inside }) => {
  if (inside === "colonia") return null;
  const start = skip(line, at, ["#", "no", "num", "numero", "ext", ":"]);
  const word = wordAt(line, start);
  if (["s/n", "sn", "s.n"].includes(word)) return { kind: "none", valueFrom: start, to: start + 1, open: false };
  const says = word === "sin" && ["num", "numero", "no", "nro", "n", "nº", "n°"].includes(wordAt(line, start + 1));
  return says ? { kind: "none", valueFrom: start, to: start + 2, open: false } : null;
};

const findKm: Finder = (line, at, { inside }) => {
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

const LOT_WORDS = ["mz", "mza", "mzna", "manz", "manzana", "lt", "lte", "lote", "lotes", "tablaje"];

const findLots: Finder = (line, at, { inside, afterNumber, opensLine, opensSegment }) => {
  const start = skip(line, at, ["#", "no"]);
  const word = wordAt(line, start);
  if (/^[ml]\d+[a-z]?$/.test(word) && !opensLine && inside === null) {
    return { kind: "lots", valueFrom: start, to: start + 1, open: false, vague: true };
  }
  const isCell = LOT_WORDS.includes(word) || (["smz", "smza", "sm"].includes(word) && afterNumber && !opensSegment);
  if (!isCell) return null;
  const end = labelsEnd(line, skip(line, start + 1, ["catastral", "no", "num", "#", ":"]));
  return end === null ? null : { kind: "lots", valueFrom: start, to: end, open: false };
};

const findInterior: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  const next = wordAt(line, at + 1);
  const soon = place.opensSegment || place.afterNumber || place.inside === "interior";
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
  const label = skip(line, start + 1, ["comercial", "comerciales", "no", "num", "numero", "letra", "#", ":", "."]);
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

const findNumber: Finder = (line, at, { inside }) => {
  if (inside === "colonia" || !NUMBER_MARKS.has(wordAt(line, at))) return null;
  const valueFrom = skip(line, at, [...NUMBER_MARKS, ":", "."]);
  const to = numberEnd(line, valueFrom);
  return to === null ? null : { kind: "number", valueFrom, to, open: false };
};

/** The end of a house number (`123`, `12 bis`, `38 y 46`, `1006 Pte.`, `M30A`), or null when none begins here. */
export function numberEnd(line: Line, at: number): number | null {
  const word = wordAt(line, at);
  if (!hasDigit(word) || !isLabel(word) || isDate(line, at)) return null;
  const end = labelsEnd(line, at)!;
  return DIRECTIONS.has(wordAt(line, end)) ? end + 1 : end;
}

const findBeside: Finder = (line, at, place) => {
  const word = wordAt(line, at);
  const isFree = place.opensSegment || place.afterNumber;
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
  if (first !== null && (place.afterNumber || place.opensSegment || afterFigure)) {
    return { kind: "beside", valueFrom: at, to: second ?? first, open: false };
  }
  const isPair = word !== "entre" && word !== "e/" ? word === "x" : segmentHolds(line, at, ["y", "e", "&"]);
  const isStreetName = place.opensLine || STREET_KINDS.has(wordAt(line, at - 1));
  if (!isPair || isStreetName) return null;
  return place.afterNumber || place.opensSegment || word !== "x"
    ? { kind: "beside", valueFrom: at, to: at + 1, open: true }
    : null;
};

function segmentHolds(line: Line, from: number, any: string[]): boolean {
  for (let at = from + 1; wordAt(line, at) !== ""; at += 1) if (any.includes(wordAt(line, at))) return true;
  return false;
}

const findColonia: Finder = (line, at, place) => {
  if (place.inside === "colonia") return null;
  const word = wordAt(line, at);
  const isMark = COLONIA_MARKS.has(word);
  const kind = isMark
    ? [word]
    : COLONIA_KINDS.find((of) => of.every((part, index) => wordAt(line, at + index) === part));
  if (kind === undefined || place.opensLine) return null;
  const isFree = place.opensSegment || place.afterNumber || place.inside === "interior" || place.inside === "beside";
  const isStrong = STRONG_COLONIA.has(word) && !STREET_KINDS.has(wordAt(line, at - 1));
  if (!isFree && !(isStrong && at > 0)) return null;
  const valueFrom = isMark ? skip(line, at + 1, [":", "."]) : at;
  const needsName = isMark || kind.length === 1;
  if (needsName && wordAt(line, at + 1) === "") return null;
  return { kind: "colonia", valueFrom, to: Math.max(valueFrom, at + kind.length), open: true };
};

const findBorough: Finder = (line, at, { opensLine }) => {
  if (opensLine) return null;
  const word = wordAt(line, at);
  if (!["alcaldia", "delegacion", "deleg", "municipio", "mpio", "mun"].includes(word)) return null;
  const valueFrom = skip(line, at + 1, [":", ".", "de"]);
  return wordAt(line, valueFrom) === "" ? null : { kind: "borough", valueFrom, to: valueFrom, open: true };
};

const FINDERS: readonly Finder[] = [
  findPostal,
  findBorough,
  findNone,
  findKm,
  findLots,
  findInterior,
  findBeside,
  findNumber,
  findColonia,
];
