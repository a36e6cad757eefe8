import { readFirstLine } from "./first-line.ts";
import { isRepetition, joined, parted, valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said, Surroundings } from "./found.ts";
import { isLabelRun } from "./labels.ts";
import type { PieceKind } from "./marks/marks.ts";
import { NO_NUMBER } from "./find-house-number.ts";
import { readSecondLine } from "./second-line.ts";
import { findStreetBehind } from "./street-behind.ts";
import { decideArea } from "./decide-area.ts";
import { decideInterior } from "./decide-interior.ts";

/** What was read from the two lines of a location's address. */
export interface LinesReading {
  street: Said | null;
  number: Said | null;
  interior: Said | null;
  colonia: Said | null;
  borough: Said | null;
  reference: Said | null;
}

/** Reads `address1` and `address2` together. Each of their words ends up in a field, or repeats the rest of the address. */
export function readLines(address1: string | null, address2: string | null, around: Surroundings): LinesReading {
  const second = readSecondLine(address2, around);
  const { street, number, found, building } = findStreetBehind(readFirstLine(address1), second.found);
  const of = (...kinds: PieceKind[]) => found.filter(({ piece }) => kinds.includes(piece.kind));
  const plain = of("plain").filter((each) => !isRepetition(wordsOf(each), around));
  const [labels, names] = parted(plain, isLabelled);
  const rooms = of("interior", "lots");
  // A single `Plaza Azul` may be the name of a colonia as well as of a building.
  const isLone = rooms.length === 1 && rooms[0]!.piece.vague && of("colonia").length + plain.length === 0;
  const [bare, interiors] = isLone && second.colonia === null ? [rooms, []] : [names, rooms];
  const area = decideArea(
    { neighbourhood: second.colonia, colonias: of("colonia"), boroughs: of("borough"), bare },
    around,
  );
  const numbers = of("number", "none");
  const own = number === null ? numbers.find(({ isFirstLine }) => !isFirstLine) : undefined;
  const spare = numbers.filter((each) => each !== own);
  const otherCodes = of("postal").filter((each) => valueOfFound(each) !== around.zip);
  const interior = decideInterior([...interiors, ...labels, ...area.buildings], area.colonia?.isSure ?? false);
  return {
    street: withLeftovers(street, [...of("km"), ...spare, ...otherCodes, ...area.leftovers]),
    number: own === undefined ? number : numberSaid(own),
    interior:
      building === null ? interior : { text: [building, interior?.text].filter(Boolean).join(", "), isSure: false },
    colonia: area.colonia,
    borough: area.borough,
    reference: joined(of("beside"), !of("beside").some(({ piece }) => piece.vague)),
  };
}

const numberSaid = (found: Found): Said => ({
  text: found.piece.kind === "none" ? NO_NUMBER : valueOfFound(found),
  isSure: true,
});

const isLabelled = ({ line, piece }: Found): boolean => isLabelRun(line, piece);

/** Text that fits no field stays with the street, which becomes unsure, so that a person sees it before it is sent. */
function withLeftovers(street: Said | null, leftovers: Found[]): Said | null {
  const texts = leftovers.map(wordsOf).filter((text) => text !== "");
  if (texts.length === 0) return street;
  return { text: [...(street ? [street.text] : []), ...texts].join(", "), isSure: false };
}
