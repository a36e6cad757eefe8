import { describe, expect, test } from "vitest";
import { filledByCode, saidByCode } from "../../../../app/domain/mexico/postal/said-by-code.ts";
import { postalFacts, ROMA_NORTE } from "../../../fakes/postal-codes.ts";

const typed = (area_level1: string, area_level2: string) => ({ area_level1, area_level2 });
const MONTERREY = postalFacts({ code: "64000", state: "Nuevo León", municipality: "Monterrey", city: "Monterrey" });

describe("what the code says of typed fields", () => {
  test("fills what is empty, and only that", () => {
    const both = { area_level1: "Ciudad de México", area_level2: "Cuauhtémoc" };
    expect(saidByCode(typed("", " "), ROMA_NORTE)).toEqual({ fills: both, differs: {} });
    const { fills } = saidByCode(typed("Jalisco", ""), MONTERREY);
    expect(fills).toEqual({ area_level2: "Monterrey" });
  });

  test("names the code's state and municipality where others were written", () => {
    const differs = { area_level1: "Nuevo León", area_level2: "Monterrey" };
    expect(saidByCode(typed("Jalisco", "Guadalajara"), MONTERREY)).toEqual({ fills: {}, differs });
  });

  test("looks at these two fields alone, where a whole form is given", () => {
    const form = { ...typed("", ""), alias_name: "Proveedor", street1: "Calle Morelos" };
    expect(Object.keys(saidByCode(form, ROMA_NORTE).fills)).toEqual(["area_level1", "area_level2"]);
  });

  test("names the municipality where its city was written", () => {
    const cancun = postalFacts({ code: "77500", state: "Quintana Roo", municipality: "Benito Juárez", city: "Cancún" });
    expect(saidByCode(typed("Quintana Roo", "Cancún"), cancun).differs).toEqual({ area_level2: "Benito Juárez" });
  });

  test("is silent about other spellings, about what the list does not tell, and without a list", () => {
    const silent = { fills: {}, differs: {} };
    expect(saidByCode(typed("CDMX", "cuauhtemoc"), ROMA_NORTE)).toEqual(silent);
    expect(saidByCode(typed("", "Puebla"), postalFacts({ state: null, municipality: null }))).toEqual(silent);
    expect(saidByCode(typed("", ""), null)).toEqual(silent);
  });
});

describe("what a form fills in for a code", () => {
  const before = { area_level1: "Ciudad de México", area_level2: "Cuauhtémoc" };

  test("replaces what it filled in for the code before", () => {
    const fills = { area_level1: "Nuevo León", area_level2: "Monterrey" };
    expect(filledByCode(typed("Ciudad de México", "Cuauhtémoc"), { facts: MONTERREY, before })).toEqual(fills);
  });

  test("keeps what somebody wrote, before and since", () => {
    const written = typed("Jalisco", "Guadalajara");
    expect(filledByCode(written, { facts: MONTERREY, before })).toEqual({});
    expect(filledByCode(written, { facts: MONTERREY, before: {} })).toEqual({});
  });

  test("names nothing that stands there already, and nothing without facts", () => {
    const written = typed("Ciudad de México", "Cuauhtémoc");
    expect(filledByCode(written, { facts: ROMA_NORTE, before })).toEqual({});
    expect(filledByCode(written, { facts: null, before })).toEqual({});
  });
});
