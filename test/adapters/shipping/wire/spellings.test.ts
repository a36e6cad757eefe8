import { describe, expect, test } from "vitest";
import { createSpellings, idOf } from "../../../../app/adapters/shipping/wire/spellings.ts";

const SMALL = "0b9c7a1e-4f6d-4c1b-9e2a-abcdef012345";
const CAPITAL = SMALL.toUpperCase();

describe("the id by which the app knows a template", () => {
  test.each([
    ["a UUID", SMALL, SMALL],
    ["a UUID in capitals", CAPITAL, SMALL],
    ["a UUID in both", `${CAPITAL.slice(0, 20)}${SMALL.slice(20)}`, SMALL],
    ["another id", "Bodega-A", "Bodega-A"],
    ["a UUID without its hyphens", CAPITAL.replaceAll("-", ""), CAPITAL.replaceAll("-", "")],
    ["a UUID in braces", `{${CAPITAL}}`, `{${CAPITAL}}`],
  ])("is in small letters where it is %s", (_what, shown, id) => {
    expect(idOf(shown)).toBe(id);
  });
});

describe("what a request names", () => {
  test("is the id as the service showed it last, within the environment", () => {
    const spellings = createSpellings();
    expect(spellings.said("test", SMALL)).toBe(SMALL);
    expect(spellings.heard("test", CAPITAL)).toBe(SMALL);
    expect(spellings.said("test", SMALL)).toBe(CAPITAL);
    expect(spellings.said("production", SMALL)).toBe(SMALL);
    spellings.heard("test", SMALL);
    expect(spellings.said("test", SMALL)).toBe(SMALL);
  });

  test("is an id of another shape, as it is", () => {
    const spellings = createSpellings();
    spellings.heard("test", "bodega-a");
    expect(spellings.said("test", "Bodega-A")).toBe("Bodega-A");
  });
});
