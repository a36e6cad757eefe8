import { expect, test } from "vitest";
import { BUDGET_ROWS } from "../../app/readings/cache.ts";
import { rememberWork } from "../../app/readings/remember-work.ts";

test("answers what was asked before without working again, and what was asked for longest ago is worked out anew", () => {
  const asked: number[] = [];
  const double = rememberWork(({ of }: { of: number }) => {
    asked.push(of);
    return { value: of * 2 };
  });
  expect(double({ of: 1 })).toEqual({ value: 2 });
  expect(double({ of: 1 })).toBe(double({ of: 1 }));
  expect(asked).toEqual([1]);
  for (let of = 2; of <= BUDGET_ROWS + 1; of += 1) double({ of });
  asked.length = 0;
  double({ of: BUDGET_ROWS });
  double({ of: 1 });
  expect(asked).toEqual([1]);
});

test("two kinds of work on the same words have each their own answer", () => {
  const more = rememberWork((of: number) => of + 1);
  const less = rememberWork((of: number) => of - 1);
  expect([more(1), less(1), more(1), less(1)]).toEqual([2, 0, 2, 0]);
});

test("an answer that is nothing is an answer", () => {
  let asked = 0;
  const nothing = rememberWork((_of: number) => {
    asked += 1;
    return null;
  });
  expect([nothing(1), nothing(1), asked]).toEqual([null, null, 1]);
});
