import { isBuilding } from "./marks/building.ts";
import { bareNumber, figureAmid, mayHoldInterior } from "./house-number.ts";
import type { BareNumber } from "./house-number.ts";
import { isLabel, numberEnd, wordAt } from "./labels.ts";
import type { Piece } from "./pieces.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { NUMBERED_KINDS, ROUTE_WORDS, STREET_KINDS, SUPER_CELLS } from "./words.ts";

/** `S/N`, which stands for every spelling of "without number". */
export const NO_NUMBER = "S/N";

/** The piece that holds the house number. */
export interface HouseNumber {
  kind: "number" | "none" | "plain" | "beside" | "lots" | "km";
  index: number;
  text: string;
  isSure: boolean;
  /** The end of the words of the same piece that belong to the street; `from` of the piece when none do. */
  streetTo: number;
  /** The pieces behind the number that were cut from the same piece. */
  behind: Piece[];
}

/**
 * Finds the house number of a first line. In order of precedence: a number with a mark, "without number", a bare figure, a lot, a
 * kilometre, a figure amid words. What has lower precedence then belongs to the street or to the interior.
 */
export function findHouseNumber(line: Line, pieces: Piece[]): HouseNumber | null {
  return (
    marked(line, pieces, "number") ??
    marked(line, pieces, "none") ??
    bare(line, pieces) ??
    behindCrossing(line, pieces) ??
    lot(line, pieces) ??
    kilometre(line, pieces) ??
    amid(line, pieces)
  );
}

const at = (line: Line, pieces: Piece[], index: number, isSure: boolean): HouseNumber => {
  const piece = pieces[index]!;
  const kind = piece.kind as HouseNumber["kind"];
  const text = kind === "none" ? NO_NUMBER : textOf(line, piece.valueFrom, piece.to);
  return { kind, index, text, isSure, streetTo: piece.from, behind: [] };
};

function marked(line: Line, pieces: Piece[], kind: "number" | "none"): HouseNumber | null {
  const index = pieces.findIndex((piece, place) => piece.kind === kind && !isRouteNumber(line, pieces, place));
  const piece = pieces[index];
  if (piece === undefined) return null;
  const isSure =
    !hasLooseLetter(line, pieces, index) &&
    !isContinued(line, pieces, index) &&
    !isAfterRoad(line, piece) &&
    !(kind === "number" && mayHoldInterior(textOf(line, piece.valueFrom, piece.to)));
  return at(line, pieces, index, isSure);
}

/** Whether a number with a mark may be part of the way's name: `Carretera Federal No. 180`, `Calle No. 5`. */
const isAfterRoad = (line: Line, { from }: Piece): boolean =>
  ROUTE_WORDS.has(wordAt(line, from - 1)) || (from === 1 && NUMBERED_KINDS.has(wordAt(line, 0)));

/** `Carretera Federal No. 180 km 26`: the number is the road's when another comes after it. */
function isRouteNumber(line: Line, pieces: Piece[], index: number): boolean {
  return (
    isAfterRoad(line, pieces[index]!) &&
    pieces.slice(index + 1).some(({ kind }) => ["number", "none", "km"].includes(kind))
  );
}

/** Whether what follows may be part of the number: a lot (`4 Mz. 41`), a kilometre, or another figure (`12, 14 y 16`). */
function isContinued(line: Line, pieces: Piece[], index: number): boolean {
  const next = pieces[index + 1];
  if (next === undefined) return false;
  if (next.kind === "lots" || next.kind === "km") return next.segment === pieces[index]!.segment;
  return next.kind === "plain" && /^\d/.test(wordAt(line, next.from)) && isLabel(wordAt(line, next.from));
}

/** `4 B, Planta Baja`: the letter may be the interior's. */
function hasLooseLetter(line: Line, pieces: Piece[], index: number): boolean {
  const { to } = pieces[index]!;
  return (
    pieces[index + 1]?.kind === "interior" && /^[a-z]$/.test(wordAt(line, to - 1)) && /^\d+$/.test(wordAt(line, to - 2))
  );
}

/** A number without a mark, at the end of a run of words or alone in its segment. */
function bare(line: Line, pieces: Piece[]): HouseNumber | null {
  const firstPlain = pieces.findIndex(({ kind }) => kind === "plain");
  const lastWay = firstPlain === 0 && isBuilding(line, pieces[0]!) ? lastNumberedWay(line, pieces) : -1;
  for (const [index, piece] of pieces.entries()) {
    const isBehindStreet = firstPlain >= 0 && firstPlain < index;
    // `Edificio Azul Piso 3, Av. Patria 888`: a way with a number of its own stands in a later segment.
    const isInBuilding = lastWay > piece.segment;
    if (isBehindStreet && (piece.kind === "colonia" || (piece.kind === "interior" && !isInBuilding))) return null;
    if (piece.kind !== "plain") continue;
    const found = bareNumber(line, piece.from, piece.to) ?? (isBehindStreet ? leading(line, piece) : null);
    if (found === null || (found.from === piece.from && index === 0)) continue;
    if (index === 0 && isInBuilding) continue;
    const before = pieces[index - 1];
    const endsKm =
      before?.kind === "km" && found.from === piece.from && !textOf(line, before.from, before.to).includes(".");
    const behind =
      found.interiorFrom === null ? [] : [{ ...piece, from: found.interiorFrom, valueFrom: found.interiorFrom }];
    return {
      kind: "plain",
      index,
      text: textOf(line, found.from, found.interiorFrom ?? found.to),
      isSure: found.isSure && !endsKm && !isContinued(line, pieces, index) && !hasLooseLetter(line, pieces, index),
      streetTo: found.from,
      behind,
    };
  }
  return null;
}

/** The segment of the last way that has a number of its own; -1 where there is none. */
function lastNumberedWay(line: Line, pieces: Piece[]): number {
  const way = pieces.findLast(
    (piece) =>
      piece.kind === "plain" &&
      STREET_KINDS.has(wordAt(line, piece.from)) &&
      !isBuilding(line, piece) &&
      bareNumber(line, piece.from, piece.to) !== null,
  );
  return way?.segment ?? -1;
}

/** `Av. Morelos, 1204 Ote. Nueva Vizcaya`: a segment that begins with a figure and goes on with words. */
function leading(line: Line, { from, to }: Piece): BareNumber | null {
  const end = numberEnd(line, from);
  return end === null || end >= to ? null : { from, to: end, isSure: false, interiorFrom: end };
}

/** `Hidalgo esq. Morelos 12`: the figure behind the cross streets is likely the house number. */
function behindCrossing(line: Line, pieces: Piece[]): HouseNumber | null {
  const index = pieces.findIndex(({ kind }) => kind === "beside");
  const piece = pieces[index];
  if (piece === undefined) return null;
  const found = bareNumber(line, piece.from, piece.to);
  if (
    found === null ||
    found.from <= piece.valueFrom + 1 ||
    /^(?:y|e|x|entre|calles?|las|av)$/.test(wordAt(line, found.from - 1))
  )
    return null;
  return {
    kind: "beside",
    index,
    text: textOf(line, found.from, piece.to),
    isSure: false,
    streetTo: piece.from,
    behind: [{ ...piece, to: found.from, vague: true }],
  };
}

/** A figure followed by words that may be a colonia without its mark. */
function amid(line: Line, pieces: Piece[]): HouseNumber | null {
  const index = pieces.findIndex(({ kind }) => kind === "plain");
  const piece = pieces[index];
  const from = piece === undefined ? null : figureAmid(line, piece.from, piece.to);
  if (piece === undefined || from === null) return null;
  const to = numberEnd(line, from)!;
  const behind = to < piece.to ? [{ ...piece, from: to, valueFrom: to }] : [];
  return { kind: "plain", index, text: textOf(line, from, to), isSure: false, streetTo: from, behind };
}

/** The manzana, or a lone lot. It is sure where it stands alone, and where a street stands before a manzana and its lote behind it. */
function lot(line: Line, pieces: Piece[]): HouseNumber | null {
  const lots = pieces.filter(({ kind }) => kind === "lots");
  const piece = lots.find(({ valueFrom }) => wordAt(line, valueFrom).startsWith("m")) ?? lots[0];
  if (piece === undefined) return null;
  const isLone = lots.length === 1 && !piece.vague && !pieces.some(({ kind }) => kind === "km");
  const index = pieces.indexOf(piece);
  const isAlone = isLone && !isContinued(line, pieces, index);
  return at(line, pieces, index, isAlone || isManzanaWithLote(line, pieces, index));
}

/** `Calle Coral Mz 5 Lt 11`. The other order and a kilometre beside them leave open which of them the number is. */
function isManzanaWithLote(line: Line, pieces: Piece[], index: number): boolean {
  const isCell = ({ valueFrom }: Piece) => SUPER_CELLS.includes(wordAt(line, valueFrom));
  const cells = pieces.filter((piece) => (piece.kind === "lots" && !isCell(piece)) || piece.kind === "km");
  const [manzana, lote, ...more] = cells;
  return (
    manzana === pieces[index] &&
    lote !== undefined &&
    lote === pieces[index + 1] &&
    more.length === 0 &&
    wordAt(line, lote.valueFrom).startsWith("l") &&
    pieces.slice(0, index).some(({ kind }) => kind === "plain")
  );
}

function kilometre(line: Line, pieces: Piece[]): HouseNumber | null {
  const index = pieces.findIndex(({ kind }) => kind === "km");
  return index < 0 ? null : at(line, pieces, index, true);
}
