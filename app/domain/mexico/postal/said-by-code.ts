import type { FieldReading } from "../../address/address.ts";
import type { PostalFacts } from "../postal-codes.ts";
import { settleByCode } from "./settle-by-code.ts";

/** The fields that a postal code decides, as somebody typed them; "" where nothing stands. */
export type TypedArea = Record<"area_level1" | "area_level2", string>;

/** What the list of postal codes says of typed fields. A field that it agrees with, or knows nothing of, is in neither. */
export interface SaidByCode {
  /** The code's name for a field that is empty. */
  fills: Partial<TypedArea>;
  /** The code's name for a field in which another one was written. */
  differs: Partial<TypedArea>;
}

/** Names that a form filled in for a code. */
export type FilledByCode = SaidByCode["fills"];

/**
 * What a form fills in for a code: its names where nothing stands, or where there stands what the form itself filled in for the code before.
 * A field that holds the right name already is not in it.
 */
export function filledByCode(
  typed: TypedArea,
  { facts, before }: { facts: PostalFacts | null; before: FilledByCode },
): FilledByCode {
  const own = (field: keyof TypedArea) => (typed[field] === before[field] ? "" : typed[field]);
  const { fills } = saidByCode({ area_level1: own("area_level1"), area_level2: own("area_level2") }, facts);
  const news = (Object.keys(fills) as (keyof TypedArea)[]).filter((field) => fills[field] !== typed[field]);
  return Object.fromEntries(news.map((field) => [field, fills[field]]));
}

/** Typed fields beside what the list says of their code, by the rule for an address out of Shopify (`settleByCode`). */
export function saidByCode(typed: TypedArea, postal: PostalFacts | null): SaidByCode {
  if (postal === null) return { fills: {}, differs: {} };
  const areas = { area_level1: readingOf(typed.area_level1), area_level2: readingOf(typed.area_level2) };
  const place = { postal_code: readingOf(postal.code), ...areas, area_level3: readingOf("") };
  const settled = settleByCode(place, { postal, cityTyped: "" });
  const said: SaidByCode = { fills: {}, differs: {} };
  for (const field of Object.keys(areas) as (keyof TypedArea)[]) {
    const { value, source, confidence, offers } = settled[field];
    if (areas[field].value === null) {
      if (value !== null) said.fills[field] = value;
    } else if (confidence === "unsure" && offers?.[0] !== undefined) said.differs[field] = offers[0];
    else if (source === "list" && value !== null && value !== areas[field].value) said.differs[field] = value;
  }
  return said;
}

function readingOf(text: string): FieldReading {
  const value = text.trim() || null;
  return { value, source: "owner", confidence: value === null ? "absent" : "sure" };
}
