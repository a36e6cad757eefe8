import type { ListOptions } from "../../../ports.ts";
import { toColumn } from "../row.ts";
import type { Row, Statement } from "./statement.ts";
import { baseKind, isNullable, type TableSpec } from "../table-spec.ts";

/**
 * The statements of a table, composed here for both databases: Prisma's own compiler takes longer for one than a database does for its
 * answer. A record's fields are columns' names in what is read.
 */

type Fields = Record<string, unknown>;

const SQL_TYPES = { text: "TEXT", json: "TEXT", secret: "TEXT", int: "INTEGER", time: "BIGINT", boolean: "BOOLEAN" };

/** Takes a value in, and gives the parameter that stands for it. */
type Put = (value: unknown) => string;

function composed(compose: (put: Put) => string): Statement {
  const values: unknown[] = [];
  const text = compose((value) => `$${values.push(value)}`);
  return { text, values };
}

export interface Selection {
  where: Fields;
  /** As `orderOf` makes it; any order without it. */
  order?: string;
  /** The row of the primary key's order after which it begins. */
  after?: Row | null;
  limit?: number | undefined;
  offset?: number | undefined;
  /** All where absent. */
  fields?: readonly string[];
}

export function selectStatement(spec: TableSpec, selection: Selection): Statement {
  const { where, order, after, limit, offset, fields = Object.keys(spec.fields) } = selection;
  return composed((put) => {
    const asked = conditionsOf(spec, where, put);
    if (after) asked.push(behind(spec, after, put));
    return [
      `SELECT ${fields.map((field) => `${columnOf(spec, field)} AS "${field}"`).join(", ")} FROM ${tableOf(spec)}`,
      matching(asked),
      order ? ` ORDER BY ${order}` : "",
      // SQLite knows no offset without a limit.
      limit !== undefined || offset !== undefined ? ` LIMIT ${put(limit ?? Number.MAX_SAFE_INTEGER)}` : "",
      offset !== undefined ? ` OFFSET ${put(offset)}` : "",
    ].join("");
  });
}

/** Its row has a `count`. */
export function countStatement(spec: TableSpec, where: Fields): Statement {
  return composed(
    (put) => `SELECT count(*) AS "count" FROM ${tableOf(spec)}${matching(conditionsOf(spec, where, put))}`,
  );
}

/** `row` holds columns, as `toRow` makes them. */
export function updateStatement(spec: TableSpec, { where, row }: { where: Fields; row: Row }): Statement {
  return composed((put) => {
    const changes = Object.entries(row).map(([field, value]) => `${columnOf(spec, field)} = ${put(value)}`);
    return `UPDATE ${tableOf(spec)} SET ${changes.join(", ")}${matching(conditionsOf(spec, where, put))}`;
  });
}

export function deleteStatement(spec: TableSpec, where: Fields): Statement {
  return composed((put) => `DELETE FROM ${tableOf(spec)}${matching(conditionsOf(spec, where, put))}`);
}

/**
 * One statement that inserts rows of one shop, each of which does nothing when a unique key is taken or the parent shop is gone. It raises no error, because on
 * some databases an error ends the transaction around it. The casts tell such databases the types of parameters. Where another process may
 * erase the shop at the same time, `parentLock` makes the statement wait for that erase, and then do nothing.
 */
export function insertStatement(
  { spec, parentLock }: { spec: TableSpec; parentLock: string },
  rows: readonly Row[],
): Statement {
  const fields = Object.keys(spec.fields);
  return composed((put) => {
    const cell = (row: Row, field: string) => `CAST(${put(row[field])} AS ${SQL_TYPES[baseKind(spec.fields[field]!)]})`;
    const values = rows.map((row) => `SELECT ${fields.map((field) => cell(row, field)).join(", ")}`);
    const parent =
      spec.model === "Shop"
        ? "1 = 1"
        : `EXISTS (SELECT 1 FROM "Shop" WHERE "shop" = ${put(rows[0]!.shop)} ${parentLock})`;
    const columns = fields.map((field) => columnOf(spec, field)).join(", ");
    return `INSERT INTO ${tableOf(spec)} (${columns}) SELECT * FROM (${values.join(" UNION ALL ")}) AS "row" WHERE ${parent} ON CONFLICT DO NOTHING`;
  });
}

/** Null comes before every value. Equal values are ordered by the primary key, so that pages neither repeat nor skip rows. */
export function orderOf(spec: TableSpec, options: ListOptions<Fields>): string {
  const asked = Object.entries(options.orderBy ?? {}).filter(([, direction]) => direction !== undefined);
  if (asked.length === 0 && options.limit === undefined && options.offset === undefined) return "";
  const ties = spec.keys[0]!.filter((field) => !asked.some(([name]) => name === field));
  return [
    ...asked.map(([field, direction]) => {
      const nulls = isNullable(spec.fields[field]!) ? (direction === "asc" ? " NULLS FIRST" : " NULLS LAST") : "";
      return `${columnOf(spec, field)} ${direction === "asc" ? "ASC" : "DESC"}${nulls}`;
    }),
    ...ties.map((field) => columnOf(spec, field)),
  ].join(", ");
}

/** The primary key's order. */
export function keyOrder(spec: TableSpec): string {
  return spec.keys[0]!.map((field) => columnOf(spec, field)).join(", ");
}

function tableOf(spec: TableSpec): string {
  return `"${spec.table ?? spec.model}"`;
}

function columnOf(spec: TableSpec, field: string): string {
  return `"${spec.columns?.[field] ?? field}"`;
}

function matching(conditions: readonly string[]): string {
  return conditions.length > 0 ? ` WHERE ${conditions.join(" AND ")}` : "";
}

/** The port's conditions. Null is neither equal nor unequal to anything in SQL, and another value than any in the port. */
function conditionsOf(spec: TableSpec, where: Fields, put: Put): string[] {
  return Object.entries(where).map(([field, condition]) => conditionOn(spec, { field, condition, put }));
}

const COMPARED = { lt: "<", lte: "<=", gt: ">", gte: ">=" } as const;

function conditionOn(spec: TableSpec, on: { field: string; condition: unknown; put: Put }): string {
  const { field, condition } = on;
  const column = columnOf(spec, field);
  const put = (value: unknown) => on.put(toColumn(spec, field, value));
  if (condition === null) return `${column} IS NULL`;
  if (typeof condition !== "object") return `${column} = ${put(condition)}`;
  const [operator, value] = Object.entries(condition)[0]!;
  if (operator === "in") {
    const values = value as unknown[];
    const others = values.filter((one) => one !== null).map(put);
    const listed = others.length > 0 ? `${column} IN (${others.join(", ")})` : "1 = 0";
    return values.includes(null) ? `(${listed} OR ${column} IS NULL)` : listed;
  }
  if (operator === "not") {
    if (value === null) return `${column} IS NOT NULL`;
    const unequal = `${column} <> ${put(value)}`;
    return isNullable(spec.fields[field]!) ? `(${unequal} OR ${column} IS NULL)` : unequal;
  }
  return Object.entries(condition)
    .map(([name, limit]) => `${column} ${COMPARED[name as keyof typeof COMPARED]} ${put(limit)}`)
    .join(" AND ");
}

/** Behind a row in the primary key's order. */
function behind(spec: TableSpec, last: Row, put: Put): string {
  const primary = spec.keys[0]!;
  return `(${keyOrder(spec)}) > (${primary.map((field) => put(last[field])).join(", ")})`;
}
