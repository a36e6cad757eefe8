import { expect, test } from "vitest";
import type { CarriersLine } from "../../app/components/origins/carriers-line.ts";
import { carriersLine } from "../../app/components/origins/carriers-line.ts";
import type { CarrierStanding } from "../../app/domain/verification/carrier-standing.ts";

function standing(carrier: string, over: Partial<CarrierStanding>): CarrierStanding {
  return {
    ...{ carrier, outcome: "accepted", stale: false, question: null, status: null, meaning: "unknown" },
    ...{ askedAtMs: null, changedAtMs: null, checkedAtMs: null, chosen: true },
    ...over,
  } as CarrierStanding;
}

const accepted = standing("fedex", {});
const refused = standing("dhl", { outcome: "refused" });
const pending = standing("ups", { outcome: "pending", question: "asked" });
const unasked = standing("ups", { outcome: "not_asked" });

test.for<[string, CarrierStanding[], CarriersLine]>([
  ["nobody was chosen", [standing("dhl", { chosen: false })], { kind: "none" }],
  [
    "one that is not the store's refuses",
    [accepted, { ...refused, chosen: false }],
    { kind: "accepted", accepted: 1, of: 1 },
  ],
  ["all have accepted", [accepted, standing("dhl", {})], { kind: "accepted", accepted: 2, of: 2 }],
  [
    "one does not verify",
    [accepted, standing("ups", { outcome: "not_offered" })],
    { kind: "accepted", accepted: 1, of: 1 },
  ],
  ["one refuses", [accepted, refused, pending], { kind: "refused", carriers: ["dhl"] }],
  ["one refused an earlier address", [accepted, { ...refused, stale: true }], { kind: "part", accepted: 1, of: 2 }],
  [
    "one said neither",
    [accepted, standing("ups", { outcome: "unknown" })],
    { kind: "inconclusive", carriers: ["ups"] },
  ],
  [
    "one said nothing for long",
    [accepted, standing("ups", { outcome: "no_answer", question: "asked" })],
    { kind: "no_answer", carriers: ["ups"] },
  ],
  ["one is awaited", [accepted, pending], { kind: "part", accepted: 1, of: 2 }],
  [
    "all accepted what stands in the account, and it is to be changed",
    [standing("fedex", { stale: true }), standing("dhl", { stale: true, outcome: "refused" })],
    { kind: "before", accepted: 1, of: 2 },
  ],
  ["nobody was asked", [unasked], { kind: "not_asked" }],
])("%s", ([_title, standings, expected]) => {
  expect(carriersLine(standings)).toEqual(expected);
});
