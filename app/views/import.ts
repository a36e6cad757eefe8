import type { AddressField, ProblemCode } from "../domain/address/address.ts";
import type { FormField } from "../domain/address/form-fields.ts";
import type { Encoding } from "../domain/sheet/encoding.ts";
import type { Spoilt } from "../domain/sheet/cells.ts";

/** What a file of origins would change, before anything is written. */

/** The columns that are read. All others of ours tell how things are, and are not looked at. */
export type ImportColumn = "location_id" | "location_name" | "shopify_address" | AddressField;

/** How many rows a file may have, without its headings. */
export const MOST_ROWS = 10_000;
/** How many lines are looked at, with those that have no value. */
export const MOST_LINES = 100_000;
/** How large a file may be, in bytes. */
export const LARGEST_FILE = 24 * 1024 * 1024;

/** Why a file is not read at all. Rows are counted as a spreadsheet counts them, the headings first. */
export type FileFault =
  | { code: "empty" | "too_large" | "workbook" | "not_text" | "no_rows" | "no_headings" | "no_key" | "no_details" }
  | { code: "too_many_rows" | "too_many_lines" }
  /** The letters are those of MS-DOS or of the old Macintosh. */
  | { code: "older_letters" }
  /** The browser could not read it. */
  | { code: "unread" }
  | { code: "quote_open" | "quote_within" | "row_too_long"; row: number }
  | { code: "doubled_heading"; headings: string[] };

/** Why one row is refused. */
export type RowFault =
  | { code: "no_key" | "unknown_id" | "unknown_name" | "ambiguous_name" | "deleted" | "more_cells" }
  /** The same location stands in these rows, too. */
  | { code: "doubled"; rows: number[] }
  /** Only Shopify's page of the location changes it. */
  | { code: "shopifys"; column: ImportColumn; said: string; now: string }
  | { code: "spoilt"; column: ImportColumn; said: string; by: Spoilt }
  | { code: "lost_zeros"; column: ImportColumn; said: string; now: string }
  | { code: "unstorable"; column: ImportColumn }
  | { code: "problem"; column: AddressField; problem: ProblemCode; said: string | null };

export interface RefusedRow {
  row: number;
  /** What the row says of which location it is. */
  name: string;
  faults: RowFault[];
}

export interface ImportChange {
  field: FormField;
  from: string | null;
  to: string;
  /** The value was a guess of the app's, and is confirmed by the file. */
  isGuess?: true;
}

export interface ChangedRow {
  row: number;
  locationId: string;
  legacyId: string;
  name: string;
  /** Which state of the origin the row was compared with. */
  basis: string;
  /** It waits for its owner's word, and the import is that. */
  isNew: boolean;
  changes: ImportChange[];
}

export interface ImportPreview {
  kind: "read";
  rows: number;
  unchanged: number;
  changed: ChangedRow[];
  refused: RefusedRow[];
  /** Cells of Shopify's own columns that a spreadsheet spoilt. They change nothing. */
  harmless: { column: ImportColumn; count: number; row: number; said: string }[];
  encoding: Encoding;
  /** The first of the headings that no column has. */
  unknown: string[];
  unknownCount: number;
  /** Columns of details that the file lacks: they stay as they are. */
  missing: FormField[];
  /** Says what the owner is shown: a confirmation names it, and holds for nothing else. */
  shown: string;
}

export type ImportRead = ImportPreview | { kind: "unreadable"; fault: FileFault };

export type ImportAnswer =
  | { kind: "preview"; read: ImportRead }
  /** Something differs from what was shown: nothing is written, and this is what the file would change now. */
  | { kind: "differs"; read: ImportRead }
  | { kind: "started"; count: number }
  | { kind: "busy" };
