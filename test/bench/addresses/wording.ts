import type { AddressRow } from "./address-row.ts";
import type { Style } from "./styles.ts";

/** The words one store uses for the parts of an address. */

const plain = (text: string): string => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

/** Whether a row's number says that there is none. */
export const isNoNumber = (number: string): boolean => /^(?:sn|s\/n|sin\b.*)$/i.test(number);

/** A number that says what it is (`Km 5`, `Mz 3`) takes no mark. */
const SAYS_WHAT_IT_IS = /^(?:k[mi]|mz|man|lt|lot|m\d|tablaje)/i;

/** The number with the store's mark; empty when the row has none. */
export function numberText({ number }: AddressRow, style: Style): string {
  if (number === null) return "";
  if (isNoNumber(number)) return style.noNumber;
  return SAYS_WHAT_IT_IS.test(number) ? number : style.numberMark + number;
}

const OWN_WORD =
  /^(?:int|interior|piso|planta|local|loc|lote|lotes|lt|l\d|letra|edif|edificio|torre|fracci|depto|dpto|departamento|desp|despacho|oficina|of|bodega|bod|nave|suite|casa|mod|consul|puesto|and[eé]n|mercado|plaza|pb|mz|manzana|nivel|s[oó]tano)/i;

/** The interior with the store's mark, unless it says what it is; null when the row has none. */
export function interiorText({ interior }: AddressRow, style: Style): string | null {
  if (interior === null) return null;
  return OWN_WORD.test(interior) ? interior : (style.interiorMark === "-" ? "" : style.interiorMark) + interior;
}

/** Whether the store joins this interior to the number by a hyphen: `120-4B`. */
export const isHyphened = ({ interior, number }: AddressRow, style: Style): boolean =>
  style.interiorMark === "-" && /^[\dA-Z]{1,4}$/i.test(interior ?? "") && /^\d+$/.test(number ?? "");

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

const BEGINS_WITH_KIND =
  /^(?:col|fracc|barrio|ejido|pueblo|poblado|parque ind|cd\.? ind|ciudad ind|zona|rancho|rancheria|u\.? ?h|unidad|sm|supermanzana|sector|ex |comunidad|complejo|tenencia)/;

/** The colonia with the store's mark or kind; null when the row has none. */
export function coloniaText(row: AddressRow, style: Style): string | null {
  if (row.colonia === null) return null;
  const kind = plain(row.colonia_type ?? "colonia");
  const colonia = plain(row.colonia);
  if (kind === "colonia") return BEGINS_WITH_KIND.test(colonia) ? row.colonia : style.coloniaMark + row.colonia;
  if (style.kindForm === "none" || colonia.startsWith(kind.slice(0, 4))) return row.colonia;
  const full = row.colonia_type![0]!.toUpperCase() + row.colonia_type!.slice(1).toLowerCase();
  return `${style.kindForm === "short" ? (SHORT_KINDS[kind] ?? full) : full} ${row.colonia}`;
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

const SHORT_DIRECTIONS: readonly (readonly [RegExp, string])[] = [
  [/\bnorte\b/gi, "Nte."],
  [/\bponiente\b/gi, "Pte."],
  [/\boriente\b/gi, "Ote."],
];

/** The street with its kind as the store writes it. Only `Calle` and `Avenida` before a name are ever left out. */
export function streetText({ street }: AddressRow, style: Style): string {
  let text = street;
  if (style.streetKind === "dropped") text = text.replace(/^(?:calle|avenida|av\.?)\s+(?=\p{L}{4})/iu, "");
  if (style.streetKind === "short") {
    const found = SHORT_STREETS.find(([kind]) => kind.test(text));
    if (found) text = text.replace(found[0], found[1]);
  }
  if (!style.shortensDirections) return text;
  return SHORT_DIRECTIONS.reduce((short, [word, by]) => short.replace(word, by), text);
}

/** A text in the store's letters and spacing. */
export function lettered(text: string, { letters, keepsAccents, spacing }: Style): string {
  const spaced =
    spacing === "double"
      ? text.replace(/ (?=\S)/, "  ")
      : spacing === "tight commas"
        ? text.replaceAll(", ", ",")
        : text;
  const kept = keepsAccents ? spaced : withoutAccents(spaced);
  if (letters === "as-is") return kept;
  if (letters === "upper") return kept.toLocaleUpperCase("es");
  const lower = kept.toLocaleLowerCase("es");
  return letters === "lower" ? lower : titled(lower);
}

/** Accents go, ñ stays. */
const withoutAccents = (text: string): string =>
  text
    .normalize("NFD")
    .replace(/[\u0300-\u0302\u0304-\u036f]|(?<![nN])\u0303/gu, "")
    .normalize("NFC");

const titled = (lower: string): string =>
  lower
    .replace(/(?<![\p{L}\p{N}'’])\p{L}/gu, (letter) => letter.toLocaleUpperCase("es"))
    .replace(/(?<=\s)(?:De|Del|La|Las|Los|Y|El|A)(?=\s)/gu, (word) => word.toLowerCase());
