import { fold, foldedWords } from "../address/fold.ts";
import { boroughOfText } from "./boroughs.ts";
import type { ListedNames } from "./postal/listed-names.ts";
import { valueOf } from "./pieces.ts";
import type { Piece } from "./pieces.ts";
import { CAPITAL, stateOfText } from "./states.ts";
import { textOf } from "./tokens.ts";
import type { Line } from "./tokens.ts";

/** A value cut out of the text, and whether it is sure: no other reading of the text is as good. */
export interface Said {
  text: string;
  isSure: boolean;
}

/** A piece with the line it was cut from. */
export interface Found {
  line: Line;
  piece: Piece;
  /** Whether it stood in a part that Shopify's form keeps apart. */
  isDelimited: boolean;
  isFirstLine: boolean;
}

/** The rest of the address. Words of a line that repeat it are left out. */
export interface Surroundings {
  city: string;
  zip: string;
  /** Shopify's code of the state; null when it is not known. */
  stateCode: string | null;
  /** What the list of postal codes has for the code. */
  names: ListedNames;
}

/** All the words of a piece, its mark included. */
export const wordsOf = ({ line, piece }: Found): string => textOf(line, piece.from, piece.to);

/** The first word of a piece, folded. */
export const firstWord = ({ line, piece }: Found): string => line.tokens[piece.from]?.word ?? "";

/** A piece's value as typed, without its mark. */
export const valueOfFound = ({ line, piece }: Found): string => valueOf(line, piece);

/** Several pieces as one value. */
export function joined(found: Found[], isSure: boolean): Said | null {
  return found.length === 0 ? null : { text: found.map(valueOfFound).join(", "), isSure };
}

/** The items that pass a test, and the others. */
export function parted(found: Found[], test: (each: Found) => boolean): [passed: Found[], others: Found[]] {
  return [found.filter(test), found.filter((each) => !test(each))];
}

/** Whether a text names an alcaldía; only Mexico City has them. */
export const isBorough = (text: string, { stateCode }: Surroundings): boolean =>
  stateCode === CAPITAL && boroughOfText(text) !== null;

/** Whether a text only repeats the city or the state. */
export const repeatsCity = (text: string, { city, stateCode }: Surroundings): boolean =>
  fold(text) === fold(city) || namesState(text, stateCode);

const namesState = (text: string, stateCode: string | null): boolean =>
  stateCode !== null && stateOfText(text)?.code === stateCode;

/** Whether a run of words only repeats the city, the state, the country or the postal code. */
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
