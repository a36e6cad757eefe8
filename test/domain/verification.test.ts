import { describe, expect, test } from "vitest";
import {
  afterLook,
  DEFAULT_VERIFICATION_WORDS,
  entryFor,
  meaningOf,
  nextPollAtMs,
  saysNotOffered,
} from "../../app/domain/verification.ts";
import type { VerifiedCarrier } from "../../app/domain/records.ts";
import { addressTemplate, NOW_MS, verificationRecord } from "../fakes/records.ts";

const words = DEFAULT_VERIFICATION_WORDS;
const entry = (over: Partial<VerifiedCarrier>): VerifiedCarrier => ({
  carrier_name: "fedex",
  status: "pending",
  update_state: null,
  verification_id: null,
  ...over,
});

describe("words", () => {
  test.each([
    ["pending_to_send", "pending"],
    ["Process", "pending"],
    ["APPROVED", "accepted"],
    ["in process", "pending"],
    ["rejected", "refused"],
    ["ready", "unknown"],
    ["constructor", "unknown"],
    ["", "unknown"],
  ])("%j means %s", (word, meaning) => {
    expect(meaningOf(words, word)).toBe(meaning);
  });

  test("deployment may replace them", () => {
    expect(meaningOf({ listo: "accepted" }, "Listo")).toBe("accepted");
    expect(meaningOf({ listo: "accepted" }, "approved")).toBe("unknown");
  });
});

describe("a look", () => {
  const look = { words, nowMs: NOW_MS + 10_000 };
  const asked = verificationRecord({
    outcome: "pending",
    baseline: { status: "approved", updateState: null, verificationId: "v1" },
  });

  test("that shows what was there before it was asked is no new answer", () => {
    const after = afterLook(asked, entry({ status: "approved", verification_id: "v1" }), look);
    expect(after).toMatchObject({ outcome: "pending", polls: 1, checkedAtMs: look.nowMs });
  });

  test.each([
    ["the status", { status: "rejected", verification_id: "v1" }, "refused"],
    ["the verification's id", { status: "approved", verification_id: "v2" }, "accepted"],
    ["the update state", { status: "approved", verification_id: "v1", update_state: "new" }, "accepted"],
  ])("counts when %s changed", (_name, over, outcome) => {
    expect(afterLook(asked, entry(over), look).outcome).toBe(outcome);
  });

  test("at a first entry counts", () => {
    const first = verificationRecord({ outcome: "pending", baseline: null });
    expect(afterLook(first, entry({ status: "approved" }), look)).toMatchObject({
      outcome: "accepted",
      nextPollAtMs: null,
    });
  });

  test("at an unknown word quotes it, follows it, and is not ready", () => {
    const after = afterLook(asked, entry({ status: "sent_to_moon" }), look);
    expect(after).toMatchObject({ outcome: "unknown", status: "sent_to_moon" });
    expect(after.nextPollAtMs).toBeGreaterThan(look.nowMs);
  });

  test("leaves what is about to be asked, and what a carrier does not offer, alone", () => {
    for (const outcome of ["wanted", "not_offered"] as const) {
      const record = verificationRecord({ outcome });
      expect(afterLook(record, entry({ status: "approved" }), look)).toBe(record);
    }
  });

  test("at a carrier we never asked is only seen", () => {
    const seen = verificationRecord({ outcome: "seen", askedAtMs: null });
    expect(afterLook(seen, entry({ status: "approved" }), look)).toMatchObject({ outcome: "seen", status: "approved" });
  });

  test("writes a line into the timeline when outcome or word changed, and only then", () => {
    const once = afterLook(asked, entry({ status: "process" }), look);
    const twice = afterLook(once, entry({ status: "process" }), look);
    expect(once.timeline.at(-1)).toMatchObject({ outcome: "pending", status: "process" });
    expect(twice.timeline).toEqual(once.timeline);
  });

  test("after seven days without news ends the following", () => {
    const late = { words, nowMs: NOW_MS + 7 * 24 * 3_600_000 };
    expect(afterLook(asked, null, late)).toMatchObject({ outcome: "no_answer", nextPollAtMs: null });
    expect(afterLook({ ...asked, outcome: "unknown", status: "x" }, null, late)).toMatchObject({
      outcome: "unknown",
      nextPollAtMs: null,
    });
  });
});

test("looks grow from seconds to hours", () => {
  const delays = [0, 1, 2, 6, 12, 20].map((polls) => nextPollAtMs({ polls, askedAtMs: 0, nowMs: 0 }));
  expect(delays).toEqual([5_000, 10_000, 20_000, 320_000, 14_400_000, 14_400_000]);
  let polls = 0;
  for (let atMs: number | null = 0; atMs !== null; polls += 1)
    atMs = nextPollAtMs({ polls, askedAtMs: 0, nowMs: atMs });
  expect(polls).toBeLessThan(60);
});

test("of several entries of a carrier the last counts", () => {
  const verified_carriers = [
    entry({ verification_id: "v1" }),
    entry({ verification_id: "v2" }),
    entry({ carrier_name: "dhl" }),
  ];
  expect(entryFor(addressTemplate({ verified_carriers }), "fedex")!.verification_id).toBe("v2");
  expect(entryFor(addressTemplate({ verified_carriers }), "estafeta")).toBeNull();
});

test.each([
  [{ code: "CARRIER_VERIFICATION_NOT_ENABLED", serviceMessage: null }, true],
  [{ code: null, serviceMessage: "carrier not_supported" }, true],
  [{ code: "ADDRESS_INVALID", serviceMessage: "no" }, false],
])("a refusal %j says that the carrier does not verify: %s", (problem, expected) => {
  expect(saysNotOffered(problem)).toBe(expected);
});
