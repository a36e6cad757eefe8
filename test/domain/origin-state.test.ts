import { describe, expect, test } from "vitest";
import type { DetailsRecord, LocationRecord, Policies, WorkItemReason } from "../../app/domain/records.ts";
import { DEFAULT_POLICIES } from "../../app/domain/records.ts";
import type { OriginFacts } from "../../app/domain/origin-state.ts";
import { carrierStandings } from "../../app/domain/verification/carrier-standing.ts";
import { DEFAULT_VERIFICATION_WORDS } from "../../app/domain/verification/verification.ts";
import { canInclude, exclusionOf, isUnderWay, originState } from "../../app/domain/origin-state.ts";
import { readinessOf, turnOf } from "../../app/domain/readiness.ts";
import type { ComposedOrigin } from "../../app/domain/address/address.ts";
import { ADDRESS_FIELDS } from "../../app/domain/address/address.ts";
import {
  NOW_MS,
  addressTemplate,
  connectionRecord,
  detailsRecord as emptyDetails,
  linkRecord as newLink,
  locationRecord,
  workItemRecord as newWorkItem,
  verificationRecord as newVerification,
} from "../fakes/records.ts";

/**
 * Which state, exclusion and readiness follow from what is known of an origin.
 *
 * Long, because a state is decided by which rule comes first, so all rules stand in one table.
 */

const detailsRecord = (over: Parameters<typeof emptyDetails>[0] = {}) =>
  emptyDetails({ confirmedAtMs: NOW_MS, ...over });
const linkRecord = (over: Parameters<typeof newLink>[0] = {}) =>
  newLink({ syncedAtMs: NOW_MS, answered: addressTemplate(), ...over });
const workItemRecord = (over: Parameters<typeof newWorkItem>[0] = {}) =>
  newWorkItem({ observedGeneration: 1, ...over });
const verificationRecord = (over: Parameters<typeof newVerification>[0] = {}) =>
  newVerification({ outcome: "accepted", addressKey: "here", ...over });

function composedOrigin(over: Partial<ComposedOrigin> = {}): ComposedOrigin {
  const { address } = addressTemplate();
  const fields = Object.fromEntries(
    ADDRESS_FIELDS.map((field) => [field, { value: address[field], source: "shopify", confidence: "sure" }]),
  ) as ComposedOrigin["fields"];
  return { fields, attributes: address, problems: [], splitLapsed: false, ...over };
}

const REFUSED = connectionRecord({ state: "invalid" });
const ABROAD = { ...locationRecord().address, countryCode: "US" };
const POLICIES = { ...DEFAULT_POLICIES, carriers: ["fedex", "dhl"] };

function facts(changes: Partial<OriginFacts> = {}): OriginFacts {
  return {
    location: locationRecord(),
    details: detailsRecord(),
    policies: POLICIES,
    composed: composedOrigin(),
    link: linkRecord(),
    item: workItemRecord(),
    verifications: [verificationRecord(), verificationRecord({ carrier: "dhl" })],
    connection: connectionRecord(),
    addressKey: "here",
    behind: false,
    meantKey: null,
    words: DEFAULT_VERIFICATION_WORDS,
    nowMs: NOW_MS,
    ...changes,
  };
}

function blocked(code: WorkItemReason["code"]) {
  return workItemRecord({
    state: "blocked",
    reason: { code, message: null, fields: null, requestId: null, atMs: NOW_MS },
  });
}

const difference = { field: "phone", ours: "1", theirs: "2", base: "1", noticedAtMs: NOW_MS } as const;
const incomplete = composedOrigin({
  attributes: null,
  problems: [{ field: "email", code: "missing", severity: "error" }],
});

describe("the state of an origin", () => {
  test.each<[string, Partial<OriginFacts>, ReturnType<typeof originState>]>([
    ["everything done", {}, "ready"],
    ["a fulfilment service's location", { location: locationRecord({ isFulfillmentService: true }) }, "not_included"],
    ["paused by hand", { details: detailsRecord({ paused: true }) }, "paused"],
    ["sync is off for the shop", { policies: { ...POLICIES, syncOn: false } }, "paused"],
    ["nobody looked at it yet", { details: null }, "to_review"],
    [
      "saved by hand, not confirmed",
      { details: detailsRecord({ confirmedAtMs: null }), composed: incomplete },
      "to_review",
    ],
    ["a likely template waits for a choice", { item: blocked("adoption_choice"), link: null }, "to_review"],
    ["the template belongs to another shop", { item: blocked("template_taken"), link: null }, "to_review"],
    ["an email is missing", { composed: incomplete, item: blocked("incomplete") }, "incomplete"],
    ["a change is due", { item: workItemRecord({ generation: 2 }) }, "changing"],
    [
      "a change is running, its lease alive",
      { item: workItemRecord({ generation: 2, leaseUntilMs: NOW_MS + 1, dueAtMs: NOW_MS + 60_000 }) },
      "changing",
    ],
    [
      "a conflict",
      { link: linkRecord({ differences: [{ ...difference, kind: "conflict" }] }), item: blocked("conflict") },
      "conflict",
    ],
    [
      "a conflict beside drift",
      {
        link: linkRecord({
          differences: [
            { ...difference, kind: "drift" },
            { ...difference, field: "rfc", kind: "conflict" },
          ],
        }),
      },
      "conflict",
    ],
    [
      "deleted in the service",
      { link: linkRecord({ missingSinceMs: NOW_MS }), item: blocked("missing_there") },
      "missing_there",
    ],
    ["refused by the service", { item: blocked("refused_by_service") }, "refused_by_service"],
    [
      "refused by a chosen carrier",
      { verifications: [verificationRecord({ outcome: "refused" })] },
      "refused_by_carrier",
    ],
    [
      "refused by a carrier nobody chose",
      {
        verifications: [
          verificationRecord(),
          verificationRecord({ carrier: "dhl" }),
          verificationRecord({ carrier: "ampm", outcome: "refused" }),
        ],
      },
      "ready",
    ],
    [
      "a refusal of the former address",
      { verifications: [verificationRecord({ outcome: "refused", addressKey: "there" })] },
      "unverified",
    ],
    ["drift", { link: linkRecord({ differences: [{ ...difference, kind: "drift" }] }) }, "drift"],
    [
      "a field the service did not keep",
      { link: linkRecord({ differences: [{ ...difference, kind: "unkept" }] }) },
      "drift",
    ],
    ["parked after many failures", { item: workItemRecord({ state: "parked", generation: 2 }) }, "parked"],
    [
      "the service is backed off",
      { item: workItemRecord({ generation: 2 }), connection: connectionRecord({ backoffUntilMs: NOW_MS + 5_000 }) },
      "waiting",
    ],
    [
      "its own failure backs off",
      { item: workItemRecord({ generation: 2, failures: 2, dueAtMs: NOW_MS + 8_000 }) },
      "waiting",
    ],
    ["no connection", { connection: null }, "waiting"],
    ["words were saved that no run has come to", { behind: true }, "changing"],
    [
      "such words, while the service is backed off",
      { behind: true, connection: connectionRecord({ backoffUntilMs: NOW_MS + 5_000 }) },
      "waiting",
    ],
    [
      "such words, which the service had refused before",
      { behind: true, item: blocked("refused_by_service") },
      "refused_by_service",
    ],
    ["what was missing has been saved for the whole shop", { item: blocked("incomplete") }, "changing"],
    ["its last run was kept out by Shopify", { item: blocked("shopify_refused") }, "waiting"],
    ["its last run could not read the secret", { item: blocked("secret_unreadable") }, "waiting"],
    ["the credentials are refused, and nothing is to be saved", { connection: REFUSED }, "ready"],
    [
      "the credentials are refused, which stopped a run with nothing to save",
      { connection: REFUSED, item: blocked("invalid_client") },
      "ready",
    ],
    ["the credentials are refused, and a change waits", { connection: REFUSED, behind: true }, "waiting"],
    [
      "the credentials are refused, which stopped a change",
      { connection: REFUSED, behind: true, item: blocked("invalid_client") },
      "waiting",
    ],
    [
      "the credentials are refused, and a carrier was never asked",
      { connection: REFUSED, verifications: [] },
      "waiting",
    ],
    [
      "Shopify stopped its run, and the credentials are refused",
      { connection: REFUSED, item: blocked("shopify_refused") },
      "waiting",
    ],
    [
      "it is not known whether this is the same account",
      { connection: connectionRecord({ state: "unconfirmed" }) },
      "waiting",
    ],
    ["confirmed and not written yet", { link: null, connection: connectionRecord({ state: "invalid" }) }, "waiting"],
    [
      "a carrier has not answered",
      { verifications: [verificationRecord(), verificationRecord({ carrier: "dhl", outcome: "pending" })] },
      "verifying",
    ],
    ["a carrier was never asked", { verifications: [verificationRecord()] }, "unverified"],
    [
      "a word nobody knows is not a yes",
      { verifications: [verificationRecord(), verificationRecord({ carrier: "dhl", outcome: "unknown" })] },
      "unverified",
    ],
    [
      "a yes of the former address",
      { verifications: [verificationRecord(), verificationRecord({ carrier: "dhl", addressKey: "there" })] },
      "unverified",
    ],
    [
      "a carrier that does not verify",
      { verifications: [verificationRecord(), verificationRecord({ carrier: "dhl", outcome: "not_offered" })] },
      "ready",
    ],
    ["no carriers chosen", { policies: { ...POLICIES, carriers: [] }, verifications: [] }, "ready"],
  ])("%s", (_title, changes, expected) => {
    expect(originState(facts(changes))).toBe(expected);
  });

  test("a page asks again only while something moves", () => {
    expect(isUnderWay(facts())).toBe(false);
    expect(isUnderWay(facts({ item: workItemRecord({ generation: 2 }) }))).toBe(true);
    expect(isUnderWay(facts({ item: workItemRecord({ generation: 2 }), connection: null }))).toBe(false);
    expect(isUnderWay(facts({ item: workItemRecord({ generation: 2, dueAtMs: NOW_MS + 1 }) }))).toBe(false);
  });
});

describe("which locations are origins", () => {
  test.each<
    [
      string,
      Partial<LocationRecord>,
      { inclusion?: DetailsRecord["inclusion"]; locations?: Policies["locations"] },
      string | null,
    ]
  >([
    ["ships online orders", {}, {}, null],
    ["deleted, whatever the owner said", { deletedAtMs: NOW_MS }, { inclusion: "always" }, "deleted"],
    ["deactivated, whatever the owner said", { isActive: false }, { inclusion: "always" }, "inactive"],
    ["abroad, whatever the owner said", { address: ABROAD }, { inclusion: "always" }, "abroad"],
    ["abroad, and taken out before", { address: ABROAD }, { inclusion: "never" }, "abroad"],
    ["abroad and deleted", { address: ABROAD, deletedAtMs: NOW_MS }, {}, "deleted"],
    ["in Mexico, in small letters", { address: { ...ABROAD, countryCode: " mx" } }, {}, null],
    ["without a country", { address: { ...ABROAD, countryCode: null } }, {}, null],
    ["unlinked by hand", {}, { inclusion: "never" }, "excluded"],
    ["a fulfilment service's, by hand", { isFulfillmentService: true }, { inclusion: "always" }, null],
    ["a fulfilment service's", { isFulfillmentService: true }, { locations: "all_active" }, "fulfillment_service"],
    ["ships no online orders", { fulfillsOnlineOrders: false }, {}, "not_online"],
    ["ships no online orders, all wanted", { fulfillsOnlineOrders: false }, { locations: "all_active" }, null],
    ["chosen by hand only", {}, { locations: "by_hand" }, "by_hand"],
  ])("%s", (_title, location, { inclusion = "policy", locations = "online" }, expected) => {
    const reason = exclusionOf({
      location: locationRecord(location),
      details: detailsRecord({ inclusion }),
      policies: { ...POLICIES, locations },
    });
    expect(reason).toBe(expected);
  });

  test("what Shopify itself took away cannot be included by a button", () => {
    expect(canInclude("deleted")).toBe(false);
    expect(canInclude("inactive")).toBe(false);
    expect(canInclude("abroad")).toBe(false);
    expect(canInclude("not_online")).toBe(true);
  });
});

describe("what carriers say", () => {
  test("the shop's carriers come first, asked or not, then the others", () => {
    const standings = carrierStandings(
      facts({
        verifications: [
          verificationRecord({ carrier: "zeta" }),
          verificationRecord({ carrier: "dhl", addressKey: "there" }),
        ],
      }),
    );
    expect(standings.map(({ carrier, outcome, stale, chosen }) => [carrier, outcome, stale, chosen])).toEqual([
      ["fedex", "not_asked", false, true],
      ["dhl", "accepted", true, true],
      ["zeta", "accepted", false, false],
    ]);
  });

  const wanted = [
    verificationRecord({ outcome: "wanted", question: "wanted" }),
    verificationRecord({ carrier: "dhl", question: "wanted" }),
  ];
  const said = (connection: OriginFacts["connection"]) =>
    carrierStandings(facts({ connection, verifications: wanted })).map(({ outcome, question }) => [outcome, question]);

  test("a carrier that is about to be asked is shown as that", () => {
    expect(said(connectionRecord())).toEqual([
      ["wanted", "wanted"],
      ["accepted", "wanted"],
    ]);
  });

  test.each([
    ["none", null],
    ["refused", REFUSED],
    ["set aside", connectionRecord({ state: "aside", current: false })],
    ["unconfirmed", connectionRecord({ state: "unconfirmed" })],
  ])("nobody is being asked over a closed connection (%s)", (_name, connection) => {
    expect(said(connection)).toEqual([
      ["not_asked", null],
      ["accepted", null],
    ]);
  });

  test("what a refused connection holds back is no step of the owner's", () => {
    const items = readinessOf(facts({ connection: REFUSED, verifications: wanted }));
    expect(items.filter(({ code }) => code === "carrier")).toMatchObject([{ follows: true }, { met: true }]);
    expect(items.find(({ code }) => code === "connection")).not.toHaveProperty("follows");
  });
});

describe("what the account says of a carrier is read with the deployment's words", () => {
  const meaning = (status: string | null, words?: OriginFacts["words"]) => {
    const verifications = [verificationRecord({ outcome: "seen", status })];
    return carrierStandings(facts({ verifications, ...(words ? { words } : {}) }))[0]!.meaning;
  };

  test.each([
    ["verified", "accepted"],
    ["In Review", "pending"],
    ["rejected", "refused"],
    ["en_limbo", "unknown"],
    [null, "unknown"],
  ])("%s: %s", (status, expected) => {
    expect(meaning(status)).toBe(expected);
  });

  test("a deployment's own word", () => {
    expect(meaning("listo", { listo: "accepted" })).toBe("accepted");
    expect(meaning("verified", { listo: "accepted" })).toBe("unknown");
  });
});

describe("readiness", () => {
  test("a ready origin has nothing left to do", () => {
    expect(readinessOf(facts()).every((item) => item.met)).toBe(true);
  });

  test("tells what follows by itself from what waits for the owner", () => {
    const left = (over: Parameters<typeof facts>[0]) =>
      readinessOf(facts(over))
        .filter((item) => !item.met)
        .map((item) => [item.code, "follows" in item]);
    expect(left({ link: null, verifications: [] })).toEqual([
      ["saved_there", true],
      ["carrier", true],
      ["carrier", true],
    ]);
    // Whether it is added again is the owner's to say, and nobody asks a carrier before.
    expect(left({ link: linkRecord({ missingSinceMs: 1 }), verifications: [] })).toEqual([
      ["saved_there", false],
      ["carrier", false],
      ["carrier", false],
    ]);
  });

  test("a difference is the one step, and what carriers said of another address is no step before it", () => {
    const link = linkRecord({ differences: [{ ...difference, field: "postal_code", kind: "conflict" }] });
    const verifications = [verificationRecord({ addressKey: "before" })];
    const items = readinessOf(facts({ link, verifications })).filter(({ met }) => !met);
    expect(items.map((item) => [item.code, turnOf(item)])).toEqual([
      ["agreed", "yours"],
      ["carrier", "later"],
      ["carrier", "yours"],
    ]);
    expect(readinessOf(facts({ link, verifications })).map(({ code }) => code)).not.toContain("saved_there");
  });

  test("where a location has moved, nothing of its new address is saved or accepted before the owner has confirmed it", () => {
    const problems = [{ field: "street1", code: "unconfirmed", severity: "error" }] as const;
    const composed = composedOrigin({ attributes: null, problems: [...problems], splitLapsed: true });
    const left = readinessOf(facts({ composed })).filter(({ met }) => !met);
    expect(left.map((item) => [item.code, turnOf(item)])).toEqual([
      ["field", "yours"],
      ["saved_there", "itself"],
      ["carrier", "itself"],
      ["carrier", "itself"],
    ]);
    expect(left[1]).toMatchObject({ again: true });
    expect(left[2]).toMatchObject({ outcome: "accepted", stale: true });
    const unasked = readinessOf(facts({ composed, verifications: [] })).find(({ code }) => code === "carrier");
    expect(unasked).toMatchObject({ outcome: "not_asked", stale: false });
  });

  test("a location of a store without an account is confirmed after the account is connected", () => {
    const details = detailsRecord({ confirmedAtMs: null });
    const turn = (connection: OriginFacts["connection"]) => {
      const items = readinessOf(facts({ link: null, verifications: [], details, connection }));
      return turnOf(items.find(({ code }) => code === "confirmed")!);
    };
    expect(turn(null)).toBe("later");
    expect(turn(facts().connection)).toBe("yours");
  });

  test("an address that somebody deleted there is told as that", () => {
    const items = readinessOf(facts({ link: linkRecord({ missingSinceMs: 1 }), verifications: [] }));
    expect(items).toContainEqual({ code: "saved_there", met: false, gone: true });
  });

  test("what stopped because of the connection follows once its owner has mended the connection", () => {
    const item = workItemRecord({
      state: "blocked",
      reason: { code: "invalid_client", message: null, fields: null, requestId: null, atMs: NOW_MS },
    });
    const left = readinessOf(facts({ item, behind: true, connection: REFUSED })).filter(({ met }) => !met);
    expect(left).toEqual([
      { code: "connection", met: false },
      { code: "saved_there", met: false, follows: true, again: true },
    ]);
  });

  test("what we could not save however often we tried is told, and is nobody's task", () => {
    const failing = workItemRecord({ generation: 2, observedGeneration: 1, failures: 9, failingSinceMs: 1 });
    const items = readinessOf(facts({ item: failing })).filter(({ met }) => !met);
    expect(items).toEqual([{ code: "saved_there", met: false, fails: true, again: true }]);
  });

  test("what is to be looked at again after a move is not told as reviewed", () => {
    const problems = [{ field: "street1", code: "unconfirmed", severity: "error" }] as const;
    const codes = (splitLapsed: boolean) =>
      readinessOf(facts({ composed: composedOrigin({ attributes: null, problems: [...problems], splitLapsed }) }))
        .filter(({ code }) => code === "confirmed" || code === "field")
        .map(({ code }) => code);
    expect(codes(true)).toEqual(["field"]);
    expect(codes(false)).toEqual(["field", "confirmed"]);
  });

  test("names each field that stops a send, and no warning", () => {
    const composed = composedOrigin({
      attributes: null,
      problems: [
        { field: "email", code: "missing", severity: "error" },
        { field: "rfc", code: "rfc_check_digit", severity: "warning" },
      ],
    });
    const silent = {
      code: "carrier",
      met: false,
      outcome: "not_asked",
      stale: false,
      status: null,
      meaning: "unknown",
    };
    const left = readinessOf(facts({ composed, verifications: [] })).filter((item) => !item.met);
    expect(left).toEqual([
      { code: "field", met: false, field: "email", problem: "missing" },
      { ...silent, carrier: "fedex" },
      { ...silent, carrier: "dhl" },
    ]);
  });
});
