import { fold, foldedWords } from "../address/fold.ts";
import { boroughOfText } from "./boroughs.ts";
import { valueOf } from "./pieces.ts";
import type { Piece } from "./pieces.ts";
import { CAPITAL, stateOfText } from "./states.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";

/** A value cut out of the text, and whether another reading of the text is as good. */
export interface Said {
  text: string;
  isSure: boolean;
}

/** A piece with the line it was cut from. */
export interface Found {
  line: Line;
  piece: Piece;
  /** It stood in a part that Shopify's form keeps apart. */
  isDelimited: boolean;
  isFirstLine: boolean;
}

/** What the rest of the address says, against which a line's words may be a repetition. */
export interface Surroundings {
  city: string;
  zip: string;
  /** Shopify's code of the state; null when it is not known. */
  stateCode: string | null;
}

/** All the words of a piece, its mark included. */
export const wordsOf = ({ line, piece }: Found): string => textOf(line, piece.from, piece.to);

/** The folded word that a piece begins with. */
export const firstWord = ({ line, piece }: Found): string => line.tokens[piece.from]?.word ?? "";

/** A piece's value as typed, without its mark. */
export const valueOfFound = ({ line, piece }: Found): string => valueOf(line, piece);

/** Several pieces as one value. */
export function joined(found: Found[], isSure: boolean): Said | null {
  return found.length === 0 ? null : { text: found.map(valueOfFound).join(", "), isSure };
}

/** Those that pass a test, and the others. */
export function parted(found: Found[], test: (each: Found) => boolean): [passed: Found[], others: Found[]] {
  return [found.filter(test), found.filter((each) => !test(each))];
}

/** Whether a text names an alcaldía, where there are alcaldías. */
export const isBorough = (text: string, { stateCode }: Surroundings): boolean =>
  stateCode === CAPITAL && boroughOfText(text) !== null;

/** Whether a text says again what the city or the state says. */
export const repeatsCity = (text: string, { city, stateCode }: Surroundings): boolean =>
  fold(text) === fold(city) || namesState(text, stateCode);

const namesState = (text: string, stateCode: string | null): boolean =>
  stateCode !== null && stateOfText(text)?.code === stateCode;

/** Whether a run of words says only what the city, the state, the country and the postal code say. */
export function isRepetition(text: string, { city, zip, stateCode }: Surroundings): boolean {
  const isSaid = (words: string[]) =>
    words.length === 0 ||
    ["mexico", "mex", "mx"].includes(words.join(" ")) ||
    (stateCode === CAPITAL && namesState(words.join(" "), CAPITAL));
  const withoutZip = foldedWords(text).filter((word) => word !== zip);
  if (isSaid(withoutZip)) return true;
  const cityWords = foldedWords(city);
  const beginsWithCity = cityWords.length > 0 && cityWords.every((word, index) => withoutZip[index] === word);
  if (!beginsWithCity) return false;
  const rest = withoutZip.slice(cityWords.length);
  const hasMore = rest.length > 0 || withoutZip.length < foldedWords(text).length;
  return hasMore && (isSaid(rest) || namesState(rest.join(" "), stateCode));
}
