import { describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import { askedContact, askedFields, asksSomething } from "../../app/components/setup/asked-fields.ts";
import { NO_EDITS } from "../../app/components/review/review-state.ts";
import type { RowEdits } from "../../app/components/review/review-state.ts";
import type { ReviewRowView } from "../../app/views/review.ts";
import { NO_CONTACT } from "../fakes/records.ts";
import { cell, proposal, row, view } from "../fakes/review.ts";
import { CONTACT } from "../fakes/world.ts";

const withCells = (cells: Partial<ReviewRowView["cells"]>) => row({ cells: { ...row().cells, ...cells } });
const lacksColonia = withCells({ area_level3: cell("") });
const there = { ...NO_ADDRESS, ...CONTACT, area_level3: "Americana" };

describe("what the first steps ask of a location", () => {
  test.each<[string, ReviewRowView, RowEdits | undefined, string[]]>([
    ["nothing, where the address is complete", row(), undefined, []],
    ["what it lacks", lacksColonia, undefined, ["area_level3"]],
    ["the same while it is typed", lacksColonia, { values: { area_level3: "Centro" } }, ["area_level3"]],
    [
      "a look at what is not sure",
      withCells({ street_number: { ...cell("100"), confidence: "unsure" } }),
      undefined,
      ["street_number"],
    ],
    [
      "a look at what comes from the address book",
      { ...lacksColonia, proposals: [{ ...proposal("equal"), there }] },
      undefined,
      ["area_level3"],
    ],
    [
      "what is wrong",
      withCells({ area_level2: { ...cell("X"), problem: "too_long" as never } }),
      undefined,
      ["area_level2"],
    ],
  ])("%s", (_title, shown, edits, fields) => {
    expect(askedFields(shown, edits, false)).toEqual(fields);
  });

  test("the only one is asked for its reference, several once for all", () => {
    expect(askedFields(row(), undefined, true)).toEqual(["reference"]);
    expect(askedFields(row(), { values: { reference: "Azul" } }, true)).toEqual(["reference"]);
    expect(askedFields(withCells({ reference: cell("Azul") }), undefined, true)).toEqual([]);
    const asked = { edits: NO_EDITS, problems: [] };
    expect(askedContact(view([row()], NO_CONTACT), { ...asked, alone: false })).toEqual(["name", "email", "reference"]);
    expect(askedContact(view([row()], NO_CONTACT), { ...asked, alone: true })).toEqual(["name", "email"]);
  });

  test("a choice among templates, and what only Shopify can mend", () => {
    expect(asksSomething(row(), false)).toBe(false);
    expect(asksSomething(row({ proposals: [proposal("likely")] }), false)).toBe(true);
    const inShopify = [{ field: "postal_code", problem: "missing" }] as const;
    expect(asksSomething(row({ inShopify: [...inShopify] }), false)).toBe(true);
  });

  test("no contact where the address book's stays", () => {
    const known = row({ proposals: [{ ...proposal("equal"), there }] });
    expect(askedContact(view([known], NO_CONTACT), { edits: NO_EDITS, problems: [], alone: false })).toEqual([]);
  });

  test("no field of the contact goes while it is typed or is wrong", () => {
    const typed = { ...NO_EDITS, contact: { name: "Ana", email: "no" } };
    const problems = [{ field: "email", code: "invalid_email", severity: "error" }] as never;
    expect(askedContact(view([row()]), { edits: typed, problems, alone: false })).toEqual(["name", "email"]);
  });
});
