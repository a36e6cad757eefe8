import { foldedWords } from "../address/fold.ts";

/** A state of Mexico, by Shopify's province code, with the first two digits its postal codes begin with. */
export interface State {
  code: string;
  name: string;
  postalPrefixes: readonly [first: number, last: number];
  /** Other names and abbreviations people write, folded and without dots. */
  alsoWritten: readonly string[];
}

const state = (
  code: string,
  name: string,
  postalPrefixes: readonly [number, number],
  alsoWritten: string[] = [],
): State => ({ code, name, postalPrefixes, alsoWritten });

/** The 32 states, by Shopify's codes, which differ from ISO 3166-2. The names are the official ones, which the postal service uses. */
export const STATES: readonly State[] = [
  state("AGS", "Aguascalientes", [20, 20], ["agu"]),
  state("BC", "Baja California", [21, 22], ["bcn", "b c", "b c n", "baja california norte", "baja cfa"]),
  state("BCS", "Baja California Sur", [23, 23], ["b c s"]),
  state("CAMP", "Campeche", [24, 24], ["cam"]),
  state("CHIS", "Chiapas", [29, 30], ["chp"]),
  state("CHIH", "Chihuahua", [31, 33], ["chh"]),
  state(
    "DF",
    "Ciudad de México",
    [0, 16],
    [
      "cdmx",
      "cmx",
      "cd de mexico",
      "d f",
      "distrito federal",
      "mexico city",
      "mexico df",
      "mexico d f",
      "ciudad de mexico cdmx",
    ],
  ),
  state("COAH", "Coahuila de Zaragoza", [25, 27], ["coahuila", "coa"]),
  state("COL", "Colima", [28, 28]),
  state("DGO", "Durango", [34, 35], ["dur"]),
  state("GTO", "Guanajuato", [36, 38], ["gua"]),
  state("GRO", "Guerrero", [39, 41]),
  state("HGO", "Hidalgo", [42, 43], ["hid"]),
  state("JAL", "Jalisco", [44, 49]),
  state(
    "MEX",
    "México",
    [50, 57],
    ["estado de mexico", "edo de mexico", "edo mex", "edomex", "edo de mex", "mexico state"],
  ),
  state("MICH", "Michoacán de Ocampo", [58, 61], ["michoacan", "mic"]),
  state("MOR", "Morelos", [62, 62]),
  state("NAY", "Nayarit", [63, 63]),
  state("NL", "Nuevo León", [64, 67], ["n l", "nle"]),
  state("OAX", "Oaxaca", [68, 71]),
  state("PUE", "Puebla", [72, 75]),
  state("QRO", "Querétaro", [76, 76], ["que", "queretaro de arteaga"]),
  state("Q ROO", "Quintana Roo", [77, 77], ["qroo", "roo", "q r"]),
  state("SLP", "San Luis Potosí", [78, 79], ["s l p"]),
  state("SIN", "Sinaloa", [80, 82]),
  state("SON", "Sonora", [83, 85]),
  state("TAB", "Tabasco", [86, 86]),
  state("TAMPS", "Tamaulipas", [87, 89], ["tam"]),
  state("TLAX", "Tlaxcala", [90, 90], ["tla"]),
  state("VER", "Veracruz de Ignacio de la Llave", [91, 96], ["veracruz", "veracruz llave"]),
  state("YUC", "Yucatán", [97, 97]),
  state("ZAC", "Zacatecas", [98, 99]),
];

/** Shopify's code of Mexico City, which has alcaldías in place of municipalities. */
export const CAPITAL = "DF";

const key = (text: string | null): string => foldedWords(text).join(" ");

const byCode = new Map(STATES.map((each) => [key(each.code), each]));
const byWords = new Map(
  STATES.flatMap((each) => [each.name, each.code, ...each.alsoWritten].map((text) => [key(text), each])),
);

/** The state of a Shopify province code (`DF`, `Q ROO`, also `MX-DF`). */
function stateOfCode(provinceCode: string | null): State | null {
  return byCode.get(key(provinceCode).replace(/^mx /, "")) ?? null;
}

/** The state whose name or abbreviation is all of the text; null otherwise. */
export function stateOfText(text: string | null): State | null {
  return byWords.get(key(text)) ?? null;
}

/** The state by Shopify's code, or by its name where the code is missing or strange. */
export function findState(provinceCode: string | null, province: string | null): State | null {
  return stateOfCode(provinceCode) ?? stateOfText(province) ?? stateOfText(provinceCode);
}

/** Whether a five-digit postal code lies in the state. */
export function postalCodeFits(postalCode: string, of: State): boolean {
  const prefix = Number(postalCode.slice(0, 2));
  return prefix >= of.postalPrefixes[0] && prefix <= of.postalPrefixes[1];
}
