import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { OPERATIONS } from "../../../app/adapters/shipping/retry.ts";

/** The clauses of the interface document that state something, as it numbers them; 7.4, 7.5 and 8.x count its tables' rows. */
const CLAUSES = [
  ...["1.1", "1.2", "1.3"],
  ...["2.1", "2.2", "2.3", "2.4", "2.5", "2.6"],
  ...["4", ...Object.keys(OPERATIONS).map((_, index) => `4.${index + 1}`)],
  ...["5.1", "5.2", "5.3", "5.4", "5.5", "5.6", "5.7"],
  ...["7.1", "7.2", "7.3", "7.4", "7.5"],
  ...["8.1", "8.2", "8.3", "8.4"],
  ...["9.1", "9.2"],
];

const folder = import.meta.dirname;
const rows = readFileSync(join(folder, "README.md"), "utf8")
  .split("\n")
  .filter((line) => /^\| \d/.test(line))
  .map((line) => line.split("|").map((cell) => cell.trim()))
  .map(([, clause, , file, title]) => ({ clause: clause!, file: file!, title: title! }));

test("every clause has its test", () => {
  expect([...new Set(rows.map(({ clause }) => clause))]).toEqual(CLAUSES);
});

test.each(rows)("$clause is held by a test that exists: $title", ({ file, title }) => {
  const source = readFileSync(join(folder, file), "utf8");
  const titles = [
    ...source.matchAll(/\btest(?:\.concurrent)?(?:\.each\([\s\S]*?\))?\(\s*(?:"((?:[^"\\]|\\.)*)"|'([^']*)')/g),
  ];
  expect(titles.map((match) => match[1] ?? match[2])).toContain(title);
});
