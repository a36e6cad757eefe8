import fc from "fast-check";
import { expect, test } from "vitest";
import { parseJson } from "../../../../app/adapters/shipping/wire/json.ts";

const key = fc.stringMatching(/^[a-z]{0,20}$/);

test("a whole number keeps its digits wherever it stands and however long it is", () => {
  fc.assert(
    fc.property(
      key,
      fc.bigInt({ min: 0n, max: 10n ** 40n }),
      fc.stringMatching(/^[0-9a-z]{0,40}$/),
      (before, long, after) => {
        const text = `{"${before}":"${after}","id":${long},"after":"${after}"}`;
        const { id } = parseJson(text) as { id: unknown };
        expect(String(id)).toBe(String(long));
        expect(typeof id).toBe(long > BigInt(Number.MAX_SAFE_INTEGER) ? "string" : "number");
      },
    ),
    { numRuns: 500 },
  );
});

test.each(["9007199254740993", "[9007199254740993]", ` 9007199254740993`])("also in %s", (text) => {
  expect(String([parseJson(text)].flat()[0])).toBe("9007199254740993");
});
