import { describe, expect, test } from "vitest";
import type { ReviewRowView } from "../../app/views/review.ts";
import { fillDown, undoFill } from "../../app/components/review/fill-down.ts";
import type { Lens, Standing } from "../../app/components/review/review-order.ts";
import {
  CONTACT as CONTACT_PLACE,
  WHOLE,
  lensOf,
  isToDo,
  nextOpen,
  orderOf,
  orderWith,
  shownIn,
} from "../../app/components/review/review-order.ts";
import { factsOf } from "../../app/components/review/row-facts.ts";
import type { ReviewEdits, RowEdits } from "../../app/components/review/review-state.ts";
import { NO_EDITS, isDirty } from "../../app/components/review/review-state.ts";
import { cell, proposal, row } from "../fakes/review.ts";
import { CONTACT } from "../fakes/world.ts";

const named = (locationId: string, over: Partial<ReviewRowView> = {}) =>
  row({ locationId, name: `Bodega ${locationId}`, ...over });
const lacking = { cells: { ...row().cells, area_level3: cell("") } };
const guessed = {
  cells: { ...row().cells, street_number: { ...cell("100"), confidence: "unsure" as const } },
};

function standing(one: ReviewRowView, edits?: RowEdits): Standing {
  return { locationId: one.locationId, facts: factsOf(one, edits, CONTACT), isRefused: false };
}

describe("what a row says of itself", () => {
  const facts = (over: Partial<ReviewRowView>, edits?: RowEdits) => factsOf(row(over), edits, CONTACT);

  test("nothing is open in a row that lacks nothing, and its address stands in a line", () => {
    const { opens, isReady, address, link } = facts({});
    expect({ opens, isReady, address, link }).toEqual({
      opens: [],
      isReady: true,
      address: "Av. Vallarta 100, Americana, 44160 Guadalajara, Jalisco",
      link: null,
    });
  });

  test.each<[string, Partial<ReviewRowView>, RowEdits | undefined, object[]]>([
    ["an empty colonia", lacking, undefined, [{ at: "field", field: "area_level3", problem: "missing" }]],
    ["one that was typed", lacking, { values: { area_level3: "Centro" } }, []],
    [
      "what only Shopify's page mends",
      { inShopify: [{ field: "postal_code", problem: "missing" }] },
      undefined,
      [{ at: "field", field: "postal_code", problem: "missing" }],
    ],
    ["templates to choose from", { proposals: [proposal("likely")] }, undefined, [{ at: "template" }]],
    ["nothing, where it is not to be confirmed", lacking, { leftOut: true }, []],
  ])("is open: %s", (_title, over, edits, opens) => {
    expect(facts(over, edits).opens).toEqual(opens);
  });

  test("a value that the service would refuse is open until another is typed", () => {
    const faulty = { cells: { ...row().cells, street1: { ...cell("Calle"), problem: "too_long" as const } } };
    expect(facts(faulty)).toMatchObject({ isReady: false, opens: [{ field: "street1", problem: "too_long" }] });
    expect(facts(faulty, { values: { street1: "Otra" } }).isReady).toBe(true);
  });

  test("a guess asks for a look and keeps nothing from being confirmed", () => {
    expect(facts(guessed)).toMatchObject({ isReady: true, guesses: ["street_number"] });
    expect(facts(guessed, { values: { street_number: "101" } }).guesses).toEqual([]);
  });

  test("a template that will be linked is named, with how many of its values change", () => {
    const difference = { field: "street1" as const, ours: "Av. Vallarta", theirs: "Vallarta" };
    const known = {
      proposals: [
        {
          ...proposal("equal"),
          differences: [difference],
          there: { ...proposal("equal").there, ...CONTACT, phone: "3336150000" },
        },
      ],
    };
    expect(facts(known).link).toEqual({ alias: "Bodega", changes: 1 });
    expect(facts(known, { templateId: "create" }).link).toBeNull();
  });
});

describe("the order of rows", () => {
  const rows = [standing(named("sure")), standing(named("guess", guessed)), standing(named("open", lacking))];

  test("what is open comes first and is opened, then what was guessed", () => {
    const { locationIds, opened } = orderOf(rows);
    expect(locationIds).toEqual(["open", "guess", "sure"]);
    expect([...opened]).toEqual(["open"]);
  });

  test("neither moves nor closes a row that is mended or read anew", () => {
    const order = orderOf(rows);
    const mended = standing(named("open", lacking), { values: { area_level3: "Centro" } });
    expect(orderWith(order, [rows[0]!, rows[1]!, mended])).toBe(order);
  });

  test("has a row that came since at its end", () => {
    const { locationIds, opened } = orderWith(orderOf(rows), [...rows, standing(named("new", lacking))]);
    expect(locationIds).toEqual(["open", "guess", "sure", "new"]);
    expect([...opened]).toEqual(["open", "new"]);
  });

  test("has what a confirmation refused first", () => {
    const refused = { ...rows[0]!, isRefused: true };
    expect(orderOf([rows[1]!, refused]).locationIds).toEqual(["sure", "guess"]);
  });
});

describe("what of the rows is shown", () => {
  const lack = named("open", lacking);
  const rows = [standing(named("sure", { postalCode: "72000" })), standing(lack)];
  const order = orderOf(rows);
  const seen = (lens: Partial<Lens>, of = rows) => shownIn(of, { order, lens: { ...WHOLE, ...lens } });

  test.each<[string, Partial<Lens>, string[]]>([
    ["all, with nothing asked", {}, ["open", "sure"]],
    ["only those with something open", { onlyOpen: true }, ["open"]],
    ["those of a name", { search: "bodega SURE" }, ["sure"]],
    ["those of an address, without its accents", { search: "américana 72000" }, ["sure"]],
    ["none", { search: "Mérida" }, []],
  ])("%s", (_title, lens, ids) => {
    expect(seen(lens)).toEqual(ids);
  });

  test("a row stays while it is mended, whatever was looked for", () => {
    const lens = lensOf(rows, { onlyOpen: true, search: "" });
    const mended = [rows[0]!, standing(lack, { values: { area_level3: "Centro" } })];
    expect(seen(lens, mended)).toEqual(["open"]);
    expect(seen(lensOf(mended, { onlyOpen: true, search: "" }), mended)).toEqual([]);
  });
});

describe("a row that lacks nothing but the contact above", () => {
  const rows = [standing(named("own", lacking)), standing(named("sure")), standing(named("new"))].map((one) => ({
    ...one,
    facts: { ...one.facts, contactLacks: one.locationId === "new" ? [] : (["phone"] as const).slice() },
  }));
  const order = orderOf(rows);

  test("counts as to do and is shown with those", () => {
    expect(rows.filter(isToDo).map(({ locationId }) => locationId)).toEqual(["own", "sure"]);
    expect(shownIn(rows, { order, lens: { ...WHOLE, onlyOpen: true } })).toEqual(["own", "sure"]);
  });

  test("is neither opened nor moved, and nobody is led to it: the contact is filled in above", () => {
    expect(order).toEqual({ locationIds: ["own", "sure", "new"], opened: new Set(["own"]) });
    expect(nextOpen(rows, { order, contactLacks: true, from: "own" })).toBe(CONTACT_PLACE);
  });

  test("stays while the contact is filled in", () => {
    const lens = lensOf(rows, { onlyOpen: true, search: "" });
    const filled = rows.map((one) => ({ ...one, facts: { ...one.facts, contactLacks: [] } }));
    expect(shownIn(filled, { order, lens })).toEqual(["own", "sure"]);
    expect(filled.filter(isToDo).map(({ locationId }) => locationId)).toEqual(["own"]);
  });
});

describe("the next place with something open", () => {
  const rows = [standing(named("a", lacking)), standing(named("b")), standing(named("c", lacking))];
  const order = orderOf(rows);
  const next = (from: string | null, contactLacks = false) => nextOpen(rows, { order, contactLacks, from });

  test.each<[string, string | null, boolean, string]>([
    ["the first", null, false, "a"],
    ["the one after", "a", false, "c"],
    ["the first again after the last", "c", false, "a"],
    ["the contact before any row", null, true, CONTACT_PLACE],
    ["a row after the contact", CONTACT_PLACE, true, "a"],
  ])("is %s", (_title, from, contactLacks, place) => {
    expect(next(from, contactLacks)).toBe(place);
  });

  test("is none where nothing is open", () => {
    expect(nextOpen([rows[1]!], { order, contactLacks: false, from: null })).toBeNull();
  });
});

describe("a value copied into rows that lack it", () => {
  const [first, second] = [named("first", lacking), named("second", lacking)];
  const made: ReviewEdits = { ...NO_EDITS, rows: { second: { values: { street1: "Otra" } } } };
  const copied = (edits = made) => fillDown(edits, { field: "area_level3", value: "Centro", rows: [first, second] });

  test("stands in them as if typed there, beside what was typed", () => {
    const { rows } = copied().edits;
    expect(rows["first"]).toEqual({ basis: { revision: 0, readFrom: "text" }, values: { area_level3: "Centro" } });
    expect(rows["second"]!.values).toEqual({ street1: "Otra", area_level3: "Centro" });
    expect(factsOf(first, rows["first"], CONTACT).isReady).toBe(true);
  });

  test("is taken back whole", () => {
    const { edits, fill } = copied();
    expect(undoFill(edits, fill)).toEqual(made);
    const alone = copied(NO_EDITS);
    expect(isDirty(undoFill(alone.edits, alone.fill), [first, second])).toBe(false);
  });

  test("is taken back without what was typed since", () => {
    const { edits, fill } = copied();
    const first = { ...edits.rows["first"]!, values: { area_level3: "Roma" } };
    const second = { ...edits.rows["second"]!, values: { street1: "Otra", street_number: "7", area_level3: "Centro" } };
    const { rows } = undoFill({ ...edits, rows: { first, second } }, fill);
    expect(rows["first"]!.values).toEqual({ area_level3: "Roma" });
    expect(rows["second"]!.values).toEqual({ street1: "Otra", street_number: "7" });
  });

  test("as a reference comes before the template's, until it is taken back", () => {
    const chosen = { templateId: "t-1", choices: { email: "ours" as const } };
    const { edits, fill } = fillDown(
      { ...NO_EDITS, rows: { first: chosen } },
      { field: "reference", value: "Portón", rows: [first] },
    );
    expect(edits.rows["first"]!.choices).toEqual({ email: "ours", reference: "ours" });
    const typed = { ...edits.rows["first"]!, leftOut: true };
    expect(undoFill({ ...edits, rows: { first: typed } }, fill).rows["first"]).toMatchObject({
      choices: { email: "ours" },
      leftOut: true,
    });
  });
});
