import { foldedWords } from "../../address/fold.ts";
import { withoutColoniaKind } from "../words.ts";

/**
 * Names of settlements and municipalities, brought to one form in which all spellings of one name are alike: without accents, small words and
 * kinds, with whole words for abbreviations and figures for numbers. The order of words plays no part (`1a. Sección`, `Sección Primera`).
 * Only for comparing names of one postal code, of which there are few.
 */

const SMALL = new Set("de del la las el los y e en col colonia".split(" "));

const pairs = (text: string): [string, string][] =>
  text
    .trim()
    .split("\n")
    .flatMap((line) => {
      const [word = "", ...short] = line.trim().split(" ");
      return short.map((each): [string, string] => [each, word]);
    });

/** A word and how it is also written. */
const SAME = new Map(
  pairs(`
    norte nte
    oriente ote
    poniente pte
    seccion secc sec
    ampliacion amp ampl ampliac
    unidad u
    habitacional hab
    infonavit infon
    residencial res resid
    industrial ind
    parque pque
    ciudad cd
    santa sta
    santo sto
    san sn
    general gral
    licenciado lic
    ingeniero ing
    doctor dr
    doctora dra
    profesor prof profr
    coronel cnel
    francisco fco
    maria ma
    guadalupe gpe
    nuevo nvo
    nueva nva
    hacienda hda hcda
    exhacienda exhda
    supermanzana sm smz smza spm
    manzana mz mza manz
    etapa et
    primera 1a 1ra primero 1o 1ro 1er
    presidente pdte
    venustiano vto
    constituyentes constituy
    revolucion rev
    independencia indep
    democratica democ
    jardines jard
    lomas lms
    villas vllas
    bosques bosq
    fuentes ftes
    hidalgo hgo
    kilometro km
  `),
);

const ORDINALS = "primer segund tercer cuart quint sext septim octav noven decim".split(" ");
const CARDINALS =
  "uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete dieciocho diecinueve veinte".split(
    " ",
  );
const ROMAN = "i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx".split(" ");

/** The figure that a word says; null for a word. */
function figureOf(word: string, isFirst: boolean): string | null {
  const digits = /^(\d+)(?:a|o|ra|ro|da|do|ta|to|ma|mo|na|no|va|vo|er)?$/.exec(word);
  if (digits) return String(Number(digits[1]));
  const ordinal = ORDINALS.indexOf(word.replace(/[ao]s?$/, ""));
  if (ordinal >= 0) return String(ordinal + 1);
  const cardinal = CARDINALS.indexOf(word === "un" || word === "una" ? "uno" : word);
  if (cardinal >= 0) return String(cardinal + 1);
  const roman = isFirst ? -1 : ROMAN.indexOf(word);
  return roman >= 0 ? String(roman + 1) : null;
}

/** The words of a name that tell it from others, in one form. */
export function tellingWords(words: readonly string[]): string[] {
  const said = words.flatMap((word, at) => {
    const whole = SAME.get(word) ?? word;
    return SMALL.has(whole) ? [] : [figureOf(whole, at === 0) ?? whole];
  });
  return said.length === 0 ? [...words] : said;
}

/** Parts of a name that stand before it as well as behind it. */
const MOVABLE = new Set(["seccion", "ampliacion", "etapa", "zona", "sector", "unidad"]);

function keyOfWords(words: readonly string[]): string {
  const telling = tellingWords(words);
  return (telling.some((word) => MOVABLE.has(word)) ? telling.toSorted() : telling).join(" ");
}

/** Kinds that begin a street's name as well, so that only a list tells them for a settlement's. */
const KINDS_OF_WAYS = new Set("privada priv ciudad cd cerrada cda".split(" "));

/** The forms of a name, of which two spellings of one settlement share at least one: with its kind in front, and without. */
export function keysOfWords(words: readonly string[]): string[] {
  const inFront = words.length > 1 && KINDS_OF_WAYS.has(words[0]!) ? words.slice(1) : [...words];
  const bare = withoutColoniaKind(inFront);
  return bare.length === words.length ? [keyOfWords(words)] : [keyOfWords(words), keyOfWords(bare)];
}

/** The same of a text. */
export const keysOf = (name: string): string[] => keysOfWords(foldedWords(name));
