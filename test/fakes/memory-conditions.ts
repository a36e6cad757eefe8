/** The port's conditions and order, on rows in memory. */

type Fields = Record<string, unknown>;

/** One thing that is asked of a row's field. */
interface Test {
  field: string;
  operator: string;
  wanted: unknown;
}

const IS = "is";

/** What a condition asks, taken apart once for all rows. */
export function testsOf(where: Fields): Test[] {
  const tests: Test[] = [];
  for (const field of Object.keys(where)) {
    const condition = where[field];
    if (condition === null || typeof condition !== "object") tests.push({ field, operator: IS, wanted: condition });
    else
      for (const operator of Object.keys(condition))
        tests.push({ field, operator, wanted: (condition as Fields)[operator] });
  }
  return tests;
}

/** Plain loops, and nothing made: a story asks this millions of times. */
export function meetsAll(row: Fields, tests: readonly Test[]): boolean {
  for (let index = 0; index < tests.length; index += 1) {
    const { field, operator, wanted } = tests[index]!;
    if (operator === IS ? row[field] !== wanted : !holds(row[field], operator, wanted)) return false;
  }
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
