import { SQL_TYPES } from "../insert.ts";
import { baseKind, columnOf, type TableSpec } from "../table-spec.ts";

/** Rows that a statement is handed as a table named "row", whatever their number: one text of JSON, a list of values for each row. */

/** How a database reads them: what stands behind FROM, with the fields' columns. */
export type RowsAsTable = (spec: TableSpec, fields: readonly string[]) => string;

export const ON_POSTGRES: RowsAsTable = (spec, fields) => {
  const values = fields.map(
    (field, at) => `("list"->>${at})::${SQL_TYPES[baseKind(spec.fields[field]!)]} AS ${columnOf(spec, field)}`,
  );
  return `(SELECT ${values.join(", ")} FROM json_array_elements($1::json) AS "list") AS "row"`;
};

export const ON_SQLITE: RowsAsTable = (spec, fields) => {
  const values = fields.map((field, at) => `json_extract("value", '$[${at}]') AS ${columnOf(spec, field)}`);
  return `(SELECT ${values.join(", ")} FROM json_each(?)) AS "row"`;
};

/** @param rows the fields' values of each, in the fields' order. */
export function textOfRows(rows: readonly (readonly unknown[])[]): string {
  return JSON.stringify(rows, (_key, value: unknown) => plain(value));
}

/** JSON has no such numbers, and the databases read half a character in it otherwise than in a text of its own. */
function plain(value: unknown): unknown {
  if (typeof value === "bigint") return Number(value);
  return typeof value === "string" ? value.toWellFormed() : value;
}
