import type { AddressReading } from "../../../app/domain/address/address.ts";
import type { PostalFacts } from "../../../app/domain/mexico/postal-codes.ts";
import { readLocationAddress } from "../../../app/domain/mexico/read-location.ts";
import { MEASURED } from "./typist.ts";
import type { Expected, MeasuredField, Typed } from "./typist.ts";

/**
 * When a field is right: its words are the true ones in their order. Case, accents and punctuation play no part, because a
 * style may have lost them in typing; nor does the form of "no number", the mark `Int.`, a kind of colonia in front of its
 * name, or how kilometre, manzana and lote are shortened. Everything else does.
 */
function isRight(field: MeasuredField, got: string | null, truth: string | null): boolean {
  return formOf(field, got) === formOf(field, truth);
}

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const KINDS =
  /^(?:(?:col|colonia|fracc|fraccionamiento|barrio|bo|ejido|rancheria|ra|granja|puerto|sector|seccion|secc|manzana|coto|pueblo|poblado|pob|condominio|cond|u hab|unidad habitacional|parque industrial|parque ind|localidad|comunidad|congregacion|rancho|hacienda|residencial|conjunto habitacional|unidad hab|unidad|zona federal|zona industrial|zona militar|zona naval|zona|paraje|ex ?hacienda|ciudad industrial|ciudad|cd|ampliacion|canton|corredor industrial|cuartel|fraccion|ingenio|region|rinconada|supermanzana|villa|privada|priv|tenencia|agencia|colonia agricola) )+(?=.)/;

const SAME_WORDS: Partial<Record<MeasuredField, readonly (readonly [RegExp, string])[]>> = {
  street_number: [
    [/^(?:s n|sn|sin (?:numero|num|no))$/, "sn"],
    [/\b(?:kilometro|kms)\b/g, "km"],
    [/\b(?:manzana|manz|mza)\b/g, "mz"],
    [/\b(?:lotes?|lte)\b/g, "lt"],
  ],
  apartment_number: [[/\b(?:interior|int)\b/g, ""]],
  area_level2: [
    [/^cuajimalpa de morelos$/, "cuajimalpa"],
    [/^la magdalena contreras$/, "magdalena contreras"],
  ],
  area_level3: [[KINDS, ""]],
};

function formOf(field: MeasuredField, text: string | null): string {
  let form = (plain(text ?? "").match(/[\p{L}\p{N}]+/gu) ?? []).join(" ");
  for (const [pattern, same] of SAME_WORDS[field] ?? []) form = form.replace(pattern, same);
  return form.replace(/\s+/g, " ").trim();
}

export type Verdict = "right-sure" | "right-unsure" | "wrong-unsure" | "wrong-sure" | "not-counted";

/** One address, judged. */
export interface Scored {
  typed: Typed;
  reading: AddressReading;
  verdicts: Record<MeasuredField, Verdict>;
  /** Nothing that the service asks for is absent from the text. */
  isComplete: boolean;
  /** Complete, all of it right, and nothing for a person to confirm. */
  isEffortless: boolean;
}

const ASKED: readonly MeasuredField[] = [
  "street1",
  "street_number",
  "area_level3",
  "area_level2",
  "area_level1",
  "postal_code",
];

/** Reads an address and judges each field; a field that is neither true nor read counts nowhere. */
export function score(typed: Typed, postal: PostalFacts | null): Scored {
  const reading = readLocationAddress(typed.address, postal);
  const truth = { ...typed, expected: crossingWhereRead(typed.expected, reading) };
  const verdicts = Object.fromEntries(MEASURED.map((field) => [field, verdictOf(field, truth, reading)]));
  const isComplete = ASKED.every((field) => typed.expected[field] !== null);
  const isSure = MEASURED.every((field) => ["right-sure", "not-counted"].includes(verdicts[field]!));
  return {
    typed,
    reading,
    verdicts: verdicts as Scored["verdicts"],
    isComplete,
    isEffortless: isComplete && isSure,
  };
}

const CROSSING =
  /^(?<street>.+?)[\s,]+(?<crossing>(?:(?:entre|e\/|esq(?:uina)?|casi)(?![\p{L}\p{N}])|(?:x|por)\s+(?:calle\s+)?\d).*)$/iu;

/** Directories write crossing streets into the street's field now and then. They may stay there, or move to the reference. */
function crossingWhereRead(expected: Expected, { reference }: AddressReading): Expected {
  const { street, crossing } = CROSSING.exec(expected.street1 ?? "")?.groups ?? {};
  if (street === undefined || crossing === undefined || reference.value === null) return expected;
  const moved = [crossing, expected.reference].filter((text) => text !== null).join(", ");
  return isRight("reference", reference.value, moved) ? { ...expected, street1: street, reference: moved } : expected;
}

function verdictOf(field: MeasuredField, { expected, municipality }: Typed, reading: AddressReading): Verdict {
  const { value, confidence } = reading[field];
  // A colonia that bears its alcaldía's name tells the alcaldía as well.
  const isTold = field === "area_level2" && confidence === "sure" && isRight(field, value, municipality);
  const truth = isTold ? municipality : expected[field];
  // What the text does not hold may be prefilled as a guess (an alcaldía by its postal code), never taken for sure.
  // What the list of postal codes has for the code is no guess.
  if (truth === null && reading[field].source === "list") return "not-counted";
  if (truth === null && confidence !== "sure")
    return value === null || field === "area_level2" ? "not-counted" : "wrong-unsure";
  // A city in the municipality's place (`Tlaquepaque`) is answered by the code's municipality, with the city in reach.
  const { source, offers = [] } = reading[field];
  const isCityOfCode =
    field === "area_level2" && source === "list" && offers.some((city) => isRight(field, city, truth));
  const right = truth !== null && (isRight(field, value, truth) || isCityOfCode);
  return `${right ? "right" : "wrong"}-${confidence === "unsure" || value === null ? "unsure" : "sure"}`;
}
