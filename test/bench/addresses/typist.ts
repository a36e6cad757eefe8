import type { AddressField, ShopifyAddress } from "../../../app/domain/address.ts";
import { WORD_JOINER } from "../../../app/domain/address-fold.ts";
import { STATES } from "../../../app/domain/mexico/states.ts";
import type { AddressRow } from "./rows.ts";
import type { Style } from "./styles.ts";

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
  kinds: string[];
}

/** Types a row the way a store of that style would. */
export function typeRow(row: AddressRow, style: Style): Typed {
  const state = STATES.find(({ name }) => name === row.state)!;
  const street = style.shortensStreet ? shortened(row.street) : row.street;
  const reference = style.writesReference === "not" ? null : (row.reference ?? null);
  const pieces = { street, reference, interior: interiorText(row, style), colonia: coloniaText(row, style) };
  const isCapital = state.code === "DF";
  const lines = style.form === "delimited" ? delimitedLines(row, style, pieces) : freeLines(row, style, pieces);
  const line2 = [
    ...lines.line2,
    ...(isCapital && style.boroughPlace === "line2" ? [style.boroughMark + row.municipality] : []),
    ...(style.postalCodeInLine2 ? [`C.P. ${row.postal_code}`] : []),
  ].join(", ");
  const city = isCapital && style.boroughPlace !== "city" ? style.capital : row.municipality;
  const typed = (text: string) => lettered(text, style);
  return {
    address: {
      address1: typed(lines.line1),
      address2: line2 === "" ? null : typed(line2),
      city: typed(style.stateInCity && !isCapital ? `${city}, ${row.state}` : city),
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
      area_level2: isCapital && style.boroughPlace === "absent" ? null : row.municipality,
      area_level1: row.state,
      postal_code: row.postal_code,
      reference,
    },
    kinds: [...row.tags, ...kindsOf(style, isCapital)],
  };
}

interface Pieces {
  street: string;
  reference: string | null;
  interior: string | null;
  colonia: string | null;
}

const isNoNumber = (number: string): boolean => /^(?:sn|s\/n|sin\b.*)$/i.test(number);

/** A number that says what it is (`Km 5`, `Mz 3`) takes no mark. */
const saysWhatItIs = (number: string): boolean => /^(?:k[mi]|mz|man|lt|lot|m\d)/i.test(number);

function numberText(row: AddressRow, style: Style): string {
  if (row.number === null) return "";
  if (isNoNumber(row.number)) return style.noNumber;
  return saysWhatItIs(row.number) ? row.number : style.numberMark + row.number;
}

const OWN_WORD =
  /^(?:int|interior|piso|planta|local|loc|lote|lotes|lt|l\d|letra|edif|edificio|torre|fracci|depto|dpto|departamento|desp|despacho|oficina|of|bodega|bod|nave|suite|casa|mod|consul|puesto|and[eé]n|mercado|plaza|pb|mz|manzana|nivel|s[oó]tano)/i;

function interiorText(row: AddressRow, style: Style): string | null {
  if (row.interior === null) return null;
  return OWN_WORD.test(row.interior) ? row.interior : style.interiorMark + row.interior;
}

/** How the kinds of neighbourhood are shortened. */
const SHORT_KINDS: Record<string, string> = {
  fraccionamiento: "Fracc.",
  barrio: "Bo.",
  "unidad habitacional": "U. Hab.",
  rancheria: "Ra.",
  poblado: "Pob.",
  "parque industrial": "Parque Ind.",
  seccion: "Secc.",
  condominio: "Cond.",
};

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

const BEGINS_WITH_KIND =
  /^(?:col|fracc|barrio|ejido|pueblo|poblado|parque ind|cd\.? ind|ciudad ind|zona|rancho|rancheria|u\.? ?h|unidad|sm|supermanzana|sector|ex |comunidad|complejo|tenencia)/;

function coloniaText(row: AddressRow, style: Style): string | null {
  if (row.colonia === null) return null;
  const kind = plain(row.colonia_type ?? "colonia");
  const colonia = plain(row.colonia);
  if (kind !== "colonia") {
    if (style.kindForm === "none" || colonia.startsWith(kind.slice(0, 4))) return row.colonia;
    const full = row.colonia_type![0]!.toUpperCase() + row.colonia_type!.slice(1).toLowerCase();
    return `${style.kindForm === "short" ? (SHORT_KINDS[kind] ?? full) : full} ${row.colonia}`;
  }
  return BEGINS_WITH_KIND.test(colonia) ? row.colonia : style.coloniaMark + row.colonia;
}

function freeLines(row: AddressRow, style: Style, pieces: Pieces): { line1: string; line2: string[] } {
  const number = numberText(row, style);
  let line1 = pieces.street + (number === "" ? "" : style.beforeNumber + number);
  const line2: string[] = [];
  if (pieces.reference !== null && style.writesReference === "line1") line1 += ` ${pieces.reference}`;
  if (pieces.interior !== null) {
    if (style.interiorPlace === "line2") line2.push(pieces.interior);
    else line1 += (style.interiorPlace === "line1" ? " " : ", ") + pieces.interior;
  }
  if (pieces.colonia !== null) {
    const isMarked = pieces.colonia !== row.colonia;
    if (style.coloniaPlace === "line2") line2.push(pieces.colonia);
    else line1 += (style.coloniaPlace === "line1" && isMarked ? " " : ", ") + pieces.colonia;
  }
  if (pieces.reference !== null && style.writesReference === "line2") line2.push(pieces.reference);
  return { line1, line2 };
}

/** Shopify's own fields: street, number, second line, neighbourhood; a store may still type `Col.` into the last. */
function delimitedLines(row: AddressRow, style: Style, pieces: Pieces): { line1: string; line2: string[] } {
  const number = row.number === null ? "" : isNoNumber(row.number) ? style.noNumber : row.number;
  const isBare = style.interiorMark === "Int. ";
  const interior = isBare ? row.interior : pieces.interior;
  const second = [interior, pieces.reference].filter((part) => part !== null).join(", ");
  const neighbourhood = style.kindForm === "none" ? row.colonia : pieces.colonia;
  return {
    line1: number === "" ? pieces.street : `${pieces.street} ${WORD_JOINER}${number}`,
    line2: [`${second}${second === "" ? "" : " "}${neighbourhood === null ? "" : WORD_JOINER + neighbourhood}`].filter(
      Boolean,
    ),
  };
}

const SHORT_STREETS: readonly (readonly [RegExp, string])[] = [
  [/^avenida\b/i, "Av."],
  [/^(?:boulevard|bulevar)\b/i, "Blvd."],
  [/^calzada\b/i, "Calz."],
  [/^carretera\b/i, "Carr."],
  [/^privada\b/i, "Priv."],
  [/^prolongaci[oó]n\b/i, "Prol."],
  [/^circuito\b/i, "Cto."],
  [/^cerrada\b/i, "Cda."],
  [/^calle\b/i, "C."],
];

function shortened(street: string): string {
  const found = SHORT_STREETS.find(([kind]) => kind.test(street));
  return found ? street.replace(found[0], found[1]) : street;
}

function lettered(text: string, { letters, keepsAccents }: Style): string {
  const kept = keepsAccents
    ? text
    : text
        .normalize("NFD")
        .replace(/[\u0300-\u0302\u0304-\u036f]|(?<![nN])\u0303/gu, "")
        .normalize("NFC");
  if (letters === "as-is") return kept;
  if (letters === "upper") return kept.toLocaleUpperCase("es");
  const lower = kept.toLocaleLowerCase("es");
  if (letters === "lower") return lower;
  return lower
    .replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toLocaleUpperCase("es"))
    .replace(/(?<=\s)(?:De|Del|La|Las|Los|Y|El|A)(?=\s)/gu, (word) => word.toLowerCase());
}

function kindsOf(style: Style, isCapital: boolean): string[] {
  return [
    style.form === "delimited" ? "~delimited" : "~free",
    `~letters ${style.letters}${style.keepsAccents ? "" : ", no accents"}`,
    ...(style.form === "free"
      ? [`~number ${style.numberMark.trim() || "bare"}`, `~colonia ${style.coloniaMark.trim() || "unmarked"}`]
      : []),
    ...(isCapital ? [`~alcaldía ${style.boroughPlace}`] : []),
  ];
}
