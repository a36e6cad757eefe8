import { describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../app/domain/address/address.ts";
import type { ContactDetails } from "../../app/domain/address/address.ts";
import type { ReviewEdits, RowEdits } from "../../app/components/review/review-state.ts";
import {
  NO_EDITS,
  adoptionOf,
  contactOf,
  editsOf,
  isDirty,
  missingContact,
  sharedContact,
  templateChoiceOf,
  templateVersionOf,
  valueOf,
} from "../../app/components/review/review-state.ts";
import { factsOf, outlookOf } from "../../app/components/review/row-facts.ts";
import type { ProposalView } from "../../app/views/origin.ts";
import type { ReviewView } from "../../app/views/review.ts";
import { NO_CONTACT } from "../fakes/records.ts";
import { cell, proposal, row, view } from "../fakes/review.ts";
import { CONTACT } from "../fakes/world.ts";

const edits = (own: ReviewEdits["rows"][string]): ReviewEdits => ({ ...NO_EDITS, rows: { 1: own } });

const readyRows = ({ rows, contact }: ReviewView, made: ReviewEdits) =>
  rows.filter((one) => factsOf(one, made.rows[one.locationId], contactOf(contact, made.contact)).isReady);

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

describe("a row's line", () => {
  const said = (edits?: RowEdits, contact = NO_CONTACT, own = row()) => outlookOf(factsOf(own, edits, contact));

  test("names what the shop's contact lacks, beside what it lacks itself", () => {
    expect(said()).toEqual({
      ...{ kind: "open", lacks: [], mend: [], chooses: false },
      contact: ["name", "email", "reference"],
    });
    const lacking = row({ cells: { ...row().cells, area_level3: cell("") } });
    expect(said(undefined, { ...CONTACT, email: null }, lacking)).toMatchObject({
      ...{ lacks: ["area_level3"], contact: ["email"] },
    });
  });

  test("asks for nothing where the row is left out, or the contact is whole", () => {
    expect(said({ leftOut: true })).toEqual({ kind: "done", link: null });
    expect(said(undefined, CONTACT)).toEqual({ kind: "done", link: null });
  });
});

describe("a template that is chosen", () => {
  const there = { ...NO_ADDRESS, ...CONTACT, name: "Pedro", email: "pedro@libreta.mx", reference: "Portón azul" };
  const known = (over: Partial<ProposalView> = {}) => ({ ...proposal("equal"), there, ...over });
  const chosen = row({ proposals: [known()], cells: { ...row().cells, area_level3: cell("") } });
  const stays = (edits?: RowEdits, contact = CONTACT) =>
    Object.fromEntries(adoptionOf(chosen, edits, contact).map((one) => [one.field, one.stays]));

  test("brings the contact that the shop has not said, and what the location lacks of the place", () => {
    const whole = row({ ...chosen, proposals: [known({ there: { ...there, area_level3: "Americana" } })] });
    expect(readyRows(view([chosen], NO_CONTACT), NO_EDITS)).toHaveLength(0);
    expect(readyRows(view([whole], NO_CONTACT), NO_EDITS)).toHaveLength(1);
    expect(valueOf(whole, undefined, "area_level3")).toBe("Americana");
    expect(valueOf(whole, { values: { area_level3: "" } }, "area_level3")).toBe("");
    expect(readyRows(view([whole], NO_CONTACT), edits({ templateId: "create" }))).toHaveLength(0);
  });

  test("keeps its values before the shop's, and gives way to what is typed or chosen", () => {
    expect(stays()).toMatchObject({ name: "theirs", email: "theirs", reference: "theirs" });
    expect(stays({ choices: { email: "ours" } })).toMatchObject({ name: "theirs", email: "ours" });
    expect(stays({ values: { reference: "Azul" } })).toMatchObject({ reference: "ours" });
  });

  test("shows its reference in the cell, until somebody types another or chooses the shop's", () => {
    expect(valueOf(chosen, undefined, "reference")).toBe("Portón azul");
    expect(valueOf(chosen, { values: { reference: "Azul" } }, "reference")).toBe("Azul");
    expect(valueOf(chosen, { values: { reference: "Azul" }, choices: { reference: "theirs" } }, "reference")).toBe(
      "Portón azul",
    );
    expect(valueOf(chosen, { templateId: "create" }, "reference")).toBe("");
  });

  test("replaced by the shop's reference, leaves the cell empty: the shop's goes on to hold", () => {
    expect(valueOf(chosen, { choices: { reference: "ours" } }, "reference")).toBe("");
    expect(stays({ choices: { reference: "ours" } })).toMatchObject({ reference: "ours" });
  });
});

describe("what the chosen templates have alike", () => {
  const rowWith = (locationId: string, over: Partial<typeof NO_ADDRESS>) =>
    row({ locationId, proposals: [{ ...proposal("equal"), there: { ...NO_ADDRESS, ...over } }] });
  const two = (one: Partial<typeof NO_ADDRESS>, other: Partial<typeof NO_ADDRESS>, contact = NO_CONTACT) =>
    sharedContact(view([rowWith("1", one), rowWith("2", other)], contact), NO_EDITS).values;

  test.each<[string, object, object, ContactDetails, object]>([
    ["is offered once", { email: "a@b.mx" }, { email: "a@b.mx" }, NO_CONTACT, { email: "a@b.mx" }],
    [
      "is not where the shop says so already",
      { email: "a@b.mx" },
      { email: "a@b.mx" },
      { ...NO_CONTACT, email: "a@b.mx" },
      {},
    ],
    ["is not where they differ", { email: "a@b.mx" }, { email: "c@d.mx" }, NO_CONTACT, {}],
    ["is not where one says it alone", { email: "a@b.mx" }, {}, NO_CONTACT, {}],
    ["is not where it is not valid", { email: "a" }, { email: "a" }, NO_CONTACT, {}],
    [
      "is not of a reference, which tells where one door is",
      { reference: "Azul" },
      { reference: "Azul" },
      NO_CONTACT,
      {},
    ],
  ])("%s", (...[, one, other, contact, offered]) => {
    expect(two(one, other, contact)).toEqual(offered);
  });

  test("counts only rows that are to be confirmed with their template", () => {
    const rows = view([rowWith("1", { email: "a@b.mx" }), rowWith("2", { email: "a@b.mx" })], NO_CONTACT);
    expect(sharedContact(rows, edits({ leftOut: true })).values).toEqual({});
    expect(sharedContact(rows, edits({ templateId: "create" })).values).toEqual({});
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
    const shown = [{ locationId: "confirmed" }];
    expect(isDirty(made, shown)).toBe(true);
    const after = editsOf({ sent, refused: [] }, { ...made, rows: { confirmed: made.rows["confirmed"]! } });
    expect(after).toEqual(NO_EDITS);
    expect(isDirty(after, shown)).toBe(false);
  });

  test("what was typed in a row that somebody else has confirmed meanwhile is not unsaved", () => {
    const edits = { ...NO_EDITS, rows: { other: { values: { street1: "Otra" } } } };
    expect(isDirty(edits, [{ locationId: "other" }])).toBe(true);
    expect(isDirty(edits, [])).toBe(false);
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
