import { findBorough, findColonia, findListedColonia } from "./areas.ts";
import { findBeside } from "./beside.ts";
import { findInterior } from "./interior.ts";
import { findKm, findLots, findNone, findNumber, findPostal } from "./numbers.ts";
import type { Finder, Mark, Place } from "./marks.ts";
import type { Line } from "../tokens.ts";

const FINDERS: readonly Finder[] = [
  findPostal,
  findBorough,
  findNone,
  findKm,
  findLots,
  findListedColonia,
  findInterior,
  findBeside,
  findNumber,
  findColonia,
];

/** The mark that begins at a token, or null. */
export function markAt(line: Line, at: number, place: Place): Mark | null {
  for (const find of FINDERS) {
    const mark = find(line, at, place);
    if (mark) return mark;
  }
  return null;
}
