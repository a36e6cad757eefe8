import { stringify } from "csv-stringify/sync";
import { guarded } from "../domain/sheet/cells.ts";

/** By this mark Excel knows UTF-8; without it, it takes "ó" for "Ã³". */
const BYTE_ORDER_MARK = "\uFEFF";

/** A file's first line: the names of its columns. */
export function csvHead(headings: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLines([headings]);
}

/** Lines of a file. Each value is guarded against what a spreadsheet would make of it. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(guarded));
  return cells.length === 0 ? "" : stringify(cells, { record_delimiter: "\r\n" });
}
