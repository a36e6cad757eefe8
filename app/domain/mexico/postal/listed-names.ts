import { foldedWords } from "../../address/fold.ts";
import type { PostalFacts } from "../postal-codes.ts";
import { keysOf, keysOfWords, tellingWords } from "./settlement-key.ts";

/** The names of a code's settlements, to be looked for in what people wrote. */
export interface ListedNames {
  /** Whether these words are a settlement of the list, however they are spelled. */
  has(words: readonly string[]): boolean;
  /** Whether they are one that has a comma in its name. */
  hasAcross(words: readonly string[]): boolean;
  /** Settlements whose name is nearly these words, at most three. */
  near(words: readonly string[]): string[];
}

export const NOTHING_LISTED: ListedNames = { has: () => false, hasAcross: () => false, near: () => [] };

const MOST_OFFERED = 3;

/** @param postal what the list says of the code that the address has. */
export function listedNames(postal: PostalFacts | null): ListedNames {
  if (postal === null || postal.settlements.length === 0) return NOTHING_LISTED;
  const keys = new Set<string>();
  const across = new Set(
    postal.settlements.filter(({ name }) => name.includes(",")).flatMap(({ name }) => keysOf(name)),
  );
  for (const { name, kind } of postal.settlements) {
    for (const each of [name, ...otherNames(name)]) for (const key of keysOf(each)) keys.add(key);
    if (kind !== null) for (const key of keysOf(`${kind} ${name}`)) keys.add(key);
    const centre = centreOf(name, postal);
    if (centre !== null) keys.add(centre);
  }
  return {
    has: (words) => words.length > 0 && keysOfWords(words).some((key) => keys.has(key)),
    hasAcross: (words) => across.size > 0 && keysOfWords(words).some((key) => across.has(key)),
    near: (words) => nearest(words, postal),
  };
}

/** `Galaxia/Tabasco 2000`, `La Parrilla (San José)`: several names of one settlement. */
function otherNames(name: string): string[] {
  const [outside = "", inside = ""] = name.split(/[()]/).map((part) => part.trim());
  return [...(name.includes("/") ? name.split("/") : []), outside, inside].filter(
    (part) => foldedWords(part).length > 0,
  );
}

/** `Guadalajara Centro`, `Zona Centro` and `Centro Histórico` are the centre of their place, which people call `Centro`. */
function centreOf(name: string, { municipality, city }: PostalFacts): string | null {
  const words = foldedWords(name);
  if (!words.includes("centro")) return null;
  const place = new Set([...foldedWords(municipality), ...foldedWords(city), "zona", "historico", "centro"]);
  return words.every((word) => place.has(word)) ? "centro" : null;
}

function nearest(words: readonly string[], { settlements }: PostalFacts): string[] {
  const said = tellingWords(words).join("");
  const scored = settlements.flatMap(({ name }) => {
    const own = tellingWords(foldedWords(name));
    const away = distance(said, own.join(""));
    const isPart = own.length > 1 && words.length > 0 && (isWithin(own, words) || isWithin(tellingWords(words), own));
    return away <= Math.max(1, said.length / SLIP) || isPart ? [{ name, away }] : [];
  });
  return [...new Set(scored.toSorted((a, b) => a.away - b.away).map(({ name }) => name))].slice(0, MOST_OFFERED);
}

/** Whether two names differ by no more than a slip of the pen. */
export function isNearly(one: string, other: string): boolean {
  const [said, meant] = [one, other].map((text) => tellingWords(foldedWords(text)).join(""));
  return distance(said!, meant!) <= Math.max(1, said!.length / SLIP);
}

/** One letter in so many. */
const SLIP = 6;

const isWithin = (some: readonly string[], all: readonly string[]): boolean => {
  const whole = new Set(tellingWords(all));
  return some.every((word) => whole.has(word));
};

/** No name of a place is longer. */
const LONGEST_COMPARED = 60;

/** How many letters must be written, left out or changed to make one word of the other; infinite for what is too long to be a name. */
function distance(one: string, other: string): number {
  if (one.length > LONGEST_COMPARED || other.length > LONGEST_COMPARED) return Infinity;
  let before = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let row = 1; row <= one.length; row += 1) {
    const now = [row];
    for (let at = 1; at <= other.length; at += 1) {
      const changed = before[at - 1]! + (one[row - 1] === other[at - 1] ? 0 : 1);
      now.push(Math.min(changed, before[at]! + 1, now[at - 1]! + 1));
    }
    before = now;
  }
  return before[other.length]!;
}

/** Words of the longest name that is looked for. */
const LONGEST_NAME = 12;

/** Where the names of the list stand in a line: the longest at each token, by its first token, up to the token behind it. */
export function findListed(
  tokens: readonly { word: string; isBreak: boolean }[],
  names: ListedNames,
): ReadonlyMap<number, number> {
  const found = new Map<number, number>();
  if (names === NOTHING_LISTED) return found;
  const words = tokens.map(({ word, isBreak }) => (isBreak ? null : foldedWords(word)));
  for (let from = 0; from < words.length; from += 1) {
    const run: string[] = [];
    let isAcross = false;
    for (let to = from + 1; to <= Math.min(words.length, from + LONGEST_NAME); to += 1) {
      const word = words[to - 1];
      if (word === null && run.length > 0) isAcross = true;
      else if (!word || word.length === 0) break;
      else run.push(...word);
      if (word !== null && (isAcross ? names.hasAcross(run) : names.has(run))) found.set(from, to);
    }
  }
  return found;
}
