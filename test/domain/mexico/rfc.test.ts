import { describe, expect, it } from "vitest";

import { checkRfc, normaliseRfc } from "../../../app/domain/mexico/rfc.ts";

describe("an RFC", () => {
  it.each([
    ["GODE561231GR8", "valid"],
    ["gode-561231-gr8", "valid"],
    ["XAXX010101000", "valid"],
    ["XEXX010101000", "valid"],
    ["GODE561231GR9", "check_digit"],
    ["GODE561331GR8", "invalid"],
    ["GOD561231", "invalid"],
    ["12345", "invalid"],
    ["", "invalid"],
  ] as const)("%s is %s", (text, verdict) => {
    expect(checkRfc(text)).toBe(verdict);
  });

  it("is written without spaces, hyphens and dots, in upper case", () => {
    expect(normaliseRfc(" gode 561231-gr8. ")).toBe("GODE561231GR8");
  });
});
