import { describe, expect, test } from "vitest";
import type { Groupable } from "../../app/views/group-entries.ts";
import { endsOf, groupEntries, tellsWho } from "../../app/views/group-entries.ts";

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

const asked = (carrier: string, over: Partial<Groupable> = {}) =>
  entry({ carrier, kind: "verification_asked", actor: "sync", outcome: "waiting", detail: null, ...over });
const carriersOf = (entries: Groupable[]) => groupEntries(entries).map((group) => group.map(({ carrier }) => carrier));

describe("one verification is one line", () => {
  test("what was asked and what was answered, also where the answers differ", () => {
    const told = [
      entry({ carrier: "dhl", kind: "verification_refused", outcome: "failed" }),
      entry({ carrier: "estafeta" }),
      entry(),
      asked("estafeta"),
      asked("dhl"),
      asked("fedex"),
    ];
    const [group, ...others] = groupEntries(told);
    expect([group, others]).toEqual([told, []]);
    expect(endsOf(group!).map(({ kind, entries }) => [kind, ...entries.map(({ carrier }) => carrier)])).toEqual([
      ["verification_accepted", "fedex", "estafeta"],
      ["verification_refused", "dhl"],
    ]);
  });

  test("whatever other locations' lines stand between", () => {
    const other = { templateId: "t2", legacyId: "2" };
    const told = [entry(), entry(other), entry({ carrier: "dhl" }), asked("fedex", other), asked("fedex")];
    expect(groupEntries(told)).toEqual([
      [told[0], told[2], told[4]],
      [told[1], told[3]],
    ]);
  });

  test("what was wanted first is its beginning", () => {
    const told = [entry(), asked("fedex"), asked("fedex", { kind: "verification_wanted" })];
    expect(groupEntries(told)).toEqual([told]);
  });
});

test("a question that somebody asked for is that person's, and an answer is whose it is", () => {
  const wanted = asked("fedex", { kind: "verification_wanted", actor: "owner", outcome: "noted" });
  expect(tellsWho([wanted]).actor).toBe("owner");
  expect(tellsWho([asked("fedex"), wanted]).actor).toBe("owner");
  expect(tellsWho([asked("fedex")]).actor).toBe("sync");
  expect(tellsWho([asked("fedex"), wanted, asked("dhl")]).actor).toBe("sync");
  expect(tellsWho([entry(), asked("fedex"), wanted]).actor).toBe("service");
});

test("what was answered before it was asked again is the verification before", () => {
  expect(carriersOf([entry(), asked("fedex"), entry(), asked("fedex")])).toEqual([
    ["fedex", "fedex"],
    ["fedex", "fedex"],
  ]);
});

test.for<[string, Partial<Groupable>]>([
  ["another location", { legacyId: "2", templateId: "t2" }],
  ["a quarter of an hour later", { atMs: 15 * MINUTE_MS }],
  ["no carrier", { carrier: null }],
  ["fields of its own", { fields: [{ field: "street1", from: "a", to: "b" }] }],
  ["something else", { kind: "template_updated" }],
])("%s is a line of its own", ([_what, over]) => {
  expect(groupEntries([entry(), entry({ carrier: "dhl", ...over })])).toHaveLength(2);
});

test("what else happened to the address stands between two verifications, and the order stays", () => {
  const update = entry({ kind: "template_updated", carrier: null });
  expect(carriersOf([entry(), update, entry({ carrier: "dhl" })])).toEqual([["fedex"], [null], ["dhl"]]);
});

test("an answer that a carrier changed unasked is news of its own, and makes no news of what others said before", () => {
  const before = [entry({ carrier: "dhl" }), entry(), asked("dhl"), asked("fedex")];
  const news = entry({ carrier: "dhl", kind: "verification_refused" });
  expect(carriersOf([news, ...before])).toEqual([["dhl"], ["dhl", "fedex", "dhl", "fedex"]]);
  const unclear = entry({ kind: "verification_unknown" });
  expect(carriersOf([unclear, news, ...before])).toEqual([["fedex"], ["dhl"], ["dhl", "fedex", "dhl", "fedex"]]);
  expect(carriersOf([news, asked("dhl"), ...before])).toEqual([
    ["dhl", "dhl"],
    ["dhl", "fedex", "dhl", "fedex"],
  ]);
});
