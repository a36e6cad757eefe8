import { describe, expect, test } from "vitest";
import {
  asked,
  baselineOf,
  DEFAULT_VERIFICATION_WORDS,
  meaningOf,
  nextPollAtMs,
  saysNotOffered,
  UNKNOWN_ADDRESS,
  wanting,
} from "../../../app/domain/verification/verification.ts";
import { afterPollResult } from "../../../app/domain/verification/poll-result.ts";
import type { Look } from "../../../app/domain/verification/poll-result.ts";
import type { VerificationRecord, VerifiedCarrier } from "../../../app/domain/records.ts";
import { verificationRecord } from "../../fakes/records.ts";

/**
 * What carriers' words mean, look after look.
 *
 * Long, because each word, each time and each order of answers is a case.
 */

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

const DAY_MS = 24 * 3_600_000;
/** A Tuesday in Mexico: no weekend lies within the two business days after it. */
const ASKED_MS = Date.parse("2027-01-19T10:00:00-06:00");
const APPROVED = { status: "approved", verification_id: "v1" };
const said = (over: Partial<VerifiedCarrier>) => baselineOf([entry(over)]);

describe("a look", () => {
  const look: Look = {
    words,
    nowMs: ASKED_MS + 10_000,
    sureOfDate: true,
    listed: false,
    answersQuestion: false,
    addressKey: () => "there",
    shownKey: () => "there",
  };
  const later = (ms: number): Look => ({ ...look, nowMs: ASKED_MS + ms });
  const first = verificationRecord({
    outcome: "pending",
    askedAtMs: ASKED_MS,
    addressKey: "here",
    question: "asked",
    questionKey: "here",
    baseline: [],
    // Its answer has shown the address.
    polls: 1,
  });
  /** Accepted once, and asked again for the same address. */
  const again: VerificationRecord = { ...first, outcome: "accepted", status: "approved", baseline: said(APPROVED) };
  /** The same, for another address than the one that was accepted. */
  const elsewhere: VerificationRecord = { ...again, questionKey: "there" };
  /** Seen in the account, and asked for the first time. */
  const seen: VerificationRecord = { ...again, outcome: "seen" };

  test.each([
    ["the status", { status: "rejected", verification_id: "v1" }, "refused"],
    ["the verification's id", { status: "approved", verification_id: "v2" }, "accepted"],
    ["the update state", { status: "approved", verification_id: "v1", update_state: "new" }, "accepted"],
  ])("counts when %s changed", (_name, over, outcome) => {
    expect(afterPollResult(elsewhere, [entry(over)], look)).toMatchObject({
      outcome,
      addressKey: "there",
      question: null,
      nextPollAtMs: null,
    });
  });

  test("at a first entry counts", () => {
    expect(afterPollResult(first, [entry({ status: "approved" })], look)).toMatchObject({
      outcome: "accepted",
      addressKey: "here",
      question: null,
      nextPollAtMs: null,
    });
  });

  test("that is the first since the question and shows another address counts for no address", () => {
    const unread = { ...first, polls: 0 };
    const approved = [entry({ status: "approved" })];
    const said = { outcome: "accepted", addressKey: UNKNOWN_ADDRESS, question: null };
    expect(afterPollResult(unread, approved, look)).toMatchObject(said);
    const unchanged = { ...look, addressKey: () => "here", shownKey: () => "here" };
    expect(afterPollResult(unread, approved, unchanged)).toMatchObject({ addressKey: "here" });
    expect(afterPollResult(unread, approved, { ...look, answersQuestion: true })).toMatchObject({ addressKey: "here" });
    // What is to be put back was not there when the carriers were asked, and nobody puts it back.
    expect(afterPollResult(unread, approved, { ...look, shownKey: () => "here" })).toMatchObject({
      addressKey: "here",
    });
    // The address is put back before the carrier says anything.
    const waiting = afterPollResult(unread, [], look);
    expect(afterPollResult(waiting, approved, unchanged)).toMatchObject(said);
  });

  test("at an unknown word quotes it, follows it, and is not ready", () => {
    const after = afterPollResult(again, [entry({ status: "sent_to_moon" })], look);
    expect(after).toMatchObject({ outcome: "unknown", status: "sent_to_moon", question: "asked" });
    expect(after.nextPollAtMs).toBeGreaterThan(look.nowMs);
    expect(afterPollResult(after, [entry({ status: "sent_to_moon" })], later(7 * DAY_MS))).toMatchObject({
      outcome: "unknown",
      question: null,
      nextPollAtMs: null,
    });
  });

  test("leaves what is about to be asked, and what a carrier does not offer, alone", () => {
    for (const over of [{ question: "wanted" }, { outcome: "not_offered", question: null }] as const) {
      const record = { ...again, ...over };
      expect(afterPollResult(record, [entry({ status: "rejected" })], look)).toBe(record);
    }
  });

  describe("at a question of which nobody knows whether it was asked", () => {
    const unclear = verificationRecord({
      outcome: "wanted",
      question: "wanted",
      questionKey: "there",
      addressKey: "there",
      askedAtMs: null,
      polls: 1,
      baseline: said({ status: "rejected", verification_id: "v0" }),
    });
    const another = { ...unclear, addressKey: "elsewhere", baseline: said({ verification_id: "v0" }) };
    const whenRead = (record: VerificationRecord, over: Partial<VerifiedCarrier>) =>
      afterPollResult(record, [entry(over)], look);

    test.each([
      ["a verdict", APPROVED, { outcome: "accepted", addressKey: "there", question: null }],
      ["that the carrier is at it", { verification_id: "v1" }, { outcome: "pending", question: "asked" }],
    ])("takes an entry that has changed, %s, for its answer", (_what, over, says) => {
      expect(whenRead(unclear, over)).toMatchObject(says);
    });

    test("leaves what stood there before, a list, and what was never sent alone", () => {
      const same = entry({ status: "rejected", verification_id: "v0" });
      expect(afterPollResult(unclear, [same], look)).toBe(unclear);
      expect(afterPollResult(unclear, [entry(APPROVED)], { ...look, listed: true })).toBe(unclear);
      const fresh = { ...unclear, polls: 0 };
      expect(afterPollResult(fresh, [entry(APPROVED)], look)).toBe(fresh);
    });

    test("takes the answer to a question about another address for none, but for an id of its own", () => {
      expect(whenRead(another, { status: "approved", verification_id: "v0" })).toBe(another);
      expect(whenRead(another, { status: "approved", verification_id: "v1" })).toMatchObject({ outcome: "accepted" });
      const sameAddress = { ...another, addressKey: "there" };
      expect(whenRead(sameAddress, { status: "approved", verification_id: "v0" })).toMatchObject({
        outcome: "accepted",
      });
    });

    test("takes no entry for its answer while a question of ours about another address may be open", () => {
      const open = { ...another, askedAtMs: ASKED_MS };
      expect(whenRead(open, { status: "approved", verification_id: "v1" })).toBe(open);
      expect(whenRead({ ...open, outcome: "accepted" }, APPROVED)).toMatchObject({ question: "wanted" });
    });

    test.each([
      ["may have been open", ASKED_MS, { question: "asked", outcome: "pending" }],
      ["was none", null, { question: null, outcome: "accepted" }],
    ])(
      "an entry of before in the very answer is that to the question about another address: there %s",
      (_what, at, says) => {
        const open = { ...another, askedAtMs: at };
        const shown = [entry({ status: "approved", verification_id: "v0" })];
        const sent = asked(open, look.nowMs, { shown, words: look.words });
        expect(afterPollResult(sent, shown, { ...look, nowMs: look.nowMs + 20 })).toMatchObject(says);
        const own = [entry({ status: "approved", verification_id: "v1" })];
        expect(afterPollResult(sent, own, { ...look, nowMs: look.nowMs + 20 })).toMatchObject({ outcome: "accepted" });
      },
    );

    test.each([
      ["may have been open", ASKED_MS, { question: "asked", outcome: "pending" }],
      ["was none", null, { question: null, outcome: "accepted" }],
    ])(
      "a verdict in the very answer, where the account had shown nothing, is that to the question about another address: there %s",
      (_what, at, says) => {
        const hidden = { ...another, askedAtMs: at, baseline: [] };
        const shown = [entry({ status: "approved", verification_id: "v0" })];
        const sent = asked(hidden, look.nowMs, { shown, words: look.words });
        expect(afterPollResult(sent, shown, { ...look, nowMs: look.nowMs + 20 })).toMatchObject(says);
        const begun = asked(hidden, look.nowMs, { shown: [entry({ verification_id: "v1" })], words: look.words });
        const own = [entry({ status: "approved", verification_id: "v1" })];
        expect(afterPollResult(begun, own, { ...look, nowMs: look.nowMs + 20 })).toMatchObject({ outcome: "accepted" });
      },
    );

    test.each<[string, Partial<VerificationRecord>, number | null]>([
      ["is open", { question: "asked", questionKey: "elsewhere" }, ASKED_MS],
      ["may be open", { question: "wanted", questionKey: "elsewhere", polls: 1, askedAtMs: null }, ASKED_MS + 5],
      ["was open before another was wanted", { question: "wanted", questionKey: "there" }, ASKED_MS],
      ["is about the same address", { question: "asked", questionKey: "there" }, null],
      ["has its answer", { question: null, outcome: "accepted" }, null],
    ])("a new question remembers since when one about another address %s", (_what, earlier, askedAtMs) => {
      const before = verificationRecord({ polls: 0, askedAtMs: ASKED_MS, ...earlier });
      expect(wanting(before, "there", ASKED_MS + 5)).toMatchObject({ question: "wanted", askedAtMs });
    });
  });

  test("writes a line into the timeline when outcome or word changed, and only then", () => {
    const once = afterPollResult(first, [entry({ status: "process" })], look);
    const twice = afterPollResult(once, [entry({ status: "process" })], look);
    expect(once.timeline.at(-1)).toMatchObject({ outcome: "pending", status: "process" });
    expect(twice.timeline).toEqual(once.timeline);
  });

  describe("at the same entry as before the question", () => {
    const same = [entry(APPROVED)];

    test("leaves the verdict on the same address standing, for seven days asked again and then for good", () => {
      for (const ms of [10_000, 3 * DAY_MS, 6.9 * DAY_MS])
        expect(afterPollResult(again, same, later(ms))).toMatchObject({ outcome: "accepted", question: "asked" });
      const after = afterPollResult(again, same, later(7 * DAY_MS));
      expect(after).toMatchObject({ outcome: "accepted", question: null, nextPollAtMs: null, addressKey: "here" });
      expect(after.timeline).toEqual(again.timeline);
      expect(after.changedAtMs).toBe(again.changedAtMs);
    });

    test("says nothing by the time that passed while it is not sure which day it is", () => {
      for (const record of [again, elsewhere, { ...elsewhere, outcome: "pending" } as const]) {
        const unsure = { ...later(365 * DAY_MS), sureOfDate: false };
        const after = afterPollResult(record, same, unsure);
        expect(after).toMatchObject({ outcome: record.outcome, question: "asked" });
        expect(after.nextPollAtMs! - unsure.nowMs).toBeLessThanOrEqual(4 * 3_600_000);
      }
    });

    test("is no answer only after two business days: those of a weekend do not count", () => {
      const fridayMs = ASKED_MS + 3 * DAY_MS;
      const record = { ...elsewhere, askedAtMs: fridayMs };
      const looked = (days: number) => afterPollResult(record, same, later(3 * DAY_MS + days * DAY_MS));
      for (const days of [2, 3, 3.99]) expect(looked(days)).toMatchObject({ outcome: elsewhere.outcome });
      expect(looked(4)).toMatchObject({ outcome: "no_answer" });
    });

    test("leaves a refusal of the same address standing, too", () => {
      const refused = {
        ...again,
        outcome: "refused",
        status: "rejected",
        baseline: said({ status: "rejected" }),
      } as const;
      for (const ms of [10_000, 8 * DAY_MS])
        expect(afterPollResult(refused, [entry({ status: "rejected" })], later(ms)).outcome).toBe("refused");
    });

    test.each([
      ["the verdict on another address", elsewhere],
      ["what was seen in the account", seen],
      ["an answer that never came", { ...first, baseline: said(APPROVED) }],
    ])("makes %s no answer after two business days, and looks on for seven", (_name, record) => {
      const before = afterPollResult(record, same, later(2 * DAY_MS - 1));
      expect(before).toMatchObject({ outcome: record.outcome, addressKey: record.addressKey, question: "asked" });
      const after = afterPollResult(record, same, later(2 * DAY_MS));
      expect(after).toMatchObject({ outcome: "no_answer", addressKey: record.questionKey, question: "asked" });
      expect(after.nextPollAtMs).toBeGreaterThan(ASKED_MS + 2 * DAY_MS);
      const end = afterPollResult(after, same, later(7 * DAY_MS));
      expect(end).toMatchObject({ outcome: "no_answer", question: null, nextPollAtMs: null });
      expect(end.timeline).toEqual(after.timeline);
    });

    test("looks next no later than when there is something to tell", () => {
      const after = afterPollResult({ ...elsewhere, polls: 30 }, same, later(2 * DAY_MS - 60_000));
      expect(after.nextPollAtMs).toBe(ASKED_MS + 2 * DAY_MS);
    });

    test("after no answer still hears one", () => {
      const told = afterPollResult(elsewhere, same, later(2 * DAY_MS));
      expect(afterPollResult(told, [entry({ status: "rejected" })], later(3 * DAY_MS))).toMatchObject({
        outcome: "refused",
        addressKey: "there",
        question: null,
      });
      const given = afterPollResult(told, same, later(7 * DAY_MS));
      expect(afterPollResult(given, [entry({ status: "rejected" })], later(9 * DAY_MS))).toMatchObject({
        outcome: "refused",
      });
    });
  });

  describe("at an entry that says the carrier is at it", () => {
    const atIt = [entry({ status: "process", verification_id: "v2" })];

    test("leaves the verdict on the same address standing", () => {
      expect(afterPollResult(again, atIt, look)).toMatchObject({
        outcome: "accepted",
        status: "approved",
        question: "asked",
      });
    });

    test.each([
      ["another address", elsewhere],
      ["what was seen", seen],
    ])("is waiting for an answer on %s, for longer than two business days", (_name, record) => {
      const after = afterPollResult(record, atIt, look);
      expect(after).toMatchObject({ outcome: "pending", status: "process", addressKey: record.questionKey });
      expect(afterPollResult(after, atIt, later(4 * DAY_MS))).toMatchObject({ outcome: "pending", question: "asked" });
      expect(afterPollResult(after, atIt, later(7 * DAY_MS))).toMatchObject({ outcome: "no_answer", question: null });
    });

    test("and then at the same word and id as before, takes it for the answer: the entry did change", () => {
      const after = afterPollResult(elsewhere, atIt, look);
      expect(afterPollResult(after, [entry(APPROVED)], later(20_000))).toMatchObject({
        outcome: "accepted",
        addressKey: "there",
        question: null,
      });
    });

    test("leaves the verdict on the address that has come back standing, though the question is about another", () => {
      const back = { addressKey: () => "here" };
      const after = afterPollResult(elsewhere, atIt, { ...look, ...back });
      expect(after).toMatchObject({ outcome: "accepted", status: "approved", addressKey: "here", question: "asked" });
      expect(afterPollResult(elsewhere, [entry(APPROVED)], { ...later(3 * DAY_MS), ...back }).outcome).toBe("accepted");
      expect(afterPollResult(after, atIt, { ...later(7 * DAY_MS), ...back })).toMatchObject({
        ...{ outcome: "accepted", addressKey: "here", question: null },
      });
    });

    test("is no news of a verdict that was given", () => {
      const given = { ...again, question: null, questionKey: null };
      expect(afterPollResult(given, atIt, look)).toMatchObject({ outcome: "accepted", status: "approved" });
    });
  });

  describe("at a list, which may be half a minute behind", () => {
    const listed = (ms: number): Look => ({ ...later(ms), listed: true });

    test("within a minute of the question tells nothing", () => {
      expect(afterPollResult(elsewhere, [entry({ status: "rejected" })], listed(59_000))).toBe(elsewhere);
      expect(afterPollResult(elsewhere, [entry({ status: "rejected" })], listed(60_000)).outcome).toBe("refused");
    });

    test("does not take what it had not seen change yet for an answer", () => {
      const atIt = afterPollResult(elsewhere, [entry({ status: "process" })], later(100_000));
      expect(afterPollResult(atIt, [entry(APPROVED)], listed(120_000))).toMatchObject({ outcome: "pending" });
      expect(afterPollResult(atIt, [entry(APPROVED)], listed(160_000))).toMatchObject({ outcome: "accepted" });
    });
  });

  describe("at several entries of the carrier", () => {
    const old = entry(APPROVED);
    const record: VerificationRecord = { ...elsewhere, baseline: baselineOf([old]) };

    test.each([
      ["behind", [old, entry({ status: "rejected", verification_id: "v2" })]],
      ["in front", [entry({ status: "rejected", verification_id: "v2" }), old]],
      ["beside one under way", [entry({ status: "rejected", verification_id: "v2" }), entry({ status: "process" })]],
    ])("hears the new one %s", (_name, entries) => {
      expect(afterPollResult(record, entries, look)).toMatchObject({ outcome: "refused", verificationId: "v2" });
    });

    test("takes the old ones in another order for no answer", () => {
      const other = entry({ status: "rejected", verification_id: "v0" });
      const two = { ...record, baseline: baselineOf([old, other]) };
      expect(afterPollResult(two, [other, old], look)).toMatchObject({ outcome: "accepted", question: "asked" });
    });
  });

  describe("at a carrier we never asked", () => {
    const known = verificationRecord({ outcome: "seen", askedAtMs: null, addressKey: "before", baseline: null });

    test("is only seen, for the address of the moment", () => {
      expect(afterPollResult(known, [entry(APPROVED)], look)).toMatchObject({
        outcome: "seen",
        status: "approved",
        addressKey: "there",
      });
    });

    test("holds for the address it was seen for until it changes", () => {
      const once = { ...known, status: "approved", verificationId: "v1" };
      expect(afterPollResult(once, [entry(APPROVED)], look).addressKey).toBe("before");
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

test.each([
  [{ code: "CARRIER_VERIFICATION_NOT_ENABLED", serviceMessage: null }, true],
  [{ code: null, serviceMessage: "carrier not_supported" }, true],
  [{ code: "ADDRESS_INVALID", serviceMessage: "no" }, false],
])("a refusal %j says that the carrier does not verify: %s", (problem, expected) => {
  expect(saysNotOffered(problem)).toBe(expected);
});
