import fc from "fast-check";
import { describe, expect, it } from "vitest";

import { normalisePhone } from "../../../app/domain/mexico/phone.ts";

describe("a phone as the service takes it", () => {
  it.each([
    "55 5553 6266",
    "(55) 5553-6266",
    "+52 55 5553 6266",
    "+52 1 55 5553 6266",
    "52 55 5553 6266",
    "5215555536266",
    "0052 55 5553 6266",
    "044 55 5553 6266",
    "045 55 5553 6266",
    "01 55 5553 6266",
    "55.5553.6266 ext. 12",
    "55 5553 6266 Extensión 104",
    "\u206055 5553 6266",
  ])("reads %s as the ten digits of a Mexican number", (text) => {
    expect(normalisePhone(text, "MX")).toBe("5555536266");
  });

  it.each([null, "", "  ", "12345", "555553626", "no tiene", "55 5553 6266 / 55 5553 6267", "99999999999999"])(
    "reads no number from %s",
    (text) => {
      expect(normalisePhone(text, "MX")).toBeNull();
    },
  );

  it("writes any other country's number in E.164", () => {
    expect(normalisePhone("+1 415 555 2671", "MX")).toBe("+14155552671");
    expect(normalisePhone("(415) 555-2671", "US")).toBe("+14155552671");
    expect(normalisePhone("+52 55 5553 6266", "US")).toBe("+525555536266");
  });

  it("takes a number that it wrote itself for itself", () => {
    const typed = fc.tuple(
      fc.constantFrom("", "+52 ", "+52 1 ", "52", "044 ", "045", "01 ", "+521"),
      fc.constantFrom("55", "33", "81", "656", "998", "222"),
      fc.integer({ min: 2_000_000, max: 9_999_999 }),
    );
    fc.assert(
      fc.property(typed, ([prefix, area, rest]) => {
        const national = `${area}${rest}0`.slice(0, 10);
        const once = normalisePhone(prefix + national, "MX");
        expect(once).toBe(national);
        expect(normalisePhone(once, "MX")).toBe(once);
      }),
    );
  });
});
