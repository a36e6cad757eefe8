import { SQL_TYPES } from "../insert.ts";
import { baseKind, type TableSpec } from "../table-spec.ts";

/** Rows that a statement is handed as a table named "row", whatever their number. */
export interface RowsAsTable {
  /** @param columns as they are on disk, for these fields. */
  from(spec: TableSpec, fields: readonly string[], columns: readonly string[]): string;
  /** @param rows the fields' values of each. */
  values(rows: readonly (readonly unknown[])[], fields: readonly string[]): unknown[];
}

/** PostgreSQL takes an array for each column. */
export const ARRAYS: RowsAsTable = {
  from: (spec, fields, columns) => {
    const arrays = fields.map((field, at) => `$${at + 1}::${SQL_TYPES[baseKind(spec.fields[field]!)]}[]`);
    return `unnest(${arrays.join(", ")}) AS "row"(${columns.join(", ")})`;
  },
  values: (rows, fields) => fields.map((_field, at) => rows.map((row) => row[at])),
};

/** SQLite takes one text of JSON, a list for each row. */
export const JSON_ROWS: RowsAsTable = {
  from: (_spec, _fields, columns) => {
    const values = columns.map((column, at) => `json_extract("value", '$[${at}]') AS ${column}`);
    return `(SELECT ${values.join(", ")} FROM json_each(?)) AS "row"`;
  },
  values: (rows) => [JSON.stringify(rows, (_key, value: unknown) => plain(value))],
};

/** JSON has no such numbers, and SQLite reads half a character in it otherwise than in a text of its own. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" ? value.toWellFormed() : value;
}
