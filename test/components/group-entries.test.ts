import { expect, test } from "vitest";
import type { Groupable } from "../../app/components/activity/group-entries.ts";
import { groupEntries } from "../../app/components/activity/group-entries.ts";

const MINUTE_MS = 60_000;

function entry(over: Partial<Groupable> = {}): Groupable {
  return {
    atMs: 0,
    actor: "service",
    kind: "verification_accepted",
    carrier: "fedex",
    fields: [],
    outcome: "noted",
    detail: "verified",
    templateId: "t1",
    legacyId: "1",
    ...over,
  };
}

const carriersOf = (entries: Groupable[]) => groupEntries(entries).map((group) => group.map(({ carrier }) => carrier));

test("what several carriers said of one address in turn is one line", () => {
  const told = [entry({ carrier: "dhl" }), entry(), entry({ carrier: "estafeta", detail: "approved" })];
  expect(carriersOf(told)).toEqual([["dhl", "fedex", "estafeta"]]);
});

test.for<[string, Partial<Groupable>]>([
  ["another location", { legacyId: "2", templateId: "t2" }],
  ["another outcome", { outcome: "failed" }],
  ["another step", { kind: "verification_pending" }],
  ["somebody else", { actor: "owner" }],
  ["a quarter of an hour later", { atMs: 15 * MINUTE_MS }],
  ["the same carrier again", { carrier: "fedex" }],
  ["no carrier", { carrier: null }],
  ["fields of its own", { fields: [{ field: "street1", from: "a", to: "b" }] }],
])("%s is a line of its own", ([_what, over]) => {
  expect(groupEntries([entry(), entry({ carrier: "dhl", ...over })])).toHaveLength(2);
});

test("words that nobody knows are each quoted", () => {
  const unknown = (carrier: string, detail: string) => entry({ carrier, detail, kind: "verification_unknown" });
  expect(carriersOf([unknown("fedex", "en_orbita"), unknown("dhl", "en_vuelo")])).toEqual([["fedex"], ["dhl"]]);
});

test("what stands between two keeps them apart, and the order stays", () => {
  const update = entry({ kind: "template_updated", carrier: null });
  expect(carriersOf([entry(), update, entry({ carrier: "dhl" })])).toEqual([["fedex"], [null], ["dhl"]]);
});
