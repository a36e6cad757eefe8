import { expect, test } from "vitest";
import { remembered } from "../../app/domain/remembered.ts";

test("answers what was asked before without working again, and forgets the oldest", () => {
  const asked: number[] = [];
  const double = remembered(({ of }: { of: number }) => {
    asked.push(of);
    return { value: of * 2 };
  }, 2);
  expect(double({ of: 1 })).toEqual({ value: 2 });
  expect(double({ of: 1 })).toBe(double({ of: 1 }));
  double({ of: 2 });
  double({ of: 3 });
  double({ of: 1 });
  expect(asked).toEqual([1, 2, 3, 1]);
});
