import { describe, expect, it } from "vitest";

import { findState, postalCodeFits, stateOfText, STATES } from "../../../app/domain/mexico/states.ts";

describe("the states of Mexico", () => {
  it("are 32, each with a code and a name of its own", () => {
    expect(STATES).toHaveLength(32);
    expect(new Set(STATES.map(({ code }) => code)).size).toBe(32);
    expect(new Set(STATES.map(({ name }) => name)).size).toBe(32);
  });

  it("share no postal-code prefix and leave none from 01 to 99 but 17, 18 and 19", () => {
    const owners = Array.from({ length: 100 }, (_, prefix) => {
      const code = `${String(prefix).padStart(2, "0")}000`;
      return STATES.filter((state) => postalCodeFits(code, state)).length;
    });
    expect(Math.max(...owners)).toBe(1);
    expect(owners.flatMap((count, prefix) => (count === 0 ? [prefix] : []))).toEqual([17, 18, 19]);
  });

  it.each([
    ["DF", null, "Ciudad de México"],
    ["Q ROO", null, "Quintana Roo"],
    ["q roo", null, "Quintana Roo"],
    ["NL", null, "Nuevo León"],
    ["TAMPS", null, "Tamaulipas"],
    ["AGS", null, "Aguascalientes"],
    ["MEX", "Ciudad de México", "México"],
    ["MX-JAL", null, "Jalisco"],
    [null, "Estado de México", "México"],
    [null, "distrito federal", "Ciudad de México"],
    [null, "Veracruz", "Veracruz de Ignacio de la Llave"],
    ["", "Yucatan", "Yucatán"],
    ["CA", "California", null],
    [null, null, null],
  ])("names %s / %s %s", (code, province, name) => {
    expect(findState(code, province)?.name ?? null).toBe(name);
  });

  it("reads abbreviations people write, and no city's name", () => {
    expect(stateOfText("N.L.")?.code).toBe("NL");
    expect(stateOfText("Q. Roo")?.code).toBe("Q ROO");
    expect(stateOfText("Edo. Mex.")?.code).toBe("MEX");
    expect(stateOfText("C.D.M.X.")?.code).toBeUndefined();
    expect(stateOfText("Monterrey")).toBeNull();
  });

  it("finds a state by its name where the code is strange", () => {
    expect(findState("XX", "Sonora")?.code).toBe("SON");
  });
});
