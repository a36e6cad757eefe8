import { fold } from "../address/fold.ts";
import { FIELDS_OF } from "./lines.ts";
import type { TypedAddress } from "./lines.ts";

/** Kinds of way and place, and titles: they are shortened where a name or a number follows them. */
const BEFORE_NAMES = new Map([
  ["avenida", "Av."],
  ["calle", "C."],
  ["boulevard", "Blvd."],
  ["bulevar", "Blvd."],
  ["calzada", "Calz."],
  ["carretera", "Carr."],
  ["autopista", "Aut."],
  ["libramiento", "Lib."],
  ["periferico", "Perif."],
  ["prolongacion", "Prol."],
  ["privada", "Priv."],
  ["cerrada", "Cda."],
  ["circuito", "Cto."],
  ["andador", "And."],
  ["retorno", "Ret."],
  ["kilometro", "Km"],
  ["numero", "No."],
  ["colonia", "Col."],
  ["fraccionamiento", "Fracc."],
  ["supermanzana", "SM"],
  ["manzana", "Mz."],
  ["lote", "Lt."],
  ["departamento", "Depto."],
  ["despacho", "Desp."],
  ["edificio", "Edif."],
  ["interior", "Int."],
  ["esquina", "Esq."],
  ["general", "Gral."],
  ["licenciado", "Lic."],
  ["ingeniero", "Ing."],
  ["doctor", "Dr."],
  ["profesor", "Prof."],
  ["coronel", "Cnel."],
]);

/** Words that are shortened where a name stands before them. `Calle Norte` and `Avenida Industrial` keep theirs: there they are the name. */
const BEHIND_NAMES = new Map([
  ["norte", "Nte."],
  ["oriente", "Ote."],
  ["poniente", "Pte."],
  ["industrial", "Ind."],
  ["habitacional", "Hab."],
]);

/** Words that are no name before a word behind one: `Calle de Norte`. */
const LITTLE = new Set(["de", "del", "la", "las", "el", "los", "y", "e", "a", "al"]);

/** A word, or letters with digits, which are never shortened. */
const WORD = /[\p{L}\p{M}\p{N}]+/gu;

/** No field takes more. */
const LONGEST_SHORTENED = 500;

/**
 * A shorter way to write a line, as Mexicans do: `Avenida` is `Av.`, `Colonia` is `Col.`. Names and numbers stay as they are. What it
 * answers is never longer, and is not shortened further. It is offered, and nobody's address is changed by it.
 */
export function shortened(text: string): string {
  if (text.length > LONGEST_SHORTENED) return text;
  const words = [...text.matchAll(WORD)].map((found) => ({ at: found.index, text: found[0], folded: fold(found[0]) }));
  let hasName = false;
  let short = "";
  let from = 0;
  for (const [index, { at, text: word, folded }] of words.entries()) {
    const kind = index < words.length - 1 ? BEFORE_NAMES.get(folded) : undefined;
    const abbreviation = kind ?? (hasName ? BEHIND_NAMES.get(folded) : undefined);
    const end = at + word.length;
    if (abbreviation !== undefined && abbreviation.length < word.length) {
      // A point that stands there already is the abbreviation's.
      short += text.slice(from, at) + (text[end] === "." ? abbreviation.replace(/\.$/, "") : abbreviation);
      from = end;
    }
    if (!isKind(folded) && !LITTLE.has(folded) && /\p{L}/u.test(word)) hasName = true;
  }
  return short + text.slice(from);
}

const SHORT_KINDS = new Set([...BEFORE_NAMES.values()].map((short) => fold(short).replace(/\.$/, "")));

const isKind = (folded: string): boolean => BEFORE_NAMES.has(folded) || SHORT_KINDS.has(folded);

/** The fields whose words may be shortened: a name is nobody's to shorten. */
const SHORTENED_FIELDS = [...FIELDS_OF.street, ...FIELDS_OF.reference] as const;

export type ShortenedField = (typeof SHORTENED_FIELDS)[number];

/** The fields of an address that have a shorter form, in it. */
export function shorterFields(address: TypedAddress): Partial<Record<ShortenedField, string>> {
  const shorter = SHORTENED_FIELDS.map((field) => [field, shortened(address[field] ?? "")] as const);
  return Object.fromEntries(shorter.filter(([field, short]) => short !== (address[field] ?? "")));
}
