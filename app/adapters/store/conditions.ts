import type { ListOptions } from "../../ports.ts";
import { toColumn } from "./row.ts";
import { isNullable, type TableSpec } from "./table-spec.ts";

/** From the port's conditions to Prisma's, which follow SQL: there, null is neither equal nor unequal to anything. */

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
    const listed = { [field]: { in: values.filter((one) => one !== null).map(column) } };
    return values.includes(null) ? { OR: [listed, { [field]: null }] } : listed;
  }
  if (operator === "not") {
    const unequal = { [field]: { not: column(value) } };
    return value !== null && isNullable(spec.fields[field]!) ? { OR: [unequal, { [field]: null }] } : unequal;
  }
  return { [field]: { [operator]: column(value) } };
}

/** Null comes before every value. Equal ones follow the primary key, so that pages neither repeat nor skip. */
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
