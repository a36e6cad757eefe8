import { describe, expect, test } from "vitest";
import { mayBeNameless, mayStillBe, withCandidates } from "../../app/book/same-rows.ts";
import type { RememberedRow } from "../../app/domain/records.ts";

const row = (sinceMs: number, candidates?: string[] | null, name: string | null = null): RememberedRow => ({
  ...{ id: null, name, what: "no_object", requestId: "r", sinceMs },
  ...(candidates === undefined ? {} : { candidates }),
});
const listing = (listed: string[], lacking: string[]) => ({
  ...{ listed: new Set(listed), lacking, untold: [], isNew: false, isCut: false },
});
const candidatesOf = (rows: RememberedRow[]) => rows.map(({ candidates }) => candidates);

describe("which templates a row without an id may be", () => {
  interface Case {
    rows: RememberedRow[];
    before?: RememberedRow[];
    lacks: string[];
    listed?: string[];
    over?: { isCut?: boolean; isNew?: boolean; untold?: string[] };
  }

  test.each<[string, Case, (string[] | null)[]]>([
    ["a new one: whatever the listing lacks", { rows: [row(9)], lacks: ["a", "b"] }, [["a", "b"]]],
    [
      "one of before: what is still lacking",
      { rows: [row(1)], before: [row(1, ["a", "b"])], lacks: ["b", "c"] },
      [["b"]],
    ],
    ["one that is listed again", { rows: [row(1)], before: [row(1, ["a"])], lacks: ["b"], listed: ["a"] }, [["b"]]],
    [
      "one beside a new one",
      { rows: [row(1), row(9)], before: [row(1, ["a"])], lacks: ["a", "b"] },
      [["a"], ["a", "b"]],
    ],
    ["one left of two", { rows: [row(2)], before: [row(1, ["a"]), row(2, ["b"])], lacks: ["a", "b"] }, [["a", "b"]]],
    ["of another name", { rows: [row(9, undefined, "n")], before: [row(1, ["a"])], lacks: ["b"] }, [["b"]]],
    ["that a release before remembered", { rows: [row(1)], before: [row(1)], lacks: ["b"] }, [["b"]]],
    ["where some are not remembered: any", { rows: [row(9)], lacks: ["a"], over: { isCut: true } }, [null]],
    [
      "where a template is listed that nobody knew",
      { rows: [row(1)], before: [row(1, [])], lacks: ["a"], over: { isNew: true } },
      [["a"]],
    ],
    [
      "beside one of which no listing told",
      { rows: [row(1)], before: [row(1, [])], lacks: ["a", "b"], over: { untold: ["b"] } },
      [["b"]],
    ],
    ["where too many are lacking: any", { rows: [row(9)], lacks: Array.from({ length: 101 }, String) }, [null]],
  ])("%s", (_what, { rows, before = [], lacks, listed = [], over = {} }, candidates) => {
    expect(candidatesOf(withCandidates(rows, before, { ...listing(listed, lacks), ...over }))).toEqual(candidates);
  });

  test("a row with an id is left as it is", () => {
    const known: RememberedRow = { id: "a", name: null, what: "no_object", requestId: "r", sinceMs: 1 };
    expect(withCandidates([known], [], listing(["a"], ["b"]))).toEqual([known]);
  });
});

test.each<[RememberedRow[], boolean]>([
  [[], false],
  [[row(1, ["a"])], true],
  [[row(1, ["b"])], false],
  [[row(1, null)], true],
  [[row(1)], true],
])("a template may be one of %j: %s", (unreadable, may) => {
  expect(mayBeNameless("a", unreadable)).toBe(may);
});

test.each<[string, RememberedRow[], string[], boolean]>([
  ["its only row is another's", [row(1, ["a", "b"])], ["b"], false],
  ["nobody is known to be there", [row(1, ["a", "b"])], [], true],
  ["another one has an older row of its own", [row(1, ["b"]), row(2, ["a", "b"])], ["b"], true],
  ["a row is not the one that it was", [row(1, ["b"])], [], true],
  ["no row can be any that is known", [row(1, [])], [], false],
  ["two others have both rows", [row(1, ["a", "b", "c"]), row(2, ["a", "b"])], ["c", "b"], false],
  ["one of three rows is left", [row(1, ["a", "b"]), row(2, ["b", "c"]), row(3, ["c"])], ["b", "c"], true],
  ["more are there than rows", [row(1, ["a"])], ["b", "c"], false],
  ["its row may be any", [row(1, null)], [], true],
])("a template may still be a row where %s", (_what, unreadable, there, may) => {
  expect(mayStillBe("a", { unreadable, there })).toBe(may);
});
