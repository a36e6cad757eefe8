import { parse } from "csv-parse/sync";
import { Refused } from "./refused.ts";

/** Text of columns that has a line of their names. */
export interface Sheet {
  /** The file's name, for sentences about it. */
  file: string;
  columns: readonly string[];
  /** Calls back for each row below the names, with the line's number, which begins at 1. @throws Refused on a row of another length. */
  each(call: (cell: (column: string) => string, line: number) => void): void;
}

/** How many lines may stand above the columns' names: a legal notice, or a workbook's title. */
const MOST_ABOVE = 20;

/**
 * A text whose columns' names begin with `first`, or hold it among them; null when the first lines have no such name. Columns are told apart
 * by whatever tells the names apart. Only commas and semicolons come with quotes.
 */
export function sheetOf(input: { file: string; text: string; hasName: (columns: string[]) => boolean }): Sheet | null {
  const { file, text, hasName } = input;
  let start = 0;
  for (let above = 0; above < MOST_ABOVE && start < text.length; above += 1) {
    const newline = text.indexOf("\n", start);
    const end = newline < 0 ? text.length : newline;
    const line = text
      .slice(start, end)
      .replace(/\r$/, "")
      .replace(/^\uFEFF/, "");
    for (const delimiter of ["|", "\t", ",", ";"]) {
      const columns = line.split(delimiter).map((name) => name.replace(/^"(.*)"$/, "$1").trim());
      if (columns.length > 1 && hasName(columns)) {
        const body = text.slice(end + 1);
        return { file, columns, each: eachRow({ file, columns, delimiter, body, line: above + 2 }) };
      }
    }
    start = end + 1;
  }
  return null;
}

/** Rows of a text without names. */
export function tableOf(input: { file: string; text: string; columns: readonly string[]; delimiter: string }): Sheet {
  const { file, text: body, columns, delimiter } = input;
  return { file, columns, each: eachRow({ file, columns, delimiter, body, line: 1 }) };
}

interface Body {
  file: string;
  columns: readonly string[];
  delimiter: string;
  body: string;
  line: number;
}

function eachRow({ file, columns, delimiter, body, line: firstLine }: Body): Sheet["each"] {
  const places = new Map(columns.map((name, at) => [name, at]));
  const least = columns.findLastIndex((name) => name !== "") + 1;
  return (call) => {
    let row: readonly string[] = [];
    const cell = (column: string): string => (row[places.get(column)!] ?? "").trim();
    const take = (cells: readonly string[], line: number): void => {
      if (cells.length < least || cells.length > columns.length) {
        const what = `${cells.length} of ${least} columns`;
        throw new Refused(`${file}, line ${line}, has ${what}. The file is cut short or of another kind.`);
      }
      row = cells;
      call(cell, line);
    };
    if (delimiter === "," || delimiter === ";") eachQuoted({ file, delimiter, body, firstLine }, take);
    else eachPlain({ delimiter, body, firstLine }, take);
  };
}

type Take = (cells: readonly string[], line: number) => void;

/** Lines without quotes, one at a time: a list is ten megabytes, and all of its rows at once were a hundred. */
function eachPlain(
  { delimiter, body, firstLine }: Omit<Body, "file" | "columns" | "line"> & { firstLine: number },
  take: Take,
): void {
  for (let start = 0, line = firstLine; start < body.length; line += 1) {
    const newline = body.indexOf("\n", start);
    const end = newline < 0 ? body.length : newline;
    const text = body.slice(start, body[end - 1] === "\r" ? end - 1 : end);
    if (text.trim() !== "") take(text.split(delimiter), line);
    start = end + 1;
  }
}

function eachQuoted(
  { file, delimiter, body, firstLine }: Omit<Body, "columns" | "line"> & { firstLine: number },
  take: Take,
): void {
  try {
    parse(body, {
      delimiter,
      relax_column_count: true,
      skip_empty_lines: true,
      onRecord: (record: string[], { lines }: { lines: number }) => {
        take(record, firstLine + lines - 1);
        return null;
      },
    });
  } catch (error) {
    if (error instanceof Refused) throw error;
    throw new Refused(`${file} cannot be read as a table: ${error instanceof Error ? error.message : "no reason"}`);
  }
}
