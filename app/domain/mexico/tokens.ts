import { fold } from "../address/fold.ts";
import { findListed, NOTHING_LISTED } from "./postal/listed-names.ts";
import type { ListedNames } from "./postal/listed-names.ts";

/** A word, a number or a break (`,` `;`) of one line, with its place in the line's tidy text. */
export interface Token {
  /** Folded, without closing dots. Rules compare this form. */
  word: string;
  start: number;
  end: number;
  isBreak: boolean;
}

/** A tidy line and its tokens. Values are cut out of `text`, so that what is sent is spelled as it was typed. */
export interface Line {
  text: string;
  tokens: Token[];
  /** Where names stand that the list of postal codes has: by their first token, the token behind them. */
  listed: ReadonlyMap<number, number>;
}

// A mark written without a space before its number is a token of its own: `No.5`, `Int4B`, `KM7.5`, `Mz3`.
const CLINGING =
  "no|num|nº|n°|int|interior|ext|loc|local|km|mz|mza|manz|manzana|lt|lte|lote|smz|depto|desp|bod|bodega|piso";

const LOTS = "mz|mza|manz|manzana|lt|lte|lote|smz";

// In order: white space; a break; `#`; "without number"; parentheses or brackets with all they hold; a number with its letters and signs (7.5, 12-B,
// 1a., 0+500); initials (`S.N.`); a word, which ends at a dot with more text behind it (`Local.11`).
const SHAPES = [
  /(?<space>\s+)/u,
  /(?<brk>[,;|]+|-(?=\s(?:col|colonia|fracc)\b))/u,
  /#/u,
  /(?<none>s\s?[/\\]\s?n(?:[uú]m(?:ero)?|o)?[°º]?(?![\p{L}\p{N}])\.?|s\.\s?n\.?(?![\p{L}\p{N}]))/u,
  /\([^()]{0,500}\)|\[[^[\]]{0,500}\]/u,
  /\p{N}(?:[\p{L}\p{N}ºª°+/-]|\.(?=\p{N}))*\.?/u,
  /(?:\p{L}\.){2,}/u,
  new RegExp(`(?:${CLINGING})(?=\\p{N})|int(?=-[\\p{L}\\p{N}])|(?:${LOTS})(?=-\\p{N})`, "u"),
  /[\p{L}'’`´"“”&º°ª][\p{L}\p{N}'’`´"“”&º°ª/+-]*\.?/u,
  /\S/u,
];
const TOKEN = new RegExp(SHAPES.map(({ source }) => source).join("|"), "giu");

/** Cuts a tidy line into tokens. Nothing but white space is lost. */
export function readTokens(text: string, names: ListedNames = NOTHING_LISTED): Line {
  const tokens: Token[] = [];
  for (const match of text.matchAll(TOKEN)) {
    const { space, brk, none } = match.groups!;
    if (space !== undefined) continue;
    const word = none === undefined ? fold(match[0]).replace(/(?<=.)\.$/, "") : "s/n";
    tokens.push({ word, start: match.index, end: match.index + match[0].length, isBreak: brk !== undefined });
  }
  return { text, tokens, listed: findListed(tokens, names) };
}

/** The text of tokens `from` up to, not including, `to`, without punctuation at its ends. */
export function textOf(line: Line, from: number, to: number): string {
  const first = line.tokens[from];
  const last = line.tokens[to - 1];
  if (first === undefined || last === undefined || to <= from) return "";
  return line.text.slice(first.start, last.end).replace(/^[\s,;:|\-–—./]+|(?<![\s,;:|\-–—/])[\s,;:|\-–—/]+$/gu, "");
}
