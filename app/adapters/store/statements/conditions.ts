import { chunksOf } from "../../../domain/chunks.ts";

type Fields = Record<string, unknown>;

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
