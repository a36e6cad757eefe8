import { expect, test } from "vitest";
import { isLeaving } from "../../app/components/shell/save-bar.tsx";

const place = (pathname: string, search = "") => ({ pathname, search });

test.for([
  ["another page", place("/app/settings"), place("/app"), true],
  ["another query of the page", place("/app/review"), place("/app/review", "?page=2"), true],
  ["the page without its query", place("/app/review", "?page=2"), place("/app/review"), true],
  ["a place within the page", place("/app/settings", "?a=1"), place("/app/settings", "?a=1"), false],
] as const)("leaving what is typed: %s", ([_title, from, to, expected]) => {
  expect(isLeaving(from, to)).toBe(expected);
});
