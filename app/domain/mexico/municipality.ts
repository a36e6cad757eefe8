import { fold, foldedWords, tidy } from "../address/fold.ts";
import { boroughOfPostalCode, boroughOfText } from "./boroughs.ts";
import { municipalityOfCity } from "./cities.ts";
import type { Said } from "./found.ts";
import { CAPITAL, stateOfText } from "./states.ts";
import type { State } from "./states.ts";

/**
 * Reads `area_level2`: the municipality, and in Mexico City the alcaldía wherever the text holds it. The value is unsure, for a person to
 * confirm, where only the postal code tells the alcaldía, or where the city's municipality has another name than the city.
 */
export function readMunicipality(of: {
  city: string;
  zip: string;
  state: State | null;
  borough: Said | null;
}): Said | null {
  const { city } = of;
  if (of.state?.code === CAPITAL) return readBorough(city, of.zip, of.borough);
  if (of.borough) return { text: of.borough.text, isSure: city === "" || fold(city) === fold(of.borough.text) };
  const municipality = of.state ? municipalityOfCity(of.state.code, city) : null;
  if (municipality !== null) return { text: municipality, isSure: false };
  return city === "" ? null : { text: city, isSure: true };
}

/** The alcaldía from the city, else from the lines. It is unsure where the postal code contradicts it or the city is unknown. */
function readBorough(city: string, zip: string, inLines: Said | null): Said | null {
  const byPostalCode = boroughOfPostalCode(zip);
  const inCity = boroughOfText(city) ?? boroughInCity(city);
  const typed = inCity ?? inLines?.text ?? null;
  if (typed === null) return byPostalCode === null ? null : { text: byPostalCode, isSure: false };
  const isPlaced = inCity !== null || city === "" || isCapital(city);
  return { text: typed, isSure: isPlaced && (byPostalCode === null || byPostalCode === typed) };
}

/** The city of an address in Mexico City that is neither the city's name nor an alcaldía; it may be the colonia. */
export function strayCity(city: string, state: State | null): Said | null {
  const isStray =
    state?.code === CAPITAL && city !== "" && !isCapital(city) && (boroughOfText(city) ?? boroughInCity(city)) === null;
  return isStray ? { text: city, isSure: false } : null;
}

const isCapital = (city: string): boolean => stateOfText(city)?.code === CAPITAL || isCountry(city);

const boroughInCity = (city: string): string | null =>
  city
    .split(/[,;/()-]/)
    .map(boroughOfText)
    .find((borough) => borough !== null) ?? null;

/** Words of the longest name of a state, and as many marks between them. No longer end of a city is looked at. */
const LONGEST_BEHIND = 12;
/** `Zapopan, Jal., Jalisco, México`: nobody writes more of them. */
const MOST_BEHIND = 4;

/** The city as typed, without the state or country behind it (`Monterrey, N.L.`), which have fields of their own. */
export function cityOf(typed: string | null, state: State | null): string {
  const words = tidy(typed)
    .split(/ ?[,;] ?/)
    .join(", ")
    .split(" ");
  for (let taken = 0; taken < MOST_BEHIND; taken += 1) {
    const begins = behindComma(words, state) ?? behindBlank(words, state);
    if (begins === null) break;
    words.length = begins;
    words.push(words.pop()!.replace(/,$/, ""));
  }
  return words.join(" ");
}

const endsFrom = (words: readonly string[]): number[] =>
  Array.from({ length: Math.min(words.length - 1, LONGEST_BEHIND) }, (_, at) => words.length - 1 - at).reverse();

/** Where a state or country begins that stands alone behind the last comma. */
function behindComma(words: readonly string[], state: State | null): number | null {
  const from = endsFrom(words).findLast((at) => words[at - 1]!.endsWith(","));
  return from !== undefined && isStateOrCountry(words.slice(from).join(" "), state) ? from : null;
}

/**
 * `Zapopan Jal.`, `Monterrey Nuevo León`, without a comma. One whole word may belong to the name: `Juárez Hidalgo`, `Santa Cruz Tlaxcala`; and so
 * may what follows *de*.
 */
function behindBlank(words: readonly string[], state: State | null): number | null {
  if (state === null || state.code === CAPITAL) return null;
  const from = endsFrom(words).find((at) => {
    const behind = words.slice(at).join(" ");
    const isName = ["de", "del", "la"].includes(fold(words[at - 1]!)) || isWholeWord(behind);
    return !isName && isStateOrCountry(behind, state);
  });
  return from ?? null;
}

const isWholeWord = (text: string): boolean => {
  const [word = "", ...more] = foldedWords(text);
  return more.length === 0 && word.length > LONGEST_SHORT && !isCountry(text);
};

/** Letters of the longest abbreviation of a state's name that is one word (`Tamps.`). */
const LONGEST_SHORT = 5;

const isCountry = (text: string): boolean => /^m[eé]x(?:ico|\.)?$/i.test(text);

const isStateOrCountry = (text: string, state: State | null): boolean =>
  (state !== null && stateOfText(text)?.code === state.code) || isCountry(text);
