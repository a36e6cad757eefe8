import { describe, expect, test } from "vitest";
import { inParts } from "../../../app/adapters/store/conditions.ts";

describe("a condition that names many values", () => {
  const ids = Array.from({ length: 1_000 }, (_one, index) => `id-${index}`);

  test("is asked in parts, which name each value once", () => {
    const parts = inParts({ shop: "one", id: { in: [...ids, null, ...ids] } }, 250);
    const named = parts.map(({ id }) => (id as { in: unknown[] }).in);
    expect(named.every((values) => values.length <= 250)).toBe(true);
    expect(named.flat()).toHaveLength(1_001);
    expect(new Set(named.flat())).toEqual(new Set([...ids, null]));
    expect(parts.every(({ shop }) => shop === "one")).toBe(true);
  });

  test.each([
    [{ id: { in: ids.slice(0, 250) } }],
    [{ id: { in: [] } }],
    [{ id: { not: null }, atMs: { gt: 5 } }],
    [{ id: null, shop: "one" }],
    [{}],
  ])("is asked whole where it names few: %o", (where) => {
    expect(inParts(where, 250)).toEqual([where]);
  });
});
