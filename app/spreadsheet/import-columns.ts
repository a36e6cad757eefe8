import { FORM_FIELDS } from "../domain/address/form-fields.ts";
import type { FormField } from "../domain/address/form-fields.ts";
import { fold } from "../domain/address/fold.ts";
import type { Language } from "../domain/records.ts";
import { wordsOf } from "../i18n/words.ts";
import type { FileFault, ImportColumn } from "../views/import.ts";
import type { OriginColumn } from "./origin-columns.ts";
import { carrierHeading, headingOf, isField, ORIGIN_COLUMNS } from "./origin-columns.ts";

/** Which column of a file is which, by its heading: of either language, and whatever its capitals and accents. */

const LANGUAGES: readonly Language[] = ["en", "es-MX"];
/** How much of an unknown heading is told, and of how many. */
const LONGEST_TOLD = 60;
const MOST_TOLD = 10;

export interface ImportColumns {
  /** By place in the row; null for what is not looked at. */
  at: readonly (ImportColumn | null)[];
  unknown: string[];
  unknownCount: number;
  missing: FormField[];
}

/** The columns of a file, or why it is refused. */
export function importColumns(headings: readonly string[]): ImportColumns | FileFault {
  const known = headings.map(columnOf);
  if (known.every((column) => column === null)) return { code: "no_headings" };
  const at = known.map((column) => (column !== null && column !== "carrier" && isRead(column) ? column : null));
  const doubled = Map.groupBy(
    headings.filter((_heading, place) => at[place] != null),
    (heading) => columnOf(heading),
  );
  for (const alike of doubled.values())
    if (alike.length > 1) return { code: "doubled_heading", headings: alike.slice(0, 2) };
  if (!at.includes("location_id") && !at.includes("location_name")) return { code: "no_key" };
  const missing = FORM_FIELDS.filter((field) => !at.includes(field));
  if (missing.length === FORM_FIELDS.length) return { code: "no_details" };
  const unknown = headings.filter((heading, place) => known[place] === null && heading !== "");
  return {
    at,
    unknown: unknown.slice(0, MOST_TOLD).map((heading) => heading.slice(0, LONGEST_TOLD)),
    unknownCount: unknown.length,
    missing,
  };
}

/** How many headings are those of a column. */
export function countKnown(headings: readonly string[]): number {
  return headings.filter((heading) => columnOf(heading) !== null).length;
}

function isRead(column: OriginColumn): column is ImportColumn {
  return isField(column) || column === "location_id" || column === "location_name" || column === "shopify_address";
}

let byHeading: Map<string, OriginColumn> | null = null;

function columnOf(heading: string): OriginColumn | "carrier" | null {
  byHeading ??= new Map(
    LANGUAGES.flatMap((language) => {
      const t = wordsOf(language);
      return ORIGIN_COLUMNS.map((column) => [fold(headingOf(t, column)), column] as const);
    }),
  );
  const text = fold(heading);
  const column = byHeading.get(text);
  if (column) return column;
  const ends = LANGUAGES.map((language) => fold(carrierHeading(wordsOf(language), "")));
  return ends.some((end) => text.endsWith(end)) ? "carrier" : null;
}
