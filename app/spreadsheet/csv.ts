import { CsvError, parse } from "csv-parse";
import { parse as parseNow } from "csv-parse/sync";
import { stringify } from "csv-stringify/sync";
import { guarded } from "../domain/sheet/cells.ts";
import type { FileFault } from "../views/import.ts";

/** By this mark Excel knows UTF-8; without it, it takes "ó" for "Ã³". */
const BYTE_ORDER_MARK = "\uFEFF";
/** No row of a file of origins is longer: a quotation mark was not closed. In characters. */
const LONGEST_ROW = 100_000;

/** A file's first line: the names of its columns. */
export function csvHead(headings: readonly string[]): string {
  return BYTE_ORDER_MARK + csvLines([headings]);
}

/** Lines of a file. Each value is guarded against what a spreadsheet would make of it. */
export function csvLines(rows: readonly (readonly string[])[]): string {
  const cells = rows.map((row) => row.map(guarded));
  // A value of several lines is one cell, whatever ends its lines.
  return cells.length === 0 ? "" : stringify(cells, { record_delimiter: "\r\n", quoted_match: /[\r\n]/ });
}

function optionsOf(delimiter: string) {
  return {
    delimiter,
    record_delimiter: ["\r\n", "\n", "\r"],
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
  };
}

/** The cells of a text's first row; empty where it cannot be read. */
export function firstRecord(text: string, delimiter: string): string[] {
  try {
    return (parseNow(text, { ...optionsOf(delimiter), to: 1 }) as string[][])[0] ?? [];
  } catch {
    return [];
  }
}

/** The cells of each row, while the text comes in. Throws what `unreadableRow` tells of. */
export async function* csvRecords(text: AsyncIterable<string>, delimiter: string): AsyncGenerator<string[]> {
  const parser = parse(optionsOf(delimiter));
  try {
    for await (const part of text) {
      if (parser.errored) break;
      parser.write(part);
      for (let record = parser.read() as string[] | null; record !== null; record = parser.read() as string[] | null)
        yield record;
    }
    if (!parser.errored) parser.end();
    for await (const record of parser as AsyncIterable<string[]>) yield record;
  } finally {
    parser.destroy();
  }
}

/**
 * In which row a file cannot be read, and why; null for another error. A spreadsheet counts the headings as row 1, and so does this.
 * @param hidden lines before the headings, which a spreadsheet does not show.
 */
export function unreadableRow(error: unknown, hidden: number): FileFault | null {
  if (!(error instanceof CsvError)) return null;
  // Rows before it may never have come out of the parser, which tells how many there were.
  const row = Number((error as CsvError & { records?: number }).records ?? 0) + 1 - hidden;
  if (error.code === "CSV_QUOTE_NOT_CLOSED") return { code: "quote_open", row };
  return { code: error.code === "CSV_MAX_RECORD_SIZE" ? "row_too_long" : "quote_within", row };
}
