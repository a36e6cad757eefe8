import { fold, foldedWords, tidy, WORD_JOINER } from "../address-fold.ts";
import { boroughOfText } from "./boroughs.ts";
import { isLabel } from "./marks.ts";
import { cutLine, valueOf } from "./pieces.ts";
import type { Piece } from "./pieces.ts";
import { NO_NUMBER, readStreet } from "./read-street.ts";
import type { Said, StreetReading } from "./read-street.ts";
import { stateOfText } from "./states.ts";
import { readTokens, textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";
import { withoutColoniaMark } from "./words.ts";

/** What the two lines of a location's address tell. */
export interface LinesReading {
  street: Said | null;
  number: Said | null;
  interior: Said | null;
  colonia: Said | null;
  borough: Said | null;
  reference: Said | null;
}

/** What the rest of the address says, against which a line's words may be a repetition. */
export interface Surroundings {
  city: string;
  zip: string;
  isMexicoCity: boolean;
}

/** A piece with the line it was cut from. */
interface Found {
  line: Line;
  piece: Piece;
  /** A part that Shopify's form keeps apart. */
  isDelimited: boolean;
  isFirstLine: boolean;
}

/** Reads `address1` and `address2`, in Shopify's delimited form or as free text. */
export function readLines(address1: string | null, address2: string | null, around: Surroundings): LinesReading {
  const first = readFirstLine(address1);
  const second = readSecondLine(address2);
  return settle({ ...first, found: [...first.found, ...second.found], colonia: second.colonia }, around);
}

/** The two sides of Shopify's delimiter; the second is null without one. */
function sides(text: string | null): [string, string | null] {
  const at = (text ?? "").indexOf(WORD_JOINER);
  return at < 0 ? [tidy(text), null] : [tidy(text!.slice(0, at)), tidy(text!.slice(at))];
}

interface FirstLine {
  street: Said | null;
  number: Said | null;
  found: Found[];
}

function readFirstLine(text: string | null): FirstLine {
  const [streetText, numberText] = sides(text);
  const line = readTokens(streetText);
  const pieces = cutLine(line, "street");
  const asFound = (of: Line, rest: Piece[], isDelimited: boolean): Found[] =>
    rest.map((piece) => ({ line: of, piece, isDelimited, isFirstLine: true }));
  if (!numberText) {
    const reading = readStreet(line, pieces);
    return { street: reading.street, number: reading.number, found: asFound(line, reading.rest, false) };
  }
  const aside = pieces.filter(({ kind }) => kind === "beside");
  const street = { text: withoutPieces(line, aside), isSure: true };
  const numberLine = readTokens(numberText);
  const reading = readDelimitedNumber(numberLine);
  return {
    street: street.text === "" ? null : street,
    number: reading.number,
    found: [...asFound(line, aside, true), ...asFound(numberLine, reading.rest, true)],
  };
}

const withoutPieces = (line: Line, out: Piece[]): string =>
  tidy(
    [...out]
      .reverse()
      .reduce(
        (text, { from, to }) => text.slice(0, line.tokens[from]!.start) + text.slice(line.tokens[to - 1]!.end),
        line.text,
      ),
  );

/** What stands in Shopify's own field for the number; what is not one there is shown rather than guessed at. */
function readDelimitedNumber(line: Line): StreetReading {
  const prefixed = readTokens(`# ${line.text}`);
  const reading = readStreet(prefixed, cutLine(prefixed, "street"));
  if (reading.street === null && reading.number !== null) {
    return {
      ...reading,
      rest: reading.rest.map((piece) => ({
        ...piece,
        from: piece.from - 1,
        valueFrom: piece.valueFrom - 1,
        to: piece.to - 1,
      })),
    };
  }
  return { street: null, number: { text: line.text, isSure: false }, rest: [] };
}

function readSecondLine(text: string | null): { found: Found[]; colonia: Said | null } {
  const [lineText, neighbourhood] = sides(text);
  const line = readTokens(lineText);
  const found = cutLine(line, "second").map((piece) => ({
    line,
    piece,
    isDelimited: neighbourhood !== null,
    isFirstLine: false,
  }));
  if (!neighbourhood) return { found, colonia: null };
  return { found, colonia: { text: withoutColoniaMark(neighbourhood), isSure: true } };
}

interface Unsettled extends FirstLine {
  colonia: Said | null;
}

function settle(read: Unsettled, around: Surroundings): LinesReading {
  const of = (...kinds: Piece["kind"][]) => read.found.filter(({ piece }) => kinds.includes(piece.kind));
  const plains = of("plain").filter(({ line, piece }) => isWorthKeeping(textOf(line, piece.from, piece.to), around));
  const labels = plains.filter(isLabelled);
  const names = plains.filter((each) => !labels.includes(each));
  const numbers = of("number", "none");
  let number = read.number;
  const spare: Found[] = [];
  for (const each of numbers) {
    if (number === null && !each.isFirstLine)
      number = { text: each.piece.kind === "none" ? NO_NUMBER : valueOf(each.line, each.piece), isSure: true };
    else spare.push(each);
  }
  const colonias = of("colonia");
  const area = settleArea({ said: read.colonia, colonias, names, boroughs: of("borough") }, around);
  const interior = settleInterior([...of("interior", "lots"), ...labels, ...area.buildings], area.colonia !== null);
  const beside = of("beside");
  const leftovers = [...of("km"), ...spare, ...area.leftovers];
  return {
    street: withLeftovers(read.street, leftovers),
    number,
    interior,
    colonia: area.colonia,
    borough: area.borough,
    reference: join(
      beside,
      ", ",
      (each) => valueOf(each.line, each.piece),
      beside.every(({ piece }) => !piece.vague),
    ),
  };
}

const wordsOf = ({ line, piece }: Found): string => textOf(line, piece.from, piece.to);

function join(found: Found[], by: string, text: (each: Found) => string, isSure: boolean): Said | null {
  return found.length === 0 ? null : { text: found.map(text).join(by), isSure };
}

const isLabelled = ({ line, piece, isDelimited }: Found): boolean => {
  const words = line.tokens.slice(piece.from, piece.to).map(({ word }) => word);
  return words.every((word) => isLabel(word) || ["y", "-"].includes(word)) && (words.length < 4 || isDelimited);
};

/** Whether a run of words says anything that city, state or postal code does not say already. */
function isWorthKeeping(text: string, { city, zip, isMexicoCity }: Surroundings): boolean {
  if (foldedWords(text).length === 0 || text === zip) return false;
  if (["mexico", "mex", "mx"].includes(fold(text).replace(/\./g, ""))) return false;
  if (isMexicoCity && stateOfText(text)?.code === "DF") return false;
  const words = foldedWords(text).join(" ");
  const cityWords = foldedWords(city).join(" ");
  const rest = cityWords !== "" && words.startsWith(`${cityWords} `) ? words.slice(cityWords.length + 1) : null;
  return rest === null || stateOfText(rest) === null;
}

interface AreaReading {
  colonia: Said | null;
  borough: Said | null;
  buildings: Found[];
  leftovers: Found[];
}

function settleArea(
  read: { said: Said | null; colonias: Found[]; names: Found[]; boroughs: Found[] },
  around: Surroundings,
): AreaReading {
  const { said, colonias, boroughs } = read;
  const repeats = (each: Found) => fold(wordsOf(each)) === fold(around.city) || stateOfText(wordsOf(each)) !== null;
  const isBorough = (each: Found) => around.isMexicoCity && boroughOfText(wordsOf(each)) !== null;
  const known = said !== null || colonias.length > 0;
  const candidates = read.names.filter((each) => !isBorough(each) && !repeats(each));
  const named = read.names.filter(isBorough);
  const repeated = read.names.filter((each) => repeats(each) && !isBorough(each));
  const boroughPiece =
    boroughs[0] ??
    (known || candidates.length > 0 || repeated.length > 0 || boroughOfText(around.city) === null
      ? named[0]
      : undefined);
  const borough = boroughPiece
    ? {
        text:
          boroughPiece.piece.kind === "borough"
            ? valueOf(boroughPiece.line, boroughPiece.piece)
            : boroughOfText(wordsOf(boroughPiece))!,
        isSure: true,
      }
    : null;
  if (said !== null) return { colonia: said, borough, buildings: candidates, leftovers: colonias };
  if (colonias.length > 0) {
    const text = join(colonias, ", ", (each) => valueOf(each.line, each.piece), colonias.length === 1)!;
    const place = colonias[0]!;
    const isBefore = (each: Found) =>
      each.isFirstLine === place.isFirstLine ? each.piece.from < place.piece.from : each.isFirstLine;
    return {
      colonia: text,
      borough,
      buildings: candidates.filter(isBefore),
      leftovers: candidates.filter((each) => !isBefore(each)),
    };
  }
  const last = candidates.at(-1) ?? named.at(-1) ?? repeated.at(-1);
  if (last === undefined) return { colonia: null, borough, buildings: [], leftovers: [] };
  const isSure = candidates.length === 1 && isColoniaShaped(last);
  return { colonia: { text: wordsOf(last), isSure }, borough, buildings: candidates.slice(0, -1), leftovers: [] };
}

/** A name of its own, not words left over behind a house number nor a second street. */
function isColoniaShaped({ line, piece, isFirstLine }: Found): boolean {
  const follows = piece.from === 0 ? null : line.tokens[piece.from - 1]!;
  return (follows === null ? !isFirstLine : follows.isBreak) && !/\d{3,}$/.test(line.tokens[piece.to - 1]!.word);
}

function settleInterior(found: Found[], hasColonia: boolean): Said | null {
  const sorted = [...found].sort(
    (a, b) => Number(b.isFirstLine) - Number(a.isFirstLine) || a.piece.from - b.piece.from,
  );
  if (sorted.length === 0) return null;
  const texts: string[] = [];
  for (const [index, each] of sorted.entries()) {
    const before = sorted[index - 1];
    const isAdjacent = before?.line === each.line && before.piece.to === each.piece.from;
    texts.push(
      (index === 0 ? "" : isAdjacent ? " " : ", ") + (isAdjacent ? wordsOf(each) : valueOf(each.line, each.piece)),
    );
  }
  const isSure = sorted.every(({ piece, isDelimited, isFirstLine }) => {
    if (piece.kind === "lots") return false;
    if (piece.kind === "plain") return isDelimited || (!isFirstLine && sorted.length === 1);
    return !piece.vague || (hasColonia && sorted.length > 0);
  });
  return { text: texts.join(""), isSure };
}

/** Text that fits nowhere stays with the street, where a person sees it before it is sent. */
function withLeftovers(street: Said | null, leftovers: Found[]): Said | null {
  const texts = leftovers.map(wordsOf).filter((text) => text !== "");
  if (texts.length === 0) return street;
  return { text: [...(street ? [street.text] : []), ...texts].join(", "), isSure: false };
}
