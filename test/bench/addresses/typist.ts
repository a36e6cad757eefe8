import type { AddressField, ShopifyAddress } from "../../../app/domain/address/address.ts";
import { WORD_JOINER } from "../../../app/domain/address/fold.ts";
import { STATES } from "../../../app/domain/mexico/states.ts";
import type { State } from "../../../app/domain/mexico/states.ts";
import type { AddressRow } from "./address-row.ts";
import type { Style } from "./styles.ts";
import { coloniaText, interiorText, isHyphened, isNoNumber, lettered, numberText, streetText } from "./wording.ts";

/** The fields that are measured; null says that the text does not hold it. */
export const MEASURED = [
  "street1",
  "street_number",
  "apartment_number",
  "area_level3",
  "area_level2",
  "area_level1",
  "postal_code",
  "reference",
] as const satisfies readonly AddressField[];

export type MeasuredField = (typeof MEASURED)[number];
export type Expected = Record<MeasuredField, string | null>;

/** An address as a store typed it into a Shopify location, with what it truly says. */
export interface Typed {
  address: ShopifyAddress;
  expected: Expected;
  /** The true alcaldía, be it typed or not. */
  municipality: string | null;
  kinds: string[];
}

/** Types a row the way a store of that style would. */
export function typeRow(row: AddressRow, style: Style): Typed {
  const state = STATES.find(({ name }) => name === row.state)!;
  const isCapital = state.code === "DF";
  const street = streetText(row, style);
  const reference = style.writesReference === "not" ? null : (row.reference ?? null);
  const parts = { street, reference, interior: interiorText(row, style), colonia: coloniaText(row, style) };
  const lines = style.form === "delimited" ? delimitedLines(row, style, parts) : freeLines(row, style, parts);
  const line2 = [...lines.line2, ...repeated({ row, style, state })].join(", ");
  const typed = (text: string) => lettered(text, style);
  return {
    address: {
      address1: typed(lines.line1),
      address2: line2 === "" ? null : typed(line2),
      city: typed(cityText({ row, style, state })),
      province: row.state,
      provinceCode: state.code,
      countryCode: "MX",
      zip: row.postal_code,
      phone: null,
    },
    expected: {
      street1: street,
      street_number: row.number,
      apartment_number: row.interior,
      area_level3: row.colonia,
      area_level2: isCapital && style.boroughPlace === "absent" ? null : row.municipality || null,
      area_level1: row.state,
      postal_code: row.postal_code || null,
      reference,
    },
    municipality: row.municipality,
    kinds: [...row.tags, ...kindsOf(style, isCapital)],
  };
}

interface Setting {
  row: AddressRow;
  style: Style;
  state: State;
}

function cityText({ row, style, state }: Setting): string {
  const isCapital = state.code === "DF";
  const city = isCapital && style.boroughPlace !== "city" ? style.capital : row.municipality;
  if (isCapital || style.stateInCity === "not") return city;
  return `${city}, ${style.stateInCity === "name" ? row.state : state.code}`;
}

/** The alcaldía, and what people type again although it has fields of its own. */
function repeated({ row, style, state }: Setting): string[] {
  const isCapital = state.code === "DF";
  const borough = isCapital && style.boroughPlace === "line2" ? [style.boroughMark + row.municipality] : [];
  const city = isCapital ? style.capital : row.municipality;
  const again: Record<Style["repeats"], string[]> = {
    nothing: [],
    "postal code": [`C.P. ${row.postal_code}`],
    city: [city],
    all: [`${row.postal_code} ${city}`, row.state],
  };
  return [...borough, ...again[style.repeats]];
}

interface Parts {
  street: string;
  reference: string | null;
  interior: string | null;
  colonia: string | null;
}

interface Lines {
  line1: string;
  line2: string[];
}

function freeLines(row: AddressRow, style: Style, parts: Parts): Lines {
  const number = numberText(row, style) + (isHyphened(row, style) ? `-${row.interior}` : "");
  let line1 = parts.street + (number === "" ? "" : style.beforeNumber + number);
  const line2: string[] = [];
  if (parts.reference !== null && style.writesReference === "line1") line1 += ` ${parts.reference}`;
  if (parts.interior !== null && !isHyphened(row, style)) {
    const isBare = parts.interior === row.interior && style.interiorMark === "";
    if (style.interiorPlace === "line2" || isBare) line2.push(parts.interior);
    else line1 += (style.interiorPlace === "line1" ? " " : ", ") + parts.interior;
  }
  if (parts.colonia !== null) {
    if (style.coloniaPlace === "line2") line2.push(parts.colonia);
    else line1 += (style.coloniaPlace === "line1" ? " " : ", ") + parts.colonia;
  }
  if (parts.reference !== null && style.writesReference === "line2") line2.push(parts.reference);
  return { line1, line2 };
}

/** Shopify's own fields: street, number, second line, neighbourhood; a store may still type `Col.` into the last. */
function delimitedLines(row: AddressRow, style: Style, parts: Parts): Lines {
  const number = row.number === null ? "" : isNoNumber(row.number) ? style.noNumber : row.number;
  const interior = style.interiorMark === "Int. " ? row.interior : parts.interior;
  const second = [interior, parts.reference].filter((part) => part !== null).join(", ");
  const neighbourhood = style.kindForm === "none" ? row.colonia : parts.colonia;
  const line2 = `${second}${second === "" ? "" : " "}${neighbourhood === null ? "" : WORD_JOINER + neighbourhood}`;
  return {
    line1: number === "" ? parts.street : `${parts.street} ${WORD_JOINER}${number}`,
    line2: line2 === "" ? [] : [line2],
  };
}

function kindsOf(style: Style, isCapital: boolean): string[] {
  const free = [
    `~number ${style.numberMark.trim() || "bare"}`,
    `~colonia ${style.coloniaMark.trim() || "unmarked"}`,
    `~colonia in ${style.coloniaPlace}`,
    `~interior ${style.interiorMark.trim() || "bare"}`,
  ];
  return [
    `~${style.form}`,
    `~letters ${style.letters}${style.keepsAccents ? "" : ", no accents"}`,
    `~spacing ${style.spacing}`,
    `~repeats ${style.repeats}`,
    ...(style.form === "free" ? free : []),
    ...(isCapital ? [`~alcaldía ${style.boroughPlace}`] : []),
  ];
}
