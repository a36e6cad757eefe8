import { Prisma } from "@prisma/client";
import { baseKind, columnOf, tableOf, type TableSpec } from "./table-spec.ts";

export const SQL_TYPES = {
  text: "TEXT",
  json: "TEXT",
  secret: "TEXT",
  int: "INTEGER",
  time: "BIGINT",
  boolean: "BOOLEAN",
};

/**
 * One statement that inserts rows of one shop, each of which does nothing when a unique key is taken or the parent shop is gone. It raises no error, because on
 * some databases an error ends the transaction around it. The casts tell such databases the types of parameters. Where another process may
 * erase the shop at the same time, `parentLock` makes the statement wait for that erase, and then do nothing.
 */
export function insertStatement(
  { spec, parentLock }: { spec: TableSpec; parentLock: string },
  rows: readonly Record<string, unknown>[],
): Prisma.Sql {
  const fields = Object.keys(spec.fields);
  const columns = fields.map((field) => columnOf(spec, field)).join(", ");
  const values = rows.map((row) => {
    const cells = fields.map((field) => {
      const type = SQL_TYPES[baseKind(spec.fields[field]!)];
      return Prisma.sql`CAST(${row[field] as Prisma.Sql} AS ${Prisma.raw(type)})`;
    });
    return Prisma.sql`SELECT ${Prisma.join(cells)}`;
  });
  const parent =
    spec.model === "Shop"
      ? Prisma.sql`1 = 1`
      : Prisma.sql`EXISTS (SELECT 1 FROM "Shop" WHERE "shop" = ${rows[0]!.shop} ${Prisma.raw(parentLock)})`;
  return Prisma.sql`INSERT INTO ${Prisma.raw(`${tableOf(spec)} (${columns})`)} SELECT * FROM (${Prisma.join(values, " UNION ALL ")}) AS "row" WHERE ${parent} ON CONFLICT DO NOTHING`;
}
