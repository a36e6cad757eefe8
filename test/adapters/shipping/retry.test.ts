import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { nextStep, OPERATIONS, type Operation, type Outcome } from "../../../app/adapters/shipping/retry.ts";
import { WRITES } from "./support/operations.ts";

const operations = Object.keys(OPERATIONS) as Operation[];
const writes: readonly Operation[] = WRITES;
/** After an unclear end the template is read first. */
const unclear = [...writes, "verify_by_carriers"] as readonly Operation[];
const stops = { again: false };

/** How often a call is made in all if it always ends so. */
function attempts(operation: Operation, outcome: Outcome, once?: boolean): number {
  for (let attempt = 1; ; attempt += 1) if (!nextStep({ operation, outcome, attempt, once }).again) return attempt;
}

test("the operations are those that docs/shipping-interface.md describes, and no others", () => {
  const document = readFileSync(join(import.meta.dirname, "../../../docs/shipping-interface.md"), "utf8");
  const described = [...document.matchAll(/^### 4\.\d+ (.+)$/gm)].map((heading) => heading[1]!);
  expect(described.length).toBeGreaterThanOrEqual(9);
  expect(operations).toEqual(described.map((title) => title.toLowerCase().replaceAll(" ", "_")));
});

describe("the retry decision", () => {
  test.each(operations)("%s: a 429 is repeated when the pause is over", (operation) => {
    expect(attempts(operation, "rate_limited")).toBe(OPERATIONS[operation].ofOne ? 2 : 6);
    expect(attempts(operation, "rate_limited_alone")).toBe(1);
    expect(nextStep({ operation, outcome: "rate_limited", attempt: 1 })).toEqual({ again: true, afterMs: 0 });
  });

  test.each(operations)("%s: a 401 is repeated once", (operation) => {
    expect(attempts(operation, "unauthorized")).toBe(2);
  });

  test.each(operations)("%s: a 401 that another token would get as well ends it", (operation) => {
    expect(nextStep({ operation, outcome: "unauthorized_always", attempt: 1 })).toEqual(stops);
  });

  test.each(unclear)("%s is never repeated after an unclear end", (operation) => {
    expect(attempts(operation, "failed")).toBe(1);
  });

  test.each(operations.filter((operation) => !unclear.includes(operation)))(
    "%s is repeated twice, later each time",
    (operation) => {
      expect(attempts(operation, "failed")).toBe(3);
      expect(nextStep({ operation, outcome: "failed", attempt: 1 })).toEqual({ again: true, afterMs: 250 });
      expect(nextStep({ operation, outcome: "failed", attempt: 2 })).toEqual({ again: true, afterMs: 1_000 });
    },
  );

  test.each(operations)("%s: of a caller that comes again by itself, only a 401 is repeated", (operation) => {
    expect(attempts(operation, "failed", true)).toBe(1);
    expect(attempts(operation, "rate_limited", true)).toBe(1);
    expect(attempts(operation, "unauthorized", true)).toBe(2);
    expect(nextStep({ operation, outcome: "not_ready", attempt: 9, once: true })).toEqual({ again: true, afterMs: 0 });
  });

  test.each(operations)("%s: a caller that left and a 403 end it; a dropped token begins anew", (operation) => {
    expect(nextStep({ operation, outcome: "cancelled", attempt: 1 })).toEqual(stops);
    expect(nextStep({ operation, outcome: "edge_blocked", attempt: 1 })).toEqual(stops);
    expect(nextStep({ operation, outcome: "forbidden", attempt: 1 })).toEqual(stops);
    expect(nextStep({ operation, outcome: "not_ready", attempt: 9 })).toEqual({ again: true, afterMs: 0 });
  });
});
