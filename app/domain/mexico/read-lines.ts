import { readFirstLine } from "./first-line.ts";
import { isRepetition, joined, valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said, Surroundings } from "./found.ts";
import { isLabel } from "./labels.ts";
import type { PieceKind } from "./marks.ts";
import { NO_NUMBER } from "./find-house-number.ts";
import { readSecondLine } from "./second-line.ts";
import { settleArea } from "./settle-area.ts";
import { settleInterior } from "./settle-interior.ts";

/** What the two lines of a location's address tell. */
export interface LinesReading {
  street: Said | null;
  number: Said | null;
  interior: Said | null;
  colonia: Said | null;
  borough: Said | null;
  reference: Said | null;
}

/** Reads `address1` and `address2` together. Every word of theirs is in a field, or repeats the rest of the address. */
export function readLines(address1: string | null, address2: string | null, around: Surroundings): LinesReading {
  const first = readFirstLine(address1);
  const second = readSecondLine(address2, around);
  const found = [...first.found, ...second.found];
  const of = (...kinds: PieceKind[]) => found.filter(({ piece }) => kinds.includes(piece.kind));
  const plain = of("plain").filter((each) => !isRepetition(wordsOf(each), around));
  const labels = plain.filter(isLabelled);
  const interiors = of("interior", "lots");
  const lone = interiors.length === 1 && interiors[0]!.piece.vague && of("colonia").length + plain.length === 0;
  const area = settleArea(
    {
      neighbourhood: second.colonia,
      colonias: of("colonia"),
      boroughs: of("borough"),
      bare: lone && second.colonia === null ? interiors : plain.filter((each) => !labels.includes(each)),
    },
    around,
  );
  const numbers = of("number", "none");
  const own = first.number === null ? numbers.find(({ isFirstLine }) => !isFirstLine) : undefined;
  const spare = numbers.filter((each) => each !== own);
  const inside = [...(lone && second.colonia === null ? [] : interiors), ...labels, ...area.buildings];
  const beside = of("beside");
  const otherCodes = of("postal").filter((each) => valueOfFound(each) !== around.zip);
  return {
    street: withLeftovers(first.street, [...of("km"), ...spare, ...otherCodes, ...area.leftovers]),
    number: own === undefined ? first.number : numberSaid(own),
    interior: settleInterior(inside, area.colonia !== null),
    colonia: area.colonia,
    borough: area.borough,
    reference: joined(
      beside,
      beside.every(({ piece }) => !piece.vague),
    ),
  };
}

const numberSaid = (found: Found): Said => ({
  text: found.piece.kind === "none" ? NO_NUMBER : valueOfFound(found),
  isSure: true,
});

/** A run of labels alone (`4B`, `3 y 4`): an interior without its word. */
function isLabelled({ line, piece, isDelimited }: Found): boolean {
  const words = line.tokens.slice(piece.from, piece.to).map(({ word }) => word);
  return words.every((word) => isLabel(word) || ["y", "-"].includes(word)) && (words.length < 4 || isDelimited);
}

/** Text that fits nowhere stays with the street, where a person sees it before it is sent. */
function withLeftovers(street: Said | null, leftovers: Found[]): Said | null {
  const texts = leftovers.map(wordsOf).filter((text) => text !== "");
  if (texts.length === 0) return street;
  return { text: [...(street ? [street.text] : []), ...texts].join(", "), isSure: false };
}
