import type { Keyring } from "../encryption.ts";
import { toRow } from "../row.ts";
import { columnOf, tableOf, type TableSpec } from "../table-spec.ts";
import { NAMED_BY, type Fields, type HeldName, type HeldRows } from "./held-rows.ts";
import { textOfRows, type RowsAsTable } from "./rows-as-table.ts";

/** One statement a table for all rows that a group reads, inserts or changes. */

export interface Statement {
  text: string;
  values: unknown[];
}

/** The named rows that are there. */
export function readStatement(name: HeldName, { spec, named }: HeldRows, as: RowsAsTable): Statement {
  const fields = NAMED_BY[name];
  const columns = Object.keys(spec.fields).map((field) => `t.${columnOf(spec, field)} AS "${field}"`);
  return {
    text: `SELECT ${columns.join(", ")} FROM ${tableOf(spec)} t JOIN ${as(spec, fields)} USING (${list(spec, fields)})`,
    values: [textOfRows([...named.values()])],
  };
}

/** What the group's works made of the rows: at most one insert and one update. */
export function writeStatements(
  { spec, loaded, rows }: HeldRows,
  { keyring, as }: { keyring: Keyring; as: RowsAsTable },
): (Statement & { rows: number })[] {
  const codec = { spec, keyring };
  const made: Fields[] = [];
  const changed: Fields[] = [];
  const fields = new Set<string>();
  for (const [key, record] of rows) {
    const before = loaded.get(key);
    if (before === record) continue;
    const row = toRow(codec, record, record);
    if (!before) {
      made.push(row);
      continue;
    }
    const was = toRow(codec, before, before);
    const differ = Object.keys(spec.fields).filter((field) => row[field] !== was[field]);
    if (differ.length > 0) changed.push(row);
    for (const field of differ) fields.add(field);
  }
  const statements: (Statement & { rows: number })[] = [];
  if (made.length > 0) {
    const all = Object.keys(spec.fields);
    const text = `INSERT INTO ${tableOf(spec)} (${list(spec, all)}) SELECT ${list(spec, all)} FROM ${as(spec, all)}`;
    statements.push({ text, values: [textOfRows(valuesOf(made, all))], rows: made.length });
  }
  if (changed.length > 0) {
    const primary = spec.keys[0]!;
    const sent = [...primary, ...fields];
    const sets = [...fields].map((field) => `${columnOf(spec, field)} = "row".${columnOf(spec, field)}`);
    const same = primary.map((field) => `t.${columnOf(spec, field)} = "row".${columnOf(spec, field)}`);
    const text = `UPDATE ${tableOf(spec)} AS t SET ${sets.join(", ")} FROM ${as(spec, sent)} WHERE ${same.join(" AND ")}`;
    statements.push({ text, values: [textOfRows(valuesOf(changed, sent))], rows: changed.length });
  }
  return statements;
}

function valuesOf(rows: readonly Fields[], fields: readonly string[]): unknown[][] {
  return rows.map((row) => fields.map((field) => row[field]));
}

function list(spec: TableSpec, fields: readonly string[]): string {
  return fields.map((field) => columnOf(spec, field)).join(", ");
}
