import { SQL_TYPES } from "../insert.ts";
import { toRow } from "../row.ts";
import { baseKind, type TableSpec } from "../table-spec.ts";
import type { Keyring } from "../encryption.ts";
import { NAMED_BY, type Fields, type HeldName, type HeldRows } from "./held-rows.ts";

/** One statement a table for all rows that a group reads, inserts or changes: their values go as arrays, a column each. */

export interface Statement {
  text: string;
  values: unknown[][];
}

/** The named rows that are there. */
export function readStatement(name: HeldName, { spec, named }: HeldRows): Statement {
  const fields = NAMED_BY[name];
  const keys = [...named.values()];
  const columns = Object.keys(spec.fields).map((field) => `t.${column(spec, field)} AS "${field}"`);
  return {
    text: `SELECT ${columns.join(", ")} FROM ${table(spec)} t JOIN ${arrays(spec, fields)} USING (${list(spec, fields)})`,
    values: fields.map((_field, at) => keys.map((key) => key[at])),
  };
}

/** What the group's works made of the rows: at most one insert and one update. */
export function writeStatements({ spec, loaded, rows }: HeldRows, keyring: Keyring): (Statement & { rows: number })[] {
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
    const text = `INSERT INTO ${table(spec)} (${list(spec, all)}) SELECT ${list(spec, all)} FROM ${arrays(spec, all)}`;
    statements.push({ text, values: all.map((field) => made.map((row) => row[field])), rows: made.length });
  }
  if (changed.length > 0) {
    const primary = spec.keys[0]!;
    const sent = [...primary, ...fields];
    const sets = [...fields].map((field) => `${column(spec, field)} = "row".${column(spec, field)}`);
    const same = primary.map((field) => `t.${column(spec, field)} = "row".${column(spec, field)}`);
    const text = `UPDATE ${table(spec)} t SET ${sets.join(", ")} FROM ${arrays(spec, sent)} WHERE ${same.join(" AND ")}`;
    statements.push({ text, values: sent.map((field) => changed.map((row) => row[field])), rows: changed.length });
  }
  return statements;
}

function arrays(spec: TableSpec, fields: readonly string[]): string {
  const values = fields.map((field, at) => `$${at + 1}::${SQL_TYPES[baseKind(spec.fields[field]!)]}[]`);
  return `unnest(${values.join(", ")}) AS "row"(${list(spec, fields)})`;
}

function list(spec: TableSpec, fields: readonly string[]): string {
  return fields.map((field) => column(spec, field)).join(", ");
}

function column(spec: TableSpec, field: string): string {
  return `"${spec.columns?.[field] ?? field}"`;
}

function table(spec: TableSpec): string {
  return `"${spec.table ?? spec.model}"`;
}
