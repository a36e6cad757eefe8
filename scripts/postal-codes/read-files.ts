import { basename } from "node:path";
import type { PostalFacts, PostalSource } from "../../app/domain/mexico/postal-codes.ts";
import { STATES } from "../../app/domain/mexico/states.ts";
import { textOfFile } from "./decode.ts";
import { CodesGathered } from "./gathered.ts";
import type { ListedRow } from "./gathered.ts";
import { Refused } from "./refused.ts";
import { sheetOf, tableOf } from "./rows.ts";
import type { Sheet } from "./rows.ts";
import { gatherTaxSheets, taxSheetOf } from "./tax-authority.ts";
import type { TaxSheet } from "./tax-authority.ts";

/**
 * Reads published lists of Mexican postal codes. Each form is known by its columns, whatever the file is called. docs/postal-codes.md says
 * where they come from.
 */

export interface ReadList {
  source: PostalSource;
  codes: PostalFacts[];
}

type Columns = Record<keyof ListedRow, string>;

/** Forms with a line of names: each part of a row, and the column that holds it. */
const NAMED_FORMS: readonly { source: PostalSource; columns: Columns }[] = [
  {
    source: "post_office",
    columns: {
      code: "d_codigo",
      settlement: "d_asenta",
      kind: "d_tipo_asenta",
      municipality: "D_mnpio",
      state: "d_estado",
      city: "d_ciudad",
    },
  },
  {
    source: "table",
    columns: {
      code: "postal_code",
      settlement: "settlement",
      kind: "settlement_type",
      municipality: "municipality",
      state: "state",
      city: "city",
    },
  },
];

/** GeoNames' file has no line of names; its readme lists them. */
const GEONAMES_COLUMNS = [
  "country code",
  "postal code",
  "place name",
  "admin name1",
  "admin code1",
  "admin name2",
  "admin code2",
  "admin name3",
  "admin code3",
  "latitude",
  "longitude",
  "accuracy",
] as const;

const GEONAMES: Columns = {
  code: "postal code",
  settlement: "place name",
  kind: "",
  municipality: "admin name2",
  state: "admin name1",
  city: "admin name3",
};

type Found =
  { source: PostalSource; sheet: Sheet; columns: Columns } | { source: "tax_authority"; sheet: Sheet; name: TaxSheet };

/**
 * The list that the files hold: one file, or the tax authority's sheets together.
 * @throws Refused with a sentence when a file is cut short, of another kind, or does not go with the others.
 */
export function readPostalFiles(paths: readonly string[]): ReadList {
  const gathered = new CodesGathered();
  const sheets = new Map<TaxSheet, Sheet[]>();
  const sources = new Set<PostalSource>();
  for (const path of paths) {
    const found = formOf(basename(path), textOfFile(path));
    sources.add(found.source);
    if ("name" in found) sheets.set(found.name, [...(sheets.get(found.name) ?? []), found.sheet]);
    else gatherNamed(found, gathered);
  }
  const [source, ...others] = sources;
  if (source === undefined) throw new Refused("No file was named.");
  if (others.length > 0 || (sheets.size === 0 && paths.length > 1)) {
    throw new Refused(
      "These files do not belong together. Name one list: one file, or the tax authority's five sheets.",
    );
  }
  if (sheets.size > 0) gatherTaxSheets(sheets, gathered);
  const codes = gathered.facts();
  if (codes.length === 0) throw new Refused(`${basename(paths[0]!)} holds no postal code.`);
  return { source, codes };
}

function formOf(file: string, text: string): Found {
  for (const { source, columns } of NAMED_FORMS) {
    const sheet = sheetOf({
      file,
      text,
      hasName: (names) => Object.values(columns).every((name) => names.includes(name)),
    });
    if (sheet) return { source, sheet, columns };
  }
  const taxSheet = sheetOf({ file, text, hasName: (names) => taxSheetOf(names) !== null });
  if (taxSheet) return { source: "tax_authority", sheet: taxSheet, name: taxSheetOf(taxSheet.columns)! };
  if (/^\uFEFF?MX\t\d{5}\t/.test(text)) {
    const sheet = tableOf({ file, text, columns: GEONAMES_COLUMNS, delimiter: "\t" });
    return { source: "geonames", sheet, columns: GEONAMES };
  }
  throw new Refused(`${file} is no list of postal codes that is known: docs/postal-codes.md names the four forms.`);
}

function gatherNamed({ sheet, columns }: { sheet: Sheet; columns: Columns }, into: CodesGathered): void {
  sheet.each((cell, line) => {
    const row = Object.fromEntries(
      Object.entries(columns).map(([part, column]) => [part, column === "" ? "" : cell(column)]),
    ) as unknown as ListedRow;
    into.add(row, `${sheet.file}, line ${line}`);
  });
}

/** A list that holds fewer than this share of the codes in use is more likely cut short than newer. */
const LEAST_SHARE = 0.9;

/** @throws Refused when a list that should be the whole country's lacks a state, or many codes that the list in use has. */
export function checkWhole(codes: readonly PostalFacts[], inUse: number): void {
  const there = new Set(codes.map(({ state }) => state));
  const missing = STATES.filter(({ name }) => !there.has(name)).map(({ name }) => name);
  const cure = "Fetch it again, or say --part if it is meant to be a part.";
  if (missing.length > 0) {
    const some = missing.length > 3 ? `${missing.length} of 32 states` : missing.join(", ");
    throw new Refused(`The list has no code in ${some}, so it may be cut short. ${cure}`);
  }
  if (codes.length < inUse * LEAST_SHARE) {
    throw new Refused(
      `The list has ${codes.length} codes and the one in use ${inUse}, so it may be cut short. ${cure}`,
    );
  }
}
