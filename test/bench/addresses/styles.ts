import type { Chance } from "./chance.ts";

/** How one store types an address. */
export interface Style {
  form: "free" | "delimited";
  letters: "as-is" | "upper" | "title" | "lower";
  keepsAccents: boolean;
  streetKind: "full" | "short" | "dropped";
  shortensDirections: boolean;
  numberMark: string;
  noNumber: string;
  beforeNumber: string;
  /** What stands before an interior that does not say what it is; `-` joins it to the number. */
  interiorMark: string;
  interiorPlace: "line1" | "line1-comma" | "line2";
  coloniaMark: "Col. " | "Col " | "Colonia " | "col. " | "";
  kindForm: "full" | "short" | "none";
  coloniaPlace: "line1-comma" | "line1" | "line2";
  boroughPlace: "city" | "line2" | "absent";
  boroughMark: string;
  capital: string;
  stateInCity: "not" | "name" | "code";
  repeats: "nothing" | "postal code" | "city" | "all";
  writesReference: "line1" | "line2" | "not";
  spacing: "clean" | "double" | "tight commas";
}

/** Draws a style; each habit by its own chance, as habits mix in real stores. */
// prettier-ignore
export function drawStyle({ pick }: Chance): Style {
  return {
    form: pick([["free", 80], ["delimited", 20]]),
    letters: pick([["as-is", 40], ["upper", 20], ["title", 30], ["lower", 10]]),
    keepsAccents: pick([[true, 65], [false, 35]]),
    streetKind: pick([["full", 60], ["short", 32], ["dropped", 8]]),
    shortensDirections: pick([[true, 15], [false, 85]]),
    numberMark: pick([
      ["", 40], ["#", 18], ["# ", 5], ["No. ", 12], ["No ", 3], ["no. ", 4], ["No.", 3], ["Núm. ", 7], ["Num ", 3],
      ["Ext. ", 2], ["No. Ext. ", 1], ["N° ", 2],
    ]),
    noNumber: pick([["S/N", 50], ["SN", 15], ["s/n", 20], ["Sin número", 8], ["S.N.", 4], ["sin num.", 3]]),
    beforeNumber: pick([[" ", 88], [", ", 12]]),
    interiorMark: pick([
      ["Int. ", 36], ["Int ", 14], ["int. ", 14], ["Interior ", 14], ["Int.", 9], ["INT-", 4], ["", 6], ["-", 3],
    ]),
    interiorPlace: pick([["line1", 40], ["line1-comma", 20], ["line2", 40]]),
    coloniaMark: pick([["Col. ", 40], ["Col ", 5], ["Colonia ", 15], ["col. ", 5], ["", 35]]),
    kindForm: pick([["full", 35], ["short", 35], ["none", 30]]),
    coloniaPlace: pick([["line2", 84], ["line1-comma", 12], ["line1", 4]]),
    boroughPlace: pick([["city", 40], ["line2", 35], ["absent", 25]]),
    boroughMark: pick([["", 60], ["Alcaldía ", 20], ["Del. ", 12], ["Delegación ", 8]]),
    capital: pick([["Ciudad de México", 55], ["CDMX", 25], ["México", 8], ["México D.F.", 6], ["Mexico City", 6]]),
    stateInCity: pick([["not", 94], ["name", 4], ["code", 2]]),
    repeats: pick([["nothing", 90], ["postal code", 5], ["city", 3], ["all", 2]]),
    writesReference: pick([["line1", 25], ["line2", 25], ["not", 50]]),
    spacing: pick([["clean", 92], ["double", 4], ["tight commas", 4]]),
  };
}
