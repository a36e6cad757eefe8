import { foldedWords } from "../address/fold.ts";
import { isMarket } from "./marks/building.ts";
import { readFirstLine } from "./first-line.ts";
import { isBorough, isRepetition, joined, parted, repeatsCity, valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said, Surroundings } from "./found.ts";
import { isLabelRun, wordAt } from "./labels.ts";
import type { PieceKind } from "./marks/marks.ts";
import { NO_NUMBER } from "./find-house-number.ts";
import { readSecondLine } from "./second-line.ts";
import { findStreetBehind } from "./street-behind.ts";
import { decideArea } from "./decide-area.ts";
import { decideInterior } from "./decide-interior.ts";
import { SUPER_CELLS, withoutColoniaMark } from "./words.ts";

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
  const { street, number, found, building } = findStreetBehind(readFirstLine(address1, around.names), second.found);
  const pieces = namesApart(
    withoutRepeats(found).map((each) => (isCityAgain(each, around) ? asPlain(each) : each)),
    second.colonia !== null,
    around,
  );
  const of = (...kinds: PieceKind[]) => pieces.filter(({ piece }) => kinds.includes(piece.kind));
  const plain = of("plain").filter((each) => !isRepetition(wordsOf(each), around));
  const [labels, names] = parted(plain, isLabelled);
  const rooms = of("interior", "lots");
  // A last `Plaza Azul` may be the name of the colonia as well as of a building, where no other name is.
  const last = rooms.at(-1);
  const isLone = last?.piece.vague === true && of("colonia").length + names.length === 0;
  const [bare, interiors] = isLone && second.colonia === null ? [[last], rooms.slice(0, -1)] : [names, rooms];
  const area = decideArea(
    { neighbourhood: second.colonia, colonias: of("colonia"), boroughs: of("borough"), bare },
    around,
  );
  const numbers = of("number", "none");
  const own = number === null ? numbers.find(({ isFirstLine }) => !isFirstLine) : undefined;
  const spare = numbers.filter((each) => each !== own);
  const otherCodes = of("postal").filter((each) => valueOfFound(each) !== around.zip);
  const said = own === undefined ? number : numberSaid(own);
  const isColoniaSure = area.colonia !== null && (area.colonia.isSure || isOnList(area.colonia, around));
  const interior = decideInterior([...interiors, ...labels, ...area.buildings], {
    isColoniaSure,
    hasStreet: street !== null,
    number: said,
    place: around,
  });
  return {
    street: withLeftovers(street, [...of("km"), ...spare, ...otherCodes, ...area.leftovers]),
    number: said,
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

const isOnList = ({ text }: Said, { names }: Surroundings): boolean => names.has(foldedWords(withoutColoniaMark(text)));

/**
 * A colonia without a mark, whose words repeat the city: most places have a settlement of their own name, and some cities begin as a colonia
 * does (`Puerto Vallarta`).
 */
const isCityAgain = (each: Found, around: Surroundings): boolean =>
  each.piece.kind === "colonia" &&
  each.piece.valueFrom === each.piece.from &&
  (repeatsCity(wordsOf(each), around) || isRepetition(wordsOf(each), around) || isBorough(wordsOf(each), around));

/** `…, Piso 8, Country Club` / `Country Club`: a name that both lines have is one name. */
function withoutRepeats(found: Found[]): Found[] {
  const isName = ({ piece }: Found) => piece.kind === "plain" || piece.kind === "colonia";
  const key = (each: Found) => foldedWords(valueOfFound(each)).join(" ");
  return found.filter(
    (each, index) =>
      !isName(each) ||
      each.isDelimited ||
      !found.slice(index + 1).some((later) => isName(later) && key(later) === key(each)),
  );
}

/**
 * Names that are the colonia unless there is another one. A wholesale market is a building then (`Loc 4, Central de Abasto, Col. Ejidal`), and a
 * supermanzana behind its lote a part of the lot (`Mz 4 Lt 7 SM 312`).
 */
function namesApart(pieces: Found[], hasColonia: boolean, around: Surroundings): Found[] {
  const isHall = (each: Found) => each.piece.kind === "colonia" && isMarket(wordsOf(each));
  const isName = (each: Found) =>
    (each.piece.kind === "colonia" && !isHall(each)) ||
    (each.piece.kind === "plain" &&
      !isLabelled(each) &&
      !isRepetition(wordsOf(each), around) &&
      !repeatsCity(wordsOf(each), around) &&
      !isBorough(wordsOf(each), around));
  const isCell = ({ line, piece }: Found) =>
    piece.kind === "lots" && SUPER_CELLS.includes(wordAt(line, piece.valueFrom));
  const as = (each: Found, kind: PieceKind): Found => ({ ...each, piece: { ...each.piece, kind } });
  if (!hasColonia && !pieces.some((each) => isName(each) || isHall(each)))
    return pieces.map((each) => (isCell(each) ? as(each, "colonia") : each));
  if (!hasColonia && !pieces.some(isName)) return pieces;
  return pieces.map((each) => (isHall(each) ? as(each, "interior") : each));
}

const asPlain = (each: Found): Found => ({ ...each, piece: { ...each.piece, kind: "plain", listed: false } });

const isLabelled = ({ line, piece }: Found): boolean => isLabelRun(line, piece);

/** Text that fits no field stays with the street, which becomes unsure, so that a person sees it before it is sent. */
function withLeftovers(street: Said | null, leftovers: Found[]): Said | null {
  const texts = leftovers.map(wordsOf).filter((text) => text !== "");
  if (texts.length === 0) return street;
  return { text: [...(street ? [street.text] : []), ...texts].join(", "), isSure: false };
}
