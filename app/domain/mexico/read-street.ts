import type { Said } from "./found.ts";
import { bareNumber } from "./house-number.ts";
import type { BareNumber } from "./house-number.ts";
import type { Piece } from "./pieces.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { ROUTE_WORDS } from "./words.ts";

/** The street and number of a first line, and the pieces that are neither. */
export interface StreetReading {
  street: Said | null;
  number: Said | null;
  rest: Piece[];
}

/** `S/N`, however "without number" was written. */
export const NO_NUMBER = "S/N";

/** Finds street and number among the pieces of a first line. */
export function readStreet(line: Line, pieces: Piece[]): StreetReading {
  return marked(line, pieces) ?? bare(line, pieces) ?? lotOrKm(line, pieces) ?? noNumber(line, pieces);
}

/** A number with a mark, or "without number": all before it is the street, kilometre and route number included. */
function marked(line: Line, pieces: Piece[]): StreetReading | null {
  const isRoute = (piece: Piece, index: number) =>
    ROUTE_WORDS.has(line.tokens[piece.from - 1]?.word ?? "") &&
    pieces.slice(index + 1).some(({ kind }) => ["number", "none", "km"].includes(kind));
  const index = ["number", "none"]
    .map((kind) => pieces.findIndex((piece, at) => piece.kind === kind && !isRoute(piece, at)))
    .find((at) => at >= 0);
  if (index === undefined) return null;
  const piece = pieces[index]!;
  const before = pieces.slice(0, index);
  const after = pieces.slice(index + 1);
  const text = piece.kind === "none" ? NO_NUMBER : textOf(line, piece.valueFrom, piece.to);
  const number = { text, isSure: !before.some(isLot) || piece.kind === "number" };
  if (before.some(({ kind }) => kind === "plain" || kind === "km"))
    return { ...streetOf(line, before, piece.kind), number, rest: [...asides(before, piece.kind), ...after] };
  const street = firstPlain(line, after);
  return { street: street.said, number, rest: [...before, ...street.rest] };
}

const isLot = ({ kind }: Piece): boolean => kind === "lots";

const isAside = (kind: Piece["kind"], numberKind: Piece["kind"]): boolean =>
  !["plain", "km", "number"].includes(kind) && !(kind === "lots" && numberKind === "none");

const asides = (pieces: Piece[], numberKind: Piece["kind"]): Piece[] =>
  pieces.filter(({ kind }) => isAside(kind, numberKind));

/** The pieces before the number as one street, without what stands aside (cross streets, interiors). */
function streetOf(line: Line, pieces: Piece[], numberKind: Piece["kind"]): { street: Said } {
  const kept = pieces.filter(({ kind }) => !isAside(kind, numberKind));
  const runs: string[] = [];
  for (let at = 0; at < kept.length;) {
    let last = at;
    while (kept[last + 1] && pieces.indexOf(kept[last + 1]!) === pieces.indexOf(kept[last]!) + 1) last += 1;
    runs.push(textOf(line, kept[at]!.from, kept[last]!.to));
    at = last + 1;
  }
  const segments = new Set(kept.filter(({ kind }) => kind === "plain").map(({ segment }) => segment));
  return { street: { text: runs.join(" "), isSure: segments.size < 2 && !kept.some(isLot) } };
}

/** A number without a mark, at the end of a run of words or alone in its segment. */
function bare(line: Line, pieces: Piece[]): StreetReading | null {
  for (const [index, piece] of pieces.entries()) {
    if (piece.kind === "colonia" || piece.kind === "interior") break;
    if (piece.kind !== "plain") continue;
    const found = bareNumber(line, piece.from, piece.to);
    if (found === null || (found.from === piece.from && index === 0)) continue;
    return bareAt({ line, pieces, index, found });
  }
  return null;
}

function bareAt(at: { line: Line; pieces: Piece[]; index: number; found: BareNumber }): StreetReading {
  const { line, pieces, index, found } = at;
  const piece = pieces[index]!;
  const own = found.from > piece.from ? [{ ...piece, to: found.from }] : [];
  const before = [...pieces.slice(0, index), ...own];
  const afterKm = pieces[index - 1]?.kind === "km" && own.length === 0;
  const { street } = streetOf(line, before, "number");
  const interior: Piece[] =
    found.interiorFrom === null
      ? []
      : [{ ...piece, kind: "interior", from: found.interiorFrom, valueFrom: found.interiorFrom, vague: true }];
  const isSure =
    found.isSure && !(afterKm && !textOf(line, pieces[index - 1]!.from, pieces[index - 1]!.to).includes("."));
  return {
    street: { text: street.text, isSure: street.isSure && isSure },
    number: { text: textOf(line, found.from, found.interiorFrom ?? found.to), isSure },
    rest: [...asides(before, "number"), ...interior, ...pieces.slice(index + 1)],
  };
}

/** No other number: the manzana is, or a lone lot, or the kilometre. */
function lotOrKm(line: Line, pieces: Piece[]): StreetReading | null {
  const lots = pieces.filter(isLot);
  const number = lots.find(({ valueFrom }) => line.tokens[valueFrom]!.word.startsWith("m")) ?? lots[0];
  const km = pieces.find(({ kind }) => kind === "km");
  const piece = number ?? km;
  if (piece === undefined) return null;
  const street = firstPlain(line, pieces);
  const isSplit = pieces.some(
    (other, index) =>
      other.kind === "plain" &&
      pieces[index - 1]?.kind === "km" &&
      index > 1 &&
      pieces[index - 2]!.kind === "plain" &&
      other.segment === pieces[index - 2]!.segment,
  );
  if (piece === km && isSplit) return whole(line, pieces);
  const isSure = lots.length < 2 && (number === undefined || km === undefined);
  return {
    street: street.said,
    number: { text: textOf(line, piece.valueFrom, piece.to), isSure },
    rest: street.rest.filter((other) => other !== piece),
  };
}

/** A kilometre in the middle of a road's name: the street is all of it, and a person says where the number is. */
function whole(line: Line, pieces: Piece[]): StreetReading {
  const inSegment = pieces.filter(
    ({ segment, kind }) => segment === pieces[0]!.segment && (kind === "plain" || kind === "km"),
  );
  const text = textOf(line, inSegment[0]!.from, inSegment.at(-1)!.to);
  return { street: { text, isSure: false }, number: null, rest: pieces.filter((piece) => !inSegment.includes(piece)) };
}

function noNumber(line: Line, pieces: Piece[]): StreetReading {
  const { said, rest } = firstPlain(line, pieces);
  return { street: said, number: null, rest };
}

function firstPlain(line: Line, pieces: Piece[]): { said: Said | null; rest: Piece[] } {
  const first = pieces.find(({ kind }) => kind === "plain");
  if (first === undefined) return { said: null, rest: pieces };
  return {
    said: { text: textOf(line, first.from, first.to), isSure: true },
    rest: pieces.filter((piece) => piece !== first),
  };
}
