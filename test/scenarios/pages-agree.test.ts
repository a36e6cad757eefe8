import { describe, expect, test } from "vitest";
import type { ExclusionReason, OriginState } from "../../app/domain/origin-state.ts";
import type { Outlook } from "../../app/domain/readiness.ts";
import { countSteps } from "../../app/domain/readiness.ts";
import { expectAgreement, readFour } from "./agree/four-views.ts";
import { ASKED, because, differing, worldOf } from "./agree/kept.ts";
import type { Kept } from "./agree/kept.ts";
import { mexicanAddress } from "../fakes/world.ts";

/**
 * Each state of an origin, as the list, its page, Home and the order's page say it: who has something to do, whether labels can be made, and
 * what happens by itself. None may say otherwise than another. A new state without a row does not compile.
 */

type Row = readonly [name: string, kept: Kept, said: Outlook];

const ROWS: Record<OriginState, readonly [Row, ...Row[]]> = {
  not_included: [["it is not in use", { details: { inclusion: "never" } }, { attention: "none", ships: "no" }]],
  paused: [
    ["it is paused", { details: { paused: true } }, { attention: "none", ships: "yes" }],
    ["syncing is off", { policies: { syncOn: false } }, { attention: "none", ships: "yes" }],
  ],
  to_review: [["nobody reviewed it", { details: null, link: null, carriers: [] }, { attention: "yours", ships: "no" }]],
  incomplete: [
    [
      "something is missing",
      { location: { address: { ...mexicanAddress(), address2: null } }, link: null, carriers: [] },
      { attention: "yours", ships: "no" },
    ],
    [
      "it moved in Shopify, and something is missing now",
      { location: { address: { ...mexicanAddress(), address2: null } } },
      { attention: "yours", ships: "yes" },
    ],
  ],
  changing: [
    ["a change is due", { item: { generation: 2 } }, { attention: "itself", ships: "yes" }],
    ["Shopify told of a change that is still to be read", { told: true }, { attention: "itself", ships: "yes" }],
    ["it is being made", { link: null, carriers: [], item: { generation: 2 } }, { attention: "itself", ships: "no" }],
  ],
  conflict: [["it changed on both sides", { link: differing("conflict") }, { attention: "yours", ships: "yes" }]],
  missing_there: [
    ["it was deleted in the account", { link: { missingSinceMs: 1 } }, { attention: "yours", ships: "no" }],
  ],
  refused_by_service: [
    ["the service refuses a change", { item: because("refused_by_service") }, { attention: "yours", ships: "yes" }],
  ],
  refused_by_carrier: [
    ["a carrier refuses it", { carriers: [{ outcome: "refused" }] }, { attention: "yours", ships: "unverified" }],
    [
      "one carrier accepts it and the other refuses it",
      {
        policies: { carriers: ["fedex", "dhl"] },
        carriers: [{}, { carrier: "dhl", outcome: "refused" }],
      },
      { attention: "yours", ships: "some" },
    ],
    [
      "a carrier refused it, and a look at it waits",
      { item: { generation: 2, failures: 2, dueAtMs: 4_000_000_000_000 }, carriers: [{ outcome: "refused" }] },
      { attention: "yours", ships: "unverified" },
    ],
  ],
  drift: [["it changed in the account", { link: differing("drift") }, { attention: "yours", ships: "yes" }]],
  parked: [
    [
      "it keeps failing",
      { item: { generation: 2, state: "parked", failures: 20, failingSinceMs: 1 } },
      { attention: "yours", ships: "yes" },
    ],
  ],
  unverified: [
    ["no carrier was asked", { carriers: [] }, { attention: "yours", ships: "unverified" }],
    [
      "a carrier's answer is neither yes nor no",
      { carriers: [{ outcome: "unknown", status: "under_observation" }] },
      { attention: "yours", ships: "unverified" },
    ],
    [
      "a carrier's answer is neither yes nor no, and it is looked at further",
      { carriers: [{ outcome: "unknown", status: "under_observation", question: "asked", askedAtMs: 1 }] },
      { attention: "yours", ships: "unverified" },
    ],
    [
      "a carrier gives no answer",
      { carriers: [{ outcome: "no_answer", question: "asked", askedAtMs: 1 }] },
      { attention: "yours", ships: "unverified" },
    ],
    [
      "one carrier answers and the other was not asked",
      { policies: { carriers: ["fedex", "dhl"] }, carriers: [{ ...ASKED }] },
      { attention: "yours", ships: "unverified" },
    ],
  ],
  waiting: [
    [
      "the service is away, and a look at the origin waits",
      { item: { generation: 2 }, rests: true },
      { attention: "itself", ships: "yes" },
    ],
    [
      "its own try failed once",
      { item: { generation: 2, failures: 2, dueAtMs: 4_000_000_000_000 } },
      { attention: "itself", ships: "yes" },
    ],
    [
      "the credentials are refused, and a change waits",
      { connection: { state: "invalid" }, item: { generation: 2 } },
      { attention: "yours", ships: "yes" },
    ],
    [
      "the credentials are refused before it is in the account",
      { connection: { state: "invalid" }, link: null, carriers: [] },
      { attention: "yours", ships: "no" },
    ],
    ["the account is to be confirmed", { connection: { state: "unconfirmed" } }, { attention: "yours", ships: "yes" }],
  ],
  verifying: [["a carrier is asked", { carriers: [{ ...ASKED }] }, { attention: "itself", ships: "unverified" }]],
  ready: [
    ["all is done", {}, { attention: "none", ships: "yes" }],
    [
      "the credentials are refused, and nothing of it waits",
      { connection: { state: "invalid" } },
      { attention: "none", ships: "yes" },
    ],
    ["no carrier is chosen", { policies: { carriers: [] }, carriers: [] }, { attention: "none", ships: "yes" }],
    ["a carrier does not verify", { carriers: [{ outcome: "not_offered" }] }, { attention: "none", ships: "yes" }],
  ],
};

const NOT_INCLUDED: Record<ExclusionReason, Kept> = {
  deleted: { location: { deletedAtMs: 1 } },
  inactive: { location: { isActive: false } },
  abroad: { location: { address: { ...mexicanAddress(), countryCode: "GT" } } },
  fulfillment_service: { location: { isFulfillmentService: true } },
  not_online: { location: { fulfillsOnlineOrders: false } },
  by_hand: { policies: { locations: "by_hand" } },
  excluded: { details: { inclusion: "never" } },
};

const CASES = Object.entries(ROWS).flatMap(([state, rows]) =>
  rows.map(([name, kept, said]) => [name, { kept, said: { state, ...said } }] as const),
);

describe("the list, the page, Home and the order's page agree", () => {
  test.each(CASES)("%s", async (_name, { kept, said }) => {
    const views = await readFour(await worldOf(kept));
    expect({ state: views.row.state, ...views.row.outlook }).toEqual(said);
    expectAgreement(views);
  });

  test.each(Object.entries(NOT_INCLUDED))("a location is no origin: %s", async (exclusion, kept) => {
    const views = await readFour(await worldOf(kept));
    expect([views.row.state, views.page.exclusion]).toEqual(["not_included", exclusion]);
    expectAgreement(views);
  });

  test("one missing field is one thing to do, however much comes after it", async () => {
    const { page } = await readFour(await worldOf(ROWS.incomplete[0][1]));
    expect(page.readiness.filter(({ met }) => !met).length).toBeGreaterThan(1);
    expect(countSteps(page.readiness)).toBe(1);
  });
});
