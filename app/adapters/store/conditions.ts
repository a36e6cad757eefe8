import { chunksOf } from "../../domain/chunks.ts";
import type { ListOptions } from "../../ports.ts";
import { toColumn } from "./row.ts";
import { baseKind, isNullable, type TableSpec } from "./table-spec.ts";

/** Translates the port's conditions to Prisma's. Prisma's follow SQL, where null is neither equal nor unequal to anything. */

type Fields = Record<string, unknown>;

export function toPrismaWhere(spec: TableSpec, where: Fields): { AND: Fields[] } {
  return { AND: Object.entries(where).map(([field, condition]) => toPrismaCondition(spec, field, condition)) };
}

function toPrismaCondition(spec: TableSpec, field: string, condition: unknown): Fields {
  const column = (value: unknown) => toColumn(spec, field, value);
  if (condition === null || typeof condition !== "object") return { [field]: column(condition) };
  const [operator, value] = Object.entries(condition)[0]!;
  if (operator === "in") {
    const values = value as unknown[];
    const others = values.filter((one) => one !== null).map(column);
    const listed = isBoolean(spec, field) ? oneOfBooleans(field, others) : { [field]: { in: others } };
    return values.includes(null) ? { OR: [listed, { [field]: null }] } : listed;
  }
  if (operator === "not") {
    const unequal = { [field]: { not: column(value) } };
    return value !== null && isNullable(spec.fields[field]!) ? { OR: [unequal, { [field]: null }] } : unequal;
  }
  return { [field]: Object.fromEntries(Object.entries(condition).map(([name, limit]) => [name, column(limit)])) };
}

function isBoolean(spec: TableSpec, field: string): boolean {
  return baseKind(spec.fields[field]!) === "boolean";
}

/** Prisma takes no list of booleans, and an empty OR matches every row. */
function oneOfBooleans(field: string, values: unknown[]): Fields {
  const [first, ...others] = [...new Set(values)].map((value) => ({ [field]: value }));
  if (!first) return { AND: [{ [field]: true }, { [field]: false }] };
  return { OR: [first, ...others] };
}

/** Null comes before every value. Equal values are ordered by the primary key, so that pages neither repeat nor skip rows. */
export function toPrismaOrder(spec: TableSpec, options: ListOptions<Fields>): Fields[] {
  const asked = Object.entries(options.orderBy ?? {}).filter(([, direction]) => direction !== undefined);
  if (asked.length === 0 && options.limit === undefined && options.offset === undefined) return [];
  const ties = spec.keys[0]!.filter((field) => !asked.some(([name]) => name === field));
  return [
    ...asked.map(([field, sort]) => ({
      [field]: isNullable(spec.fields[field]!) ? { sort, nulls: sort === "asc" ? "first" : "last" } : sort,
    })),
    ...ties.map((field) => ({ [field]: "asc" })),
  ];
}

/**
 * The same condition in parts that name at most `most` values of the longest list, each row in one part: a statement that names
 * thousands takes long to prepare, and a list would name them again for each of its slices.
 */
export function inParts(where: Fields, most: number): Fields[] {
  const lists = Object.entries(where).map(([field, condition]) => ({ field, values: valuesOf(condition) }));
  const longest = lists.reduce((a, b) => (b.values.length > a.values.length ? b : a), { field: "", values: [] });
  if (longest.values.length <= most) return [where];
  const values = [...new Set(longest.values)].sort();
  return chunksOf(values, most).map((part) => ({ ...where, [longest.field]: { in: part } }));
}

function valuesOf(condition: unknown): readonly unknown[] {
  return typeof condition === "object" && condition !== null && "in" in condition ? (condition.in as unknown[]) : [];
}
