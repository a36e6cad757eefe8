import { boroughOfPostalCode, boroughOfText } from "./boroughs.ts";
import { firstWord, isBorough, joined, parted, repeatsCity, valueOfFound, wordsOf } from "./found.ts";
import type { Found, Said, Surroundings } from "./found.ts";
import { isDate } from "./labels.ts";
import { PREMISES, WAYS } from "./words.ts";

/** Colonia and alcaldía, and names that are neither. */
export interface AreaReading {
  colonia: Said | null;
  borough: Said | null;
  /** Names in front of the colonia, which are probably buildings. */
  buildings: Found[];
  /** Names that fit nowhere. */
  leftovers: Found[];
}

/** Place names found in the lines: with the mark of a colonia or an alcaldía, or without a mark. */
export interface Names {
  /** The colonia from Shopify's own field. */
  neighbourhood: Said | null;
  colonias: Found[];
  boroughs: Found[];
  bare: Found[];
}

/** Tells colonia, alcaldía and building apart. A single name without a mark is the colonia; of several such names, the last may be. */
export function decideArea({ neighbourhood, colonias, boroughs, bare }: Names, around: Surroundings): AreaReading {
  const mayBeBorough = (each: Found) => isBorough(wordsOf(each), around);
  const repeats = (each: Found) => !mayBeBorough(each) && repeatsCity(wordsOf(each), around);
  const hasOther =
    neighbourhood !== null || colonias.length > 0 || bare.some((each) => !mayBeBorough(each) && !repeats(each));
  // Many colonias have the name of an alcaldía. Where no other name is the alcaldía, the postal code tells whether this one is.
  const here = boroughOfPostalCode(around.zip);
  const namesBorough = (each: Found) =>
    mayBeBorough(each) && (hasOther || here === null || boroughOfText(wordsOf(each)) === here);
  const names = bare.filter((each) => !namesBorough(each) && !repeats(each));
  const [premises, others] = parted(names, (each) => PREMISES.has(firstWord(each)));
  const isElsewhere = neighbourhood !== null || colonias.length > 0 || others.length > 0;
  const named = bare.filter(namesBorough);
  const inCity = boroughOfText(around.city);
  const boroughPieces = [...boroughs, ...(isElsewhere || inCity === null ? named : [])];
  const borough = boroughSaid(boroughPieces[0]);
  const agrees = (each: Found) => boroughSaid(each)!.text === (inCity ?? borough!.text);
  const strangers = boroughPieces.filter((each) => !agrees(each));
  const area = { borough: borough !== null && agrees(boroughPieces[0]!) ? borough : null };
  if (neighbourhood !== null) {
    return {
      ...area,
      colonia: neighbourhood,
      buildings: [...premises, ...others],
      leftovers: [...colonias, ...strangers],
    };
  }
  const first = colonias[0];
  if (first !== undefined) {
    const [buildings, behind] = parted(others, (each) => isBefore(each, first));
    const isOne = colonias.length === 1;
    const colonia = joined(colonias, isOne);
    return { ...area, colonia, buildings: [...premises, ...buildings], leftovers: [...behind, ...strangers] };
  }
  const last = others.at(-1) ?? named.at(-1) ?? bare.find(repeats);
  if (last === undefined) return { ...area, colonia: null, buildings: premises, leftovers: strangers };
  const isSure = others.length === 1 && isColoniaShaped(last);
  const leftovers = strangers.filter((each) => each !== last);
  return {
    ...area,
    colonia: { text: wordsOf(last), isSure },
    buildings: [...premises, ...others.slice(0, -1)],
    leftovers,
  };
}

function boroughSaid(found: Found | undefined): Said | null {
  if (found === undefined) return null;
  return { text: boroughOfText(wordsOf(found)) ?? valueOfFound(found), isSure: true };
}

const isBefore = (each: Found, other: Found): boolean =>
  each.isFirstLine === other.isFirstLine ? each.piece.from < other.piece.from : each.isFirstLine;

/** A name in a segment of its own; not the words behind a house number, and not a way with a number. */
function isColoniaShaped({ line, piece, isFirstLine }: Found): boolean {
  const before = line.tokens[piece.from - 1];
  if (/^\d{2}/.test(line.tokens[piece.from]!.word) && !isDate(line, piece.from)) return false;
  const opensSegment = before === undefined ? !isFirstLine : before.isBreak;
  return (
    opensSegment &&
    !piece.vague &&
    !WAYS.has(line.tokens[piece.from]!.word) &&
    !/\d{3}$/.test(line.tokens[piece.to - 1]!.word)
  );
}
