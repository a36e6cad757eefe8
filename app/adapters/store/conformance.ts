import { AppError } from "../../domain/errors.ts";
import { isSecret } from "../../domain/secret.ts";
import { baseKind, isNullable, type FieldKind, type TableSpec } from "./table-spec.ts";

/**
 * What every store refuses, whichever database it uses: a condition or a record that would mean something else than it appears to. These
 * are defects of the caller, so they throw an `AppError` of kind `internal`.
 */

type Fields = Record<string, unknown>;

const OPERATORS = new Set(["in", "not", "lt", "lte", "gt", "gte"]);

export function misuse(spec: TableSpec, what: string): AppError {
  return new AppError({ kind: "internal", message: `store: ${spec.model}: ${what}` });
}

/**
 * Refuses a condition that is undefined, which would match everything, and one on an object or a secret, which can only be compared with
 * null.
 */
export function checkWhere(spec: TableSpec, where: Fields): void {
  for (const field of Object.keys(where)) {
    const kind = kindOf(spec, field);
    const condition = where[field];
    if (condition === undefined) throw misuse(spec, `the condition on ${field} is undefined`);
    if (condition === null || typeof condition !== "object") {
      if (condition !== null) checkSearchable(spec, field, kind);
      continue;
    }
    const operators = Object.keys(condition);
    const isRange = operators.length === 2 && "gte" in condition && "lt" in condition;
    if (!isRange && (operators.length !== 1 || !OPERATORS.has(operators[0]!))) {
      throw misuse(spec, `the condition on ${field} is none of: a value, ${[...OPERATORS].join(", ")}, gte with lt`);
    }
    for (const operator of operators)
      checkOperator(spec, { field, kind, operator, value: (condition as Fields)[operator] });
  }
}

function checkOperator(
  spec: TableSpec,
  { field, kind, operator, value }: { field: string; kind: FieldKind; operator: string; value: unknown },
): void {
  if (value === undefined) throw misuse(spec, `the condition on ${field} is undefined`);
  if (!(operator === "not" && value === null)) checkSearchable(spec, field, kind);
  const compares = operator !== "not" && operator !== "in";
  if (compares && (value === null || kind.startsWith("boolean")))
    throw misuse(spec, `${field} is not compared by order`);
}

/** Refuses a record that lacks a field, or holds one of the wrong kind. */
export function checkRecord(spec: TableSpec, record: Fields): void {
  for (const field of Object.keys(spec.fields)) checkValue(spec, field, record[field]);
  for (const field of Object.keys(record)) kindOf(spec, field);
}

/**
 * Refuses a patch that would move a record to another key or shop than `where` names. A patch may leave out fields; undefined counts as
 * left out.
 */
export function checkPatch(spec: TableSpec, { where, patch }: { where: Fields; patch: Fields }): void {
  for (const field of Object.keys(patch)) {
    if (patch[field] === undefined || patch[field] === where[field]) continue;
    if (field === "shop" || spec.keys[0]!.includes(field)) throw misuse(spec, `${field} cannot be changed`);
    checkValue(spec, field, patch[field]);
  }
}

function checkValue(spec: TableSpec, field: string, value: unknown): void {
  const kind = kindOf(spec, field);
  if (value === null) {
    if (!isNullable(kind)) throw misuse(spec, `${field} cannot be null`);
  } else if (!isOfKind(kind, value)) {
    throw misuse(spec, `${field} is not ${kind}`);
  }
}

function isOfKind(kind: FieldKind, value: unknown): boolean {
  switch (baseKind(kind)) {
    case "text":
      return typeof value === "string";
    case "boolean":
      return typeof value === "boolean";
    case "int":
    case "time":
      return Number.isSafeInteger(value);
    case "json":
      return typeof value === "object";
    case "secret":
      return isSecret(value);
  }
}

function checkSearchable(spec: TableSpec, field: string, kind: FieldKind): void {
  if (kind.startsWith("json") || kind.startsWith("secret")) throw misuse(spec, `${field} can be written, not searched`);
}

function kindOf(spec: TableSpec, field: string): FieldKind {
  const kind = spec.fields[field];
  if (!kind) throw misuse(spec, `there is no field ${field}`);
  return kind;
}
