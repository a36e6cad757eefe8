/** The port's conditions and order, on rows in memory. */

type Fields = Record<string, unknown>;

export function meetsAll(row: Fields, conditions: readonly [field: string, condition: unknown][]): boolean {
  for (const [field, condition] of conditions) if (!matches(row[field], condition)) return false;
  return true;
}

function matches(value: unknown, condition: unknown): boolean {
  if (condition === null || typeof condition !== "object") return value === condition;
  for (const operator in condition) if (!holds(value, operator, (condition as Fields)[operator])) return false;
  return true;
}

function holds(value: unknown, operator: string, wanted: unknown): boolean {
  if (operator === "in") return (wanted as unknown[]).includes(value);
  if (operator === "not") return value !== wanted;
  if (value === null) return false;
  const difference = compare(value, wanted);
  if (operator === "lt") return difference < 0;
  if (operator === "lte") return difference <= 0;
  return operator === "gt" ? difference > 0 : difference >= 0;
}

/** Null first, then by value; strings by code unit, as SQLite compares them. */
export function compare(a: unknown, b: unknown): number {
  if (a === b) return 0;
  if (a === null) return -1;
  if (b === null) return 1;
  return (a as string | number) < (b as string | number) ? -1 : 1;
}
