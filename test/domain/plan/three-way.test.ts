import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ADDRESS_FIELDS } from "../../../app/domain/address/address.ts";
import {
  compare,
  draftOfValues,
  patchOf,
  templateWith,
  valuesOfDraft,
  valuesOfTemplate,
} from "../../../app/domain/plan/three-way.ts";
import type { Sides, Values } from "../../../app/domain/plan/three-way.ts";
import { addressTemplate, NOW_MS } from "../../fakes/records.ts";

/**
 * What a comparison of ours, theirs and base decides, field by field.
 *
 * Long, because each combination of the three readings is a case.
 */

interface Case {
  sent: string | null;
  base: string | null;
  theirs: string | null;
  ours: string | null;
}

function sides({ sent, base, theirs, ours }: Case, link: Partial<Sides["link"]> = {}, wipes = false): Sides {
  const field = (value: string | null): Values => ({ reference: value });
  return {
    ours: field(ours),
    theirs: field(theirs),
    link: {
      choices: [],
      accepted: [],
      differences: [],
      sent: field(sent),
      base: field(base),
      ...link,
    },
    wipes,
    nowMs: NOW_MS,
  };
}

const verdict = (given: Case, link?: Partial<Sides["link"]>, wipes?: boolean) => {
  const { send, differences } = compare(sides(given, link, wipes));
  return send.length > 0 ? "send" : (differences[0]?.kind ?? "nothing");
};

describe("three ways, field by field", () => {
  test.each([
    ["a template linked by hand", { sent: null, link: { sent: null } }],
    ["one of ours", { sent: "A", link: {} }],
  ])("of %s: what they said where nothing had stood stays in conflict when a write of ours empties it", (_of, each) => {
    const known = { field: "reference", kind: "conflict", ours: "B", theirs: "X", base: null, noticedAtMs: 1 } as const;
    const now = { sent: each.sent, base: null, theirs: null, ours: "B" };
    const wiped = { ...each.link, differences: [known] };
    expect(verdict(now, wiped, true)).toBe("conflict");
    expect(verdict(now, { ...wiped, differences: [] }, true)).toBe("send");
    expect(verdict(now, wiped, false)).toBe("send");
  });

  test.each<[string, Case, string]>([
    ["nobody changed it", { sent: "A", base: "A", theirs: "A", ours: "A" }, "nothing"],
    ["only we changed it", { sent: "A", base: "A", theirs: "A", ours: "B" }, "send"],
    ["only they changed it", { sent: "A", base: "A", theirs: "X", ours: "A" }, "drift"],
    ["both changed it", { sent: "A", base: "A", theirs: "X", ours: "B" }, "conflict"],
    ["both changed it alike", { sent: "A", base: "A", theirs: "B", ours: "B" }, "nothing"],
    ["the service did not keep it", { sent: "A", base: "Y", theirs: "Y", ours: "A" }, "unkept"],
    ["white space is nobody's change", { sent: "A B", base: "A B", theirs: " A  B ", ours: "A B" }, "nothing"],
    ["case is a change", { sent: "a", base: "a", theirs: "A", ours: "a" }, "drift"],
    ["an accent is a change", { sent: "Leon", base: "Leon", theirs: "León", ours: "Leon" }, "drift"],
    ["they emptied it", { sent: "A", base: "A", theirs: null, ours: "A" }, "drift"],
    ["we emptied it", { sent: "A", base: "A", theirs: "A", ours: null }, "send"],
  ])("%s", (_name, given, expected) => {
    expect(verdict(given)).toBe(expected);
  });

  test("a phone in another form is nobody's change", () => {
    const phone = (value: string): Values => ({ phone: value });
    const link = {
      choices: [],
      accepted: [],
      differences: [],
      sent: phone("3336150000"),
      base: phone("3336150000"),
    };
    const { differences, send } = compare({
      ours: phone("3336150000"),
      theirs: phone("+52 33 3615 0000"),
      link,
      wipes: false,
      nowMs: NOW_MS,
    });
    expect([differences, send]).toEqual([[], []]);
  });

  test("a field that is not spoken of is left alone", () => {
    const { send, differences } = compare({ ...sides({ sent: "A", base: "A", theirs: "X", ours: "A" }), ours: {} });
    expect([send, differences]).toEqual([[], []]);
  });
});

describe("the fields that are compared", () => {
  test("are all that a template has and an update can set", () => {
    const { id: _, verified_carriers: __, address, ...own } = addressTemplate();
    const { tax_id_number: ___, tax_id_type: ____, ...said } = address;
    expect(Object.keys(valuesOfTemplate(addressTemplate())).sort()).toEqual(
      [...Object.keys(own), ...Object.keys(said)].sort(),
    );
  });

  test("go both ways: to a template, to what is sent, and back", () => {
    const template = addressTemplate({ address_type: "to", default: true });
    const values = valuesOfTemplate(template);
    expect(valuesOfTemplate(templateWith(addressTemplate({ address_type: "from" }), values))).toEqual(values);
    expect(valuesOfDraft(draftOfValues(values, "from"))).toEqual(values);
    expect(patchOf({ ours: values, theirs: {}, send: ["address_type", "default"], whole: false })).toEqual({
      address_type: "to",
      default: true,
    });
  });

  test.each<[string, Case, string]>([
    ["nobody changed it", { sent: "from", base: "from", theirs: "from", ours: "from" }, "nothing"],
    ["somebody made it a destination", { sent: "from", base: "from", theirs: "to", ours: "from" }, "drift"],
    ["linked by hand as a destination", { sent: null, base: "to", theirs: "to", ours: "from" }, "send"],
    ["the service keeps it a destination", { sent: "from", base: "to", theirs: "to", ours: "from" }, "unkept"],
  ])("the kind of address: %s", (_name, { sent, base, theirs, ours }, expected) => {
    const values = (address_type: string | null): Values => ({ address_type });
    const link = {
      choices: [],
      accepted: [],
      differences: [],
      sent: sent === null ? null : values(sent),
    };
    const { send, differences } = compare({
      ours: values(ours),
      theirs: values(theirs),
      link: { ...link, base: values(base) },
      wipes: false,
      nowMs: NOW_MS,
    });
    expect(send.length > 0 ? "send" : (differences[0]?.kind ?? "nothing")).toBe(expected);
  });

  test("an answer without a kind of address says nothing of it", () => {
    const theirs = valuesOfTemplate(addressTemplate({ address_type: "" }));
    const ours: Values = { address_type: "from" };
    const link = { choices: [], accepted: [], differences: [], sent: ours, base: ours };
    expect(compare({ ours, theirs, link, wipes: false, nowMs: NOW_MS })).toMatchObject({ send: [], differences: [] });
  });
});

describe("the owner's choice", () => {
  const drift = { sent: "A", base: "A", theirs: "X", ours: "A" };

  test("ours is sent", () => {
    expect(verdict(drift, { choices: [{ field: "reference", choice: "ours", theirs: "X" }] })).toBe("send");
  });

  test("theirs is accepted and remembered, with both values", () => {
    const { accepted, differences, sent, base } = compare(
      sides(drift, { choices: [{ field: "reference", choice: "theirs", theirs: "X" }] }),
    );
    expect(differences).toEqual([]);
    expect(accepted).toEqual([{ field: "reference", ours: "A", theirs: "X" }]);
    expect([sent.reference, base.reference]).toEqual(["A", "X"]);
  });

  test("does not count when they changed it again since it was shown", () => {
    expect(verdict({ ...drift, theirs: "Z" }, { choices: [{ field: "reference", choice: "ours", theirs: "X" }] })).toBe(
      "drift",
    );
  });

  test("theirs holds until our side changes, then ours goes", () => {
    const accepted = [{ field: "reference" as const, ours: "A", theirs: "X" }];
    expect(verdict({ sent: "A", base: "X", theirs: "X", ours: "A" }, { accepted })).toBe("nothing");
    expect(verdict({ sent: "A", base: "X", theirs: "X", ours: "B" }, { accepted })).toBe("send");
    expect(verdict({ sent: "A", base: "X", theirs: "Z", ours: "A" }, { accepted })).toBe("drift");
  });
});

describe("a template linked by hand", () => {
  const adopted = { sent: null };

  test("ours is sent where it differs", () => {
    expect(verdict({ sent: null, base: "T", theirs: "T", ours: "A" }, adopted)).toBe("send");
  });

  test("its words stay where we have nothing to say", () => {
    const { send, differences, accepted } = compare(sides({ sent: null, base: "T", theirs: "T", ours: null }, adopted));
    expect([send, differences]).toEqual([[], []]);
    expect(accepted).toEqual([{ field: "reference", ours: null, theirs: "T" }]);
  });

  test("a change of theirs since it was shown is a conflict", () => {
    expect(verdict({ sent: null, base: "T", theirs: "X", ours: "A" }, adopted)).toBe("conflict");
  });
});

test("nobody's words are ever sent over, whatever the values", () => {
  const word = fc.constantFrom(null, "", "A", "B", "C", " A ");
  fc.assert(
    fc.property(word, word, word, word, (sent, base, theirs, ours) => {
      const { send } = compare(sides({ sent, base, theirs, ours }));
      const fold = (value: string | null) => (value ?? "").trim();
      if (send.length > 0) expect(fold(theirs)).toBe(fold(base));
    }),
  );
});

test("what was noticed keeps its time as long as it is the same", () => {
  const before = {
    field: "reference" as const,
    kind: "drift" as const,
    ours: "A",
    theirs: "X",
    base: "A",
    noticedAtMs: 5,
  };
  const given = { sent: "A", base: "A", theirs: "X", ours: "A" };
  expect(compare(sides(given, { differences: [before] })).differences).toEqual([before]);
  expect(compare(sides({ ...given, theirs: "Z" }, { differences: [before] })).differences[0]!.noticedAtMs).toBe(NOW_MS);
});

describe("what is sent", () => {
  const theirs: Values = { name: "Ana", street1: "Calle", reference: "X" };

  test("only the fields that changed", () => {
    const patch = patchOf({
      ours: { name: "Eva", alias_name: "B", default: "true" },
      theirs,
      send: ["name", "alias_name", "default"],
      whole: false,
    });
    expect(patch).toEqual({ alias_name: "B", default: true, address_attributes: { name: "Eva" } });
  });

  test("the whole address, with theirs where ours does not go", () => {
    const { address_attributes } = patchOf({
      ours: { name: "Eva", reference: "O" },
      theirs: { ...valuesOfTemplate(addressTemplate()), ...theirs },
      send: ["name"],
      whole: true,
    });
    expect(Object.keys(address_attributes!)).toEqual([...ADDRESS_FIELDS]);
    expect(address_attributes).toMatchObject({ name: "Eva", street1: "Calle", reference: "X" });
  });

  test("no field that is never null and that nobody has a value for, but where somebody wants it empty", () => {
    const sides = { ours: { name: "Eva", email: "" }, theirs: { ...theirs, phone: "", email: "eva@example.com" } };
    const { address_attributes: kept } = patchOf({ ...sides, send: ["name"], whole: true });
    expect(kept).not.toHaveProperty("phone");
    expect(kept).toMatchObject({ email: "eva@example.com", company: null });
    const { address_attributes: wanted } = patchOf({ ...sides, send: ["email"], whole: true });
    expect(wanted).toMatchObject({ email: "" });
  });

  test("what was emptied, also where nothing else goes", () => {
    const { address_attributes } = patchOf({
      ours: {},
      theirs: { ...theirs, street1: "" },
      send: [],
      whole: false,
      emptied: { street1: "Calle" },
    });
    expect(address_attributes).toMatchObject({ name: "Ana", street1: "Calle", reference: "X" });
  });

  test("what was emptied, also where the empty field is in dispute", () => {
    const { address_attributes } = patchOf({
      ours: {},
      theirs: { ...theirs, street1: "" },
      send: [],
      whole: true,
      disputed: [{ field: "street1", theirs: "" }],
      emptied: { street1: "Calle" },
    });
    expect(address_attributes).toMatchObject({ name: "Ana", street1: "Calle", reference: "X" });
  });

  test("what they had said in a field that was emptied since", () => {
    const disputed = [{ field: "reference" as const, theirs: "X" }];
    const { address_attributes } = patchOf({
      ours: { name: "Eva" },
      theirs: { ...theirs, reference: null },
      send: ["name"],
      whole: true,
      disputed,
    });
    expect(address_attributes).toMatchObject({ reference: "X" });
  });

  test("no address where only the alias changed", () => {
    expect(patchOf({ ours: { alias_name: "B" }, theirs, send: ["alias_name"], whole: true })).toEqual({
      alias_name: "B",
    });
  });
});
