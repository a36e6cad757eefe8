import type { CodesGathered } from "./gathered.ts";
import { Refused } from "./refused.ts";
import type { Sheet } from "./rows.ts";

/**
 * The tax authority's sheets, which hold codes instead of names: what a code means stands in a sheet of its own. Long sheets come in parts. A
 * spreadsheet drops leading zeros; they are put back.
 */
const TAX_SHEETS = ["c_CodigoPostal", "c_Colonia", "c_Municipio", "c_Localidad", "c_Estado"] as const;
export type TaxSheet = (typeof TAX_SHEETS)[number];

/** Which of the sheets a list of columns belongs to: the one whose name comes first. */
export function taxSheetOf(columns: readonly string[]): TaxSheet | null {
  const first = columns.find((name) => name !== "");
  const sheet = TAX_SHEETS.find((name) => name === first);
  return sheet !== undefined && columns.length > 1 && REQUIRED[sheet].every((name) => columns.includes(name))
    ? sheet
    : null;
}

const REQUIRED: Record<TaxSheet, readonly string[]> = {
  c_CodigoPostal: ["c_Estado", "c_Municipio", "c_Localidad"],
  c_Colonia: ["c_CodigoPostal"],
  c_Municipio: ["c_Estado"],
  c_Localidad: ["c_Estado"],
  c_Estado: ["c_Pais"],
};

/** The column that holds names: headed in words, which have changed over the years. */
function nameColumn({ file, columns }: Sheet): string {
  const found = columns.find((name) => /^(?:descripci[oó]n|nombre)/i.test(name));
  if (found === undefined) throw new Refused(`${file} has no column of names.`);
  return found;
}

const padded = (digits: string, length: number): string => digits.padStart(length, "0");

/** @throws Refused when a sheet is missing, or names a code that no sheet explains. */
export function gatherTaxSheets(sheets: ReadonlyMap<TaxSheet, readonly Sheet[]>, into: CodesGathered): void {
  const missing = TAX_SHEETS.filter((name) => !sheets.has(name));
  if (missing.length > 0) {
    throw new Refused(
      `The tax authority's sheets belong together: ${missing.join(", ")} missing. Name all five files at once.`,
    );
  }
  const named = (sheet: TaxSheet, length: number): Map<string, string> => {
    const names = new Map<string, string>();
    for (const part of sheets.get(sheet)!) {
      const column = nameColumn(part);
      part.each((cell) => void names.set(`${cell("c_Estado")} ${padded(cell(sheet), length)}`, cell(column)));
    }
    return names;
  };
  const [municipalities, localities] = [named("c_Municipio", 3), named("c_Localidad", 2)];
  const states = new Map<string, string>();
  for (const part of sheets.get("c_Estado")!) {
    const column = nameColumn(part);
    part.each((cell) => {
      if (cell("c_Pais") === "MEX") states.set(cell("c_Estado"), cell(column));
    });
  }
  const known = new Set<string>();
  for (const part of sheets.get("c_CodigoPostal")!) {
    part.each((cell, line) => {
      const code = padded(cell("c_CodigoPostal"), 5);
      const state = cell("c_Estado");
      if (!states.has(state)) throw new Refused(`${part.file}, line ${line}: c_Estado has no «${state}».`);
      known.add(code);
      into.add(
        {
          code,
          state: states.get(state)!,
          municipality: municipalities.get(`${state} ${padded(cell("c_Municipio"), 3)}`) ?? "",
          city: localities.get(`${state} ${padded(cell("c_Localidad"), 2)}`) ?? "",
          kind: "",
          settlement: "",
        },
        `${part.file}, line ${line}`,
      );
    });
  }
  for (const part of sheets.get("c_Colonia")!) {
    const column = nameColumn(part);
    part.each((cell, line) => {
      const code = padded(cell("c_CodigoPostal"), 5);
      const settlement = cell(column);
      if (known.has(code))
        into.add({ code, state: "", municipality: "", city: "", kind: "", settlement }, `${part.file}, line ${line}`);
    });
  }
}
