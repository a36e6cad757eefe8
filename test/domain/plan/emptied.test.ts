import { describe, expect, test } from "vitest";
import { emptiedBy, emptiedMeanwhile, putBack, stillEmptied, toldOfUnnamed } from "../../../app/domain/plan/emptied.ts";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import type { AddressField } from "../../../app/domain/address/address.ts";
import { NEVER_NULL } from "../../../app/domain/address/validate.ts";
import { templateWith } from "../../../app/domain/plan/three-way.ts";
import { addressTemplate, templateRecord } from "../../fakes/records.ts";

const before = addressTemplate();
const patch = { address_attributes: { name: "Eva" } };
/** All that is never null, but for the name. */
const OTHERS = NEVER_NULL.filter((field) => field !== "name");
const NONE = Object.fromEntries(OTHERS.map((field) => [field, ""])) as Partial<Record<AddressField, string>>;

describe("fields a partial update emptied", () => {
  test("are those it did not name", () => {
    const after = templateWith(before, { name: "Eva", ...NONE, company: null });
    expect(new Set(emptiedBy(patch, before, after))).toEqual(new Set([...OTHERS, "company"]));
  });

  test("are told from a person's doing by those that are never null", () => {
    expect(emptiedMeanwhile(before, templateWith(before, { company: null }))).toEqual([]);
    expect(emptiedMeanwhile(before, templateWith(before, { ...NONE, company: null }))).toContain("company");
  });

  test("are not what the service shows blank for a time, while it shows the rest of the address", () => {
    const blank = templateWith(before, { name: "Eva", phone: "", email: null });
    expect(emptiedBy(patch, before, blank)).toEqual([]);
    expect(emptiedMeanwhile(before, blank)).toEqual([]);
    expect(toldOfUnnamed(patch, before, blank)).toBe("kept");
    expect(stillEmptied(templateRecord({ template: before }), blank)).toBeNull();
  });
});

test.each([
  ["the fields are empty that are never null", NONE, "emptied"],
  ["they are, besides one that somebody may have cleared", { ...NONE, company: null }, "emptied"],
  ["only what somebody may have cleared is", { company: null }, "perhaps"],
  ["none is, and one may be null", {}, "kept"],
] as const)("an answer tells of what its update did not name: %s", (_what, values, told) => {
  expect(toldOfUnnamed(patch, before, templateWith(before, { name: "Eva", ...values }))).toBe(told);
});

test("and nothing where no unnamed field had a value that may be null", () => {
  const nullable = ADDRESS_FIELDS.filter((field) => !NEVER_NULL.includes(field));
  const bare = templateWith(before, Object.fromEntries(nullable.map((field) => [field, null])));
  expect(toldOfUnnamed(patch, bare, templateWith(bare, { name: "Eva" }))).toBeNull();
});

describe("what was emptied is remembered", () => {
  const { street1, email } = before.address;
  const row = templateRecord({ template: before });
  const after = templateWith(before, { ...NONE, name: "Eva" });
  const emptied = Object.fromEntries(OTHERS.map((field) => [field, before.address[field]!])) as Record<string, string>;

  test("with what it said, and put back", () => {
    expect(stillEmptied(row, after)).toEqual(emptied);
    expect(putBack(after, { ...emptied, name: before.address.name! })).toEqual(before);
    expect(putBack(before, null)).toBe(before);
  });

  test("over more readings, with what is emptied later, until it says something again", () => {
    const { name, ...rest } = { ...emptied, name: before.address.name! };
    const half = templateRecord({ template: templateWith(before, NONE), emptied: rest });
    const more = templateWith(before, { ...NONE, name: "" });
    expect(stillEmptied(half, more)).toEqual({ ...rest, name });
    const left = Object.entries(rest).filter(([field]) => field !== "street1");
    expect(stillEmptied(half, templateWith(after, { street1: "Otra" }))).toEqual(Object.fromEntries(left));
  });

  test("but not once no field that is never null is empty: somebody has filled the address in", () => {
    const half = templateRecord({ template: after, emptied: { company: "Café", email: email! } });
    expect(stillEmptied(half, templateWith(before, { company: null }))).toBeNull();
  });

  test("nor what the service was told again and did not keep", () => {
    const half = templateRecord({ template: after, emptied: { street1: street1!, email: email! } });
    expect(stillEmptied(half, after, { address_attributes: { email: email! } })).toEqual({ street1 });
  });

  test("of a template that was not known before, nothing is", () => {
    expect(stillEmptied(null, after)).toBeNull();
  });
});
