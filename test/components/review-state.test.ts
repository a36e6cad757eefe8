import { describe, expect, test } from "vitest";
import type { ContactDetails } from "../../app/domain/address/address.ts";
import type { ReviewEdits } from "../../app/components/review/review-state.ts";
import {
  NO_EDITS,
  editsOf,
  isDirty,
  missingContact,
  readyRows,
  templateChoiceOf,
  templateVersionOf,
} from "../../app/components/review/review-state.ts";
import type { ProposalView } from "../../app/views/origin.ts";
import type { ReviewRowView, ReviewView } from "../../app/views/review.ts";
import { NO_CONTACT, NOW_MS } from "../fakes/records.ts";
import { CONTACT } from "../fakes/world.ts";

const cell = (value: string) => ({ value, confidence: "sure" as const, problem: null });
const proposal = (how: ProposalView["how"]): ProposalView => ({
  templateId: "t-1",
  version: "v-1",
  alias: "Bodega",
  address: "",
  how,
  differences: [],
});

function row(over: Partial<ReviewRowView> = {}): ReviewRowView {
  return {
    locationId: "1",
    legacyId: "1",
    name: "Bodega",
    shopifyLines: [],
    revision: 0,
    readFrom: "text",
    cells: {
      street1: cell("Av. Vallarta"),
      street_number: cell("100"),
      apartment_number: cell(""),
      area_level3: cell("Americana"),
      area_level2: cell("Guadalajara"),
      reference: cell(""),
    },
    required: ["name", "street1", "area_level3", "area_level2", "phone", "email", "reference"],
    inShopify: [],
    ownContact: { ...NO_CONTACT, phone: "3336150000" },
    proposals: [],
    ...over,
  };
}

function view(rows: ReviewRowView[], contact: ContactDetails = CONTACT): ReviewView {
  const rest = {
    more: 0,
    contactRevision: 0,
    job: null,
    connection: null,
    confirmed: 0,
    reconciledAtMs: null,
    nowMs: NOW_MS,
    timeZone: "UTC",
  };
  return { rows, contact, ...rest };
}

const edits = (own: ReviewEdits["rows"][string]): ReviewEdits => ({ ...NO_EDITS, rows: { 1: own } });

describe("what of a review can be confirmed", () => {
  test.each<[string, ReviewView, ReviewEdits, number]>([
    ["a complete row, the shop's contact filled in", view([row()]), NO_EDITS, 1],
    ["no contact anywhere", view([row()], NO_CONTACT), NO_EDITS, 0],
    ["the contact just typed", view([row()], NO_CONTACT), { ...NO_EDITS, contact: CONTACT }, 1],
    ["a colonia emptied", view([row()]), edits({ values: { area_level3: " " } }), 0],
    ["left out by its checkbox", view([row()]), edits({ leftOut: true }), 0],
    [
      "something only Shopify's page mends",
      view([row({ inShopify: [{ field: "postal_code", problem: "missing" }] })]),
      NO_EDITS,
      0,
    ],
    [
      "a template that is likely the same waits for an answer",
      view([row({ proposals: [proposal("likely")] })]),
      NO_EDITS,
      0,
    ],
    ["the answer was given", view([row({ proposals: [proposal("likely")] })]), edits({ templateId: "create" }), 1],
    ["one that is surely the same is proposed", view([row({ proposals: [proposal("equal")] })]), NO_EDITS, 1],
  ])("%s", (_title, shown, made, count) => {
    expect(readyRows(shown, made)).toHaveLength(count);
  });

  test("a sure template is linked unless somebody says otherwise", () => {
    expect(templateChoiceOf(row({ proposals: [proposal("marker")] }), undefined)).toBe("t-1");
    expect(templateChoiceOf(row({ proposals: [proposal("marker")] }), { templateId: "create" })).toBe("create");
    expect(templateChoiceOf(row(), undefined)).toBeNull();
  });

  test("a reference of the location's own needs none of the shop", () => {
    expect(missingContact(row(), { values: { reference: "Azul" } }, NO_CONTACT)).toEqual(["name", "email"]);
    expect(missingContact(row(), undefined, NO_CONTACT)).toEqual(["name", "email", "reference"]);
  });
});

describe("once some rows are confirmed", () => {
  const basis = { revision: 1, readFrom: "old" };
  const made: ReviewEdits = {
    contact: { name: "Ana" },
    contactRevision: 3,
    rows: {
      confirmed: { templateId: "create" },
      refused: { values: { street1: "Otra" }, basis },
      halfFilled: { values: { street1: "Media" }, basis },
      unticked: { values: { reference: "Azul" }, leftOut: true, basis },
    },
  };
  const sent = { contact: { ...CONTACT, name: "Ana" }, rows: [{ locationId: "confirmed" }, { locationId: "refused" }] };

  test("what was not among them keeps what was typed, and whether it is ticked", () => {
    const { rows } = editsOf({ sent, refused: ["refused"] }, made);
    expect(rows["halfFilled"]).toEqual(made.rows["halfFilled"]);
    expect(rows["unticked"]).toEqual(made.rows["unticked"]);
  });

  test("what was refused keeps what was typed, and answers to what is shown since", () => {
    expect(editsOf({ sent, refused: ["refused"] }, made).rows["refused"]).toEqual({ values: { street1: "Otra" } });
  });

  test("what was confirmed is forgotten, and what the whole shop shares", () => {
    expect(isDirty(made)).toBe(true);
    const after = editsOf({ sent, refused: [] }, { ...made, rows: { confirmed: made.rows["confirmed"]! } });
    expect(after).toEqual(NO_EDITS);
    expect(isDirty(after)).toBe(false);
  });

  test("a contact that was typed while they were sent is kept, and answers to what is shown since", () => {
    const meanwhile = { ...made, contact: { name: "Ana María", email: sent.contact.email } };
    const after = editsOf({ sent, refused: [] }, meanwhile);
    expect(after.contact).toEqual({ name: "Ana María" });
    expect(after).not.toHaveProperty("contactRevision");
  });
});

test("a template that was chosen is sent as it was shown then, until a refusal asks to look again", () => {
  const shown = { ...row(), proposals: [proposal("likely")] };
  const edits = { templateId: "t-1", templateVersion: "v-1" };
  const changed = { ...shown, proposals: [{ ...proposal("likely"), version: "v-2" }] };
  expect(templateVersionOf(changed, edits)).toBe("v-1");
  const sent = { contact: CONTACT, rows: [{ locationId: changed.locationId }] };
  const kept = { contact: {}, rows: { [changed.locationId]: edits } };
  const after = editsOf({ sent, refused: [changed.locationId] }, kept).rows[changed.locationId];
  expect(templateVersionOf(changed, after)).toBe("v-2");
  expect(templateVersionOf(changed, { templateId: "create" })).toBeNull();
});
