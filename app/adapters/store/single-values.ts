import { Prisma } from "@prisma/client";
import { SQL_TYPES } from "./insert.ts";
import { toColumn } from "./row.ts";
import { baseKind, columnOf, tableOf, type TableSpec } from "./table-spec.ts";

/**
 * The two statements of which the app makes most, where their condition names single values: one row found, and rows changed. Prisma compiles a
 * call of a model anew each time, which takes three times as long as the rest of it. Lists, and conditions on several values, stay on the models.
 */

type Fields = Record<string, unknown>;

const COMPARISONS: Readonly<Record<string, string>> = { lt: "<", lte: "<=", gt: ">", gte: ">=" };

/** One row's fields under their own names; null where the condition is not of single values. */
export function findStatement(spec: TableSpec, where: Fields): Prisma.Sql | null {
  const condition = conditionOf(spec, where);
  if (!condition) return null;
  const fields = Object.keys(spec.fields).map((field) => `${columnOf(spec, field)} AS "${field}"`);
  return Prisma.sql`SELECT ${Prisma.raw(fields.join(", "))} FROM ${Prisma.raw(tableOf(spec))} WHERE ${condition} LIMIT 1`;
}

/** @param row what `toRow` made of a patch that is not empty. Null where the condition is not of single values. */
export function updateStatement(spec: TableSpec, where: Fields, row: Fields): Prisma.Sql | null {
  const condition = conditionOf(spec, where);
  if (!condition) return null;
  const changes = Object.entries(row).map(
    ([field, value]) => Prisma.sql`${Prisma.raw(columnOf(spec, field))} = ${cast(spec, field, value)}`,
  );
  return Prisma.sql`UPDATE ${Prisma.raw(tableOf(spec))} SET ${Prisma.join(changes)} WHERE ${condition}`;
}

function conditionOf(spec: TableSpec, where: Fields): Prisma.Sql | null {
  const parts: Prisma.Sql[] = [];
  for (const [field, condition] of Object.entries(where)) {
    const name = Prisma.raw(columnOf(spec, field));
    const value = (of: unknown) => cast(spec, field, toColumn(spec, field, of));
    if (condition === null) {
      parts.push(Prisma.sql`${name} IS NULL`);
      continue;
    }
    if (typeof condition !== "object") {
      parts.push(Prisma.sql`${name} = ${value(condition)}`);
      continue;
    }
    for (const [operator, limit] of Object.entries(condition)) {
      const sign = COMPARISONS[operator];
      if (!sign) return null;
      parts.push(Prisma.sql`${name} ${Prisma.raw(sign)} ${value(limit)}`);
    }
  }
  return parts.length > 0 ? Prisma.join(parts, " AND ") : null;
}

/** PostgreSQL cannot tell the type of a value that is null. */
function cast(spec: TableSpec, field: string, value: unknown): Prisma.Sql {
  const type = Prisma.raw(SQL_TYPES[baseKind(spec.fields[field]!)]);
  return Prisma.sql`CAST(${value as Prisma.Sql} AS ${type})`;
}
