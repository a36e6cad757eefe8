import { fold, foldedWords } from "../../address/fold.ts";
import type { AddressReading, FieldReading } from "../../address/address.ts";
import { boroughOfText } from "../boroughs.ts";
import { isNearly, listedNames } from "./listed-names.ts";
import type { PostalFacts } from "../postal-codes.ts";
import { tellingWords } from "./settlement-key.ts";
import { CAPITAL, stateOfText } from "../states.ts";
import { withoutColoniaMark } from "../words.ts";

type Place = Pick<AddressReading, "postal_code" | "area_level1" | "area_level2" | "area_level3">;

/**
 * A reading of the words, settled by what the list of postal codes says of the code. What it confirms is sure. What contradicts it stays as it
 * was written and is unsure, with what the list says as an offer. What the list lacks is as sure as it was: no public list is complete. Facts of
 * another code than the one read say nothing.
 *
 * @param cityTyped the city in Shopify, which may stand in the municipality's place.
 */
export function settleByCode<R extends Place>(
  reading: R,
  { postal, cityTyped }: { postal: PostalFacts | null; cityTyped: string },
): R {
  if (postal === null || reading.postal_code.value !== postal.code) return reading;
  return {
    ...reading,
    area_level1: settledState(reading.area_level1, postal),
    area_level2: settledMunicipality(reading.area_level2, { postal, cityTyped }),
    area_level3: settledColonia(reading.area_level3, postal),
  };
}

const fromList = (value: string): FieldReading => ({ value, source: "list", confidence: "sure" });

/** A guess that the text does not hold comes from the list then. */
const confirmed = ({ value, source }: FieldReading): FieldReading => ({
  value,
  source: source === "guess" ? "list" : source,
  confidence: "sure",
});

const isGuess = ({ source }: FieldReading): boolean => source === "guess";

const asked = ({ value }: FieldReading, says: string): FieldReading => ({
  value,
  source: "shopify",
  confidence: "unsure",
  offers: [says],
});

/** An empty state is filled, too. */
function settledState(read: FieldReading, { state }: PostalFacts): FieldReading {
  if (state === null) return read;
  if (read.value === null) return fromList(state);
  return stateOfText(read.value)?.name === state ? read : asked(read, state);
}

function settledMunicipality(
  read: FieldReading,
  { postal, cityTyped }: { postal: PostalFacts; cityTyped: string },
): FieldReading {
  const { municipality, city } = postal;
  if (municipality === null) return read;
  if (read.value === null) return fromList(municipality);
  const cityBeside = isSamePlace(cityTyped, municipality) || cityTyped === "" ? {} : { offers: [cityTyped] };
  // Several names in one field: one of them is it.
  const names = parts(read.value);
  if (names.length > 1 && names.some((part) => isSamePlace(part, municipality))) return fromList(municipality);
  if (isSamePlace(read.value, municipality)) return { ...confirmed(read), ...(isGuess(read) ? cityBeside : {}) };
  const isCity = isSamePlace(read.value, city) || isCapital(read.value, postal);
  if (isSlip(read.value, municipality)) return { ...confirmed(read), offers: [municipality] };
  if (!isCity) return asked(read, municipality);
  return { ...fromList(municipality), ...cityBeside };
}

const parts = (text: string): string[] => text.split(/[,;/()]| - /).filter((part) => part.trim() !== "");

/**
 * Whether two names are one place. People leave out the end of a long name (`Pachuca` for `Pachuca de Soto`), or its beginning where two words
 * are left (`Garza García`). One word that is left may be another place: `García`, `Bolaños` and `San Martín de Bolaños`.
 */
function isSamePlace(said: string, place: string | null): boolean {
  if (place === null) return false;
  const [one, other] = [wordsOfPlace(said), wordsOfPlace(place)];
  const [few, many] = one.length <= other.length ? [one, other] : [other, one];
  const more = many.length - few.length;
  const begins = few.every((word, at) => many[at] === word);
  const ends = few.length > 1 && few.every((word, at) => many[more + at] === word);
  const isOther = begins ? TELL_APART.has(many[few.length] ?? "") : TELL_APART.has(many[more - 1] ?? "");
  return few.length > 0 && (begins || ends) && !isOther;
}

/** Words that make another municipality of a name: `Cuautitlán Izcalli`, `Guadalupe y Calvo`, `Nuevo Casas Grandes`. */
const TELL_APART = new Set(["izcalli", "calvo", "nuevo"]);

const BEFORE_PLACES = new Set("ciudad municipio mpio heroica h".split(" "));

/** The words of a place, without those that only say what it is. */
function wordsOfPlace(text: string): string[] {
  const words = tellingWords(foldedWords(boroughOfText(text) ?? text).map((word) => (word === "cd" ? "ciudad" : word)));
  const from = words.findIndex((word) => !BEFORE_PLACES.has(word));
  return words.slice(Math.max(from, 0));
}

/** A letter more makes another place of a short name (`Tonalá`, `Tonaya`), and so does another first letter (`Sultepec`, `Tultepec`). */
const isSlip = (said: string, place: string): boolean =>
  said.length >= LEAST_LETTERS && fold(said)[0] === fold(place)[0] && isNearly(said, place);

const LEAST_LETTERS = 7;

const isCapital = (text: string, { state }: PostalFacts): boolean =>
  state !== null && stateOfText(state)?.code === CAPITAL && stateOfText(text)?.code === CAPITAL;

function settledColonia(read: FieldReading, postal: PostalFacts): FieldReading {
  if (read.value === null) return read;
  const names = listedNames(postal);
  const words = foldedWords(withoutColoniaMark(read.value));
  if (names.has(words)) return confirmed(read);
  const offers = names.near(words);
  return offers.length === 0 ? read : { ...read, offers };
}
