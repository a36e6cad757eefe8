import type { Said } from "./found.ts";
import { isBuilding } from "./marks/building.ts";
import { holdsStrayFigure } from "./house-number.ts";
import { hasDigit, wordAt } from "./labels.ts";
import { findHouseNumber } from "./find-house-number.ts";
import type { HouseNumber } from "./find-house-number.ts";
import type { Piece } from "./pieces.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { DIRECTIONS, PREMISES, SELF_NAMED, STREET_KINDS } from "./words.ts";

/** The street and number of a first line, and its other pieces. */
export interface StreetReading {
  street: Said | null;
  number: Said | null;
  rest: Piece[];
}

/** Finds street and number among the pieces of a first line: the street is what stands before the number. */
export function readStreet(line: Line, pieces: Piece[]): StreetReading {
  const number = findHouseNumber(line, pieces);
  if (number === null) return { ...firstPlain(line, pieces), number: null };
  if (cutsRoadName(line, pieces, number)) return roadWithKm(line, pieces, pieces[number.index]!.segment);
  const piece = pieces[number.index]!;
  const own = number.streetTo > piece.from ? [{ ...piece, valueFrom: piece.from, to: number.streetTo }] : [];
  const before = [...pieces.slice(0, number.index), ...own];
  const after = [...number.behind, ...pieces.slice(number.index + 1)];
  const inStreet = before.filter(({ kind }) => STREET_PARTS[number.kind].includes(kind));
  const said = { text: number.text, isSure: number.isSure };
  if (!inStreet.some(({ kind }) => kind === "plain" || kind === "km")) {
    const { street, rest } = firstPlain(line, after);
    return { street, number: said, rest: [...before, ...rest] };
  }
  const building = buildingBefore(line, inStreet);
  const street = streetOf(
    line,
    inStreet.filter((each) => each !== building),
  );
  return {
    street: {
      ...street,
      isSure: street.isSure && building === null && (number.isSure || !["plain", "lots"].includes(number.kind)),
    },
    number: said,
    rest: [
      ...(building === null ? [] : [{ ...building, kind: "interior" as const, vague: true }]),
      ...before.filter((each) => !inStreet.includes(each)),
      ...after,
    ],
  };
}

/** Which pieces before the number belong to the street's name, by kind of number; a manzana does only before "without number". */
const STREET_PARTS: Record<HouseNumber["kind"], readonly Piece["kind"][]> = {
  number: ["plain", "km", "number"],
  none: ["plain", "km", "number", "lots"],
  plain: ["plain", "km", "number"],
  beside: ["plain", "km", "number"],
  lots: ["plain", "km", "number"],
  km: ["plain", "number"],
};

/** `Torre Azul, Paseo de la Reforma 505`: a segment before the way that is no way itself is a building. */
function buildingBefore(line: Line, pieces: Piece[]): Piece | null {
  const [first, second] = pieces;
  if (first?.kind !== "plain" || second?.kind !== "plain" || first.segment === second.segment) return null;
  const isWay = ({ from }: Piece) => STREET_KINDS.has(wordAt(line, from)) && !isBuilding(line, { from });
  return !isWay(first) && (isWay(second) || isBuilding(line, first)) ? first : null;
}

/** The street's value: its pieces, with neighbours as they were typed. */
function streetOf(line: Line, pieces: Piece[]): Said {
  let text = "";
  for (const [index, piece] of pieces.entries()) {
    const before = pieces[index - 1];
    const words = textOf(line, piece.from, piece.to);
    // A lone dash has none.
    if (words === "") continue;
    const between =
      before === undefined || text === "" ? "" : line.text.slice(endOf(line, before), startOf(line, piece));
    text += (/^[\s,;]*$/.test(between) ? between : " ") + words;
  }
  const segments = new Set(pieces.filter(({ kind }) => kind === "plain").map(({ segment }) => segment));
  const whole = { from: pieces[0]!.from, to: pieces.at(-1)!.to };
  const isSure = segments.size < 2 && !pieces.some(({ kind }) => kind === "lots") && isStreetShaped(line, whole);
  return { text, isSure };
}

const startOf = (line: Line, piece: Piece): number => line.tokens[piece.from]!.start;
const endOf = (line: Line, piece: Piece): number => line.tokens[piece.to - 1]!.end;

/** A kilometre in the middle of a road's name (`Carretera km 12 de la Costera`), and no other number. */
function cutsRoadName(line: Line, pieces: Piece[], { kind, index }: HouseNumber): boolean {
  const before = pieces[index - 1];
  const after = pieces[index + 1];
  const isPlain = (piece: Piece | undefined) =>
    piece?.kind === "plain" && piece.segment === pieces[index]!.segment && textOf(line, piece.from, piece.to) !== "";
  return kind === "km" && isPlain(before) && isPlain(after);
}

/** The whole name of the road is the street, and a person has to say what the number is. */
function roadWithKm(line: Line, pieces: Piece[], ofSegment: number): StreetReading {
  const inName = pieces.filter(({ segment, kind }) => segment === ofSegment && (kind === "plain" || kind === "km"));
  const street = { text: streetOf(line, inName).text, isSure: false };
  return { street, number: null, rest: pieces.filter((piece) => !inName.includes(piece)) };
}

/** Whether these words may be a street: they are more than a kind of way or a figure, and no part of a building. */
const isStreetShaped = (line: Line, { from, to }: { from: number; to: number }): boolean =>
  !PREMISES.has(wordAt(line, from)) &&
  (to - from > 1 ||
    SELF_NAMED.has(wordAt(line, from)) ||
    !(STREET_KINDS.has(wordAt(line, from)) || hasDigit(wordAt(line, from))));

/** Whether a piece without a number can only be a street. */
const isLoneStreet = (line: Line, piece: Piece): boolean =>
  isStreetShaped(line, piece) &&
  !isBuilding(line, piece) &&
  !holdsStrayFigure(line, piece.from, piece.to) &&
  // `Calle Norte 3374` is a street called by a number, or one called Norte with its house number.
  !(/^\d+(?:-?[a-z])?$/.test(wordAt(line, piece.to - 1)) && DIRECTIONS.has(wordAt(line, piece.to - 2)));

function firstPlain(line: Line, pieces: Piece[]): { street: Said | null; rest: Piece[] } {
  const first = pieces.find(({ kind }) => kind === "plain");
  if (first === undefined) return { street: null, rest: pieces };
  return {
    street: {
      text: textOf(line, first.from, first.to),
      isSure: isLoneStreet(line, first),
    },
    rest: pieces.filter((piece) => piece !== first),
  };
}
