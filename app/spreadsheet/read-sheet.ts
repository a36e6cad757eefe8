import { tidy } from "../domain/address/fold.ts";
import { encodingOf, hasOlderLetters, isWorkbook } from "../domain/sheet/encoding.ts";
import type { Encoding } from "../domain/sheet/encoding.ts";
import type { Clock } from "../ports.ts";
import { MOST_LINES, MOST_ROWS } from "../views/import.ts";
import type { FileFault } from "../views/import.ts";
import { csvRecords, firstRecord, unreadableRow } from "./csv.ts";

/** A row's cells by the places of the headings that were asked for. */
export interface SheetRow {
  /** As a spreadsheet counts: the headings are row 1. */
  number: number;
  cells: string[];
  /** It has more cells than there are headings, and they are not empty. */
  hasMore: boolean;
}

export interface ReadSheet {
  encoding: Encoding;
  rows: SheetRow[];
}

/** How many of the headings of a line are known. */
type Known = (headings: readonly string[]) => number;

const SEPARATORS = [",", ";", "\t"] as const;
/** How many bytes are read in one go; others have their turn in between. */
const AT_A_TIME = 32 * 1024;
/** Where the headings end at the latest, in bytes. */
const HEADINGS_WITHIN = 64 * 1024;
/** Excel writes and reads a first line that says which separator follows. */
const SEPARATOR_LINE = /^sep=(.)\r?\n/i;

export interface SheetInput {
  bytes: Uint8Array;
  known: Known;
  /** The places of the cells to be kept, or why the file is refused. */
  choose: (headings: readonly string[]) => readonly number[] | FileFault;
  /** How many lines are looked at, with those that have no value. */
  mostLines?: number;
}

/**
 * Reads a CSV file, some of it at a time, in time and memory that grow with its length: whichever separator a spreadsheet of which language
 * wrote, in whichever letters. Rows of empty cells are passed over.
 */
export async function readSheet(
  clock: Pick<Clock, "turn">,
  { bytes, known, choose, mostLines = MOST_LINES }: SheetInput,
): Promise<ReadSheet | FileFault> {
  if (isWorkbook(bytes)) return { code: "workbook" };
  const encoding = encodingOf(bytes);
  if (encoding === null) return { code: "not_text" };
  const head = new TextDecoder(encoding).decode(bytes.subarray(0, HEADINGS_WITHIN));
  if (head.trim() === "") return { code: "empty" };
  const told = SEPARATOR_LINE.exec(head);
  const separator = told?.[1] ?? separatorOf(told ? head.slice(told[0].length) : head, known);
  return readRows(clock, { bytes, encoding, separator, choose, mostLines, hidden: told ? 1 : 0 });
}

/** The separator by which the first line has the most known headings; where none has any, the one that is there most often. */
function separatorOf(head: string, known: Known): string {
  const tried = SEPARATORS.map((separator) => {
    const headings = firstRecord(head, separator);
    return { separator, known: known(headings), cells: headings.length };
  });
  return tried.toSorted((a, b) => b.known - a.known || b.cells - a.cells)[0]!.separator;
}

interface RowsInput extends Pick<SheetInput, "bytes" | "choose"> {
  encoding: Encoding;
  separator: string;
  mostLines: number;
  /** Lines before the headings, which a spreadsheet does not show. */
  hidden: number;
}

class OlderLetters extends Error {}

async function readRows(
  clock: Pick<Clock, "turn">,
  { bytes, encoding, separator, choose, mostLines, hidden }: RowsInput,
): Promise<ReadSheet | FileFault> {
  const rows: SheetRow[] = [];
  let places: readonly number[] | null = null;
  let width = 0;
  let number = -hidden;
  try {
    for await (const cells of csvRecords(textOf(clock, bytes, encoding), separator)) {
      number += 1;
      if (number <= 0) continue;
      if (number > mostLines) return { code: "too_many_lines" };
      if (places === null) {
        const chosen = choose(cells.map(tidy));
        if ("code" in chosen) return chosen;
        places = chosen;
        width = cells.length;
        continue;
      }
      if (cells.every((cell) => cell.trim() === "")) continue;
      if (rows.length === MOST_ROWS) return { code: "too_many_rows" };
      const hasMore = cells.slice(width).some((cell) => cell.trim() !== "");
      rows.push({ number, cells: places.map((place) => cells[place] ?? ""), hasMore });
    }
  } catch (error) {
    if (error instanceof OlderLetters) return { code: "older_letters" };
    const fault = unreadableRow(error, hidden);
    if (fault === null) throw error;
    return fault;
  }
  return rows.length === 0 ? { code: "no_rows" } : { encoding, rows };
}

/** Throws `OlderLetters`. */
async function* textOf(clock: Pick<Clock, "turn">, bytes: Uint8Array, encoding: Encoding): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding);
  /** The end of the part before, for a word may begin in one part and end in the next. */
  let end = "";
  for (let at = 0, taken = 0; at < bytes.length; at += AT_A_TIME, taken += 1) {
    if (taken > 0) await clock.turn(taken - 1);
    const text = decoder.decode(bytes.subarray(at, at + AT_A_TIME), { stream: at + AT_A_TIME < bytes.length });
    if (encoding === "windows-1252" && hasOlderLetters(end + text)) throw new OlderLetters();
    end = text.slice(-2);
    // A stream would take an empty text for the end of the file.
    if (text !== "") yield text;
  }
}
