import { describe, expect, it } from "vitest";

import { chanceFrom } from "../../bench/addresses/chance.ts";
import { score } from "../../bench/addresses/score.ts";
import { goalsOf } from "../../bench/addresses/report.ts";
import { tableAsRows, tableAsTyped } from "../../bench/addresses/rows.ts";
import { drawStyle } from "../../bench/addresses/styles.ts";
import { typeRow } from "../../bench/addresses/typist.ts";

/** The goals of `npm run bench -- addresses`, kept by every run of the tests. */
describe("how well addresses are read", () => {
  it("meets its goals on the table as typed", () => {
    expect(
      goalsOf(
        "table",
        tableAsTyped().map((typed) => score(typed, null)),
      ).filter(({ met }) => !met),
    ).toEqual([]);
  });

  it.each([11, 12, 13])("meets its goals on the table typed anew in the styles of seed %i", (seed) => {
    const chance = chanceFrom(seed);
    const scored = tableAsRows().map((row) => score(typeRow(row, drawStyle(chance)), null));
    expect(goalsOf("table", scored).filter(({ met }) => !met)).toEqual([]);
  });

  it("draws the same styles from the same seed, and others from another", () => {
    const drawn = (seed: number) => {
      const chance = chanceFrom(seed);
      return Array.from({ length: 20 }, () => drawStyle(chance));
    };
    expect(drawn(5)).toEqual(drawn(5));
    expect(drawn(5)).not.toEqual(drawn(6));
  });
});
