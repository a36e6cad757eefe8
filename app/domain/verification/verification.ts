import type { AddressTemplate, VerificationOutcome, VerificationRecord, VerifiedCarrier } from "../records.ts";

/**
 * What one carrier says of one template, and when to ask again. The interface does not list a carrier's statuses
 * (docs/shipping-interface.md, 2.3).
 */

export type Meaning = "pending" | "accepted" | "refused";

/** A deployment may replace these statuses. A status that is not listed is unknown: it is quoted, and never taken for ready. */
// `meaningOf` alone reads it, and asks for its own words only.
// eslint-disable-next-line no-restricted-syntax
export const DEFAULT_VERIFICATION_WORDS: Record<string, Meaning> = {
  pending: "pending",
  pending_to_send: "pending",
  process: "pending",
  processing: "pending",
  in_process: "pending",
  in_progress: "pending",
  in_review: "pending",
  requested: "pending",
  sent: "pending",
  accepted: "accepted",
  approved: "accepted",
  verified: "accepted",
  success: "accepted",
  rejected: "refused",
  refused: "refused",
  declined: "refused",
  denied: "refused",
  failed: "refused",
};

export function meaningOf(words: Record<string, Meaning>, status: string): Meaning | "unknown" {
  const word = status
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
  return Object.hasOwn(words, word) ? words[word]! : "unknown";
}

/** In place of an address's key: nobody knows which address a carrier was asked about. It is the key of none. */
export const UNKNOWN_ADDRESS = "";

export function isVerdict(meaning: Meaning | "unknown"): boolean {
  return meaning === "accepted" || meaning === "refused";
}

const FIRST_POLL_MS = 5_000;
export const LONGEST_POLL_MS = 4 * 3_600_000;
const FOLLOW_FOR_MS = 7 * 24 * 3_600_000;

/** Seconds, minutes, then hours; null when seven days have passed since it was asked. */
export function nextPollAtMs({
  polls,
  askedAtMs,
  nowMs,
}: {
  polls: number;
  askedAtMs: number;
  nowMs: number;
}): number | null {
  if (nowMs - askedAtMs >= FOLLOW_FOR_MS) return null;
  return nowMs + Math.min(LONGEST_POLL_MS, FIRST_POLL_MS * 2 ** Math.min(polls, 20));
}

/** What the account says of a carrier now. Several entries may stand there, in whichever order. */
export function entriesFor(template: AddressTemplate, carrier: string): VerifiedCarrier[] {
  return template.verified_carriers.filter((entry) => entry.carrier_name === carrier);
}

type Baseline = NonNullable<VerificationRecord["baseline"]>;

export function baselineOf(entries: VerifiedCarrier[]): Baseline {
  return entries.map((entry) => ({
    status: entry.status,
    updateState: entry.update_state,
    verificationId: entry.verification_id,
  }));
}

/**
 * What is known to have stood there of the carrier: the entry that the record was made from, and what stood there when it was asked last, which
 * a carrier that says the same once more leaves as it is. Empty where the carrier has said nothing yet, or the service answered in its place.
 */
function lastWords({ outcome, status, updateState, verificationId, baseline }: VerificationRecord): Baseline {
  const made = status === null || outcome === "not_offered" ? [] : [{ status, updateState, verificationId }];
  return [...made, ...(baseline ?? [])];
}

/** Whether a reading of the template shows no entry of a carrier that has said something before. */
export function hidesWord(template: AddressTemplate, record: VerificationRecord): boolean {
  return lastWords(record).length > 0 && entriesFor(template, record.carrier).length === 0;
}

/** Whether the answer to this question is polled for. */
export function isFollowed({ question, nextPollAtMs }: VerificationRecord): boolean {
  return question === "asked" && nextPollAtMs !== null;
}

/** Whether the carrier's earlier verdict is on the same address as the open question. */
export function stands(record: VerificationRecord): boolean {
  return isSaid(record) && record.addressKey === record.questionKey && record.addressKey !== UNKNOWN_ADDRESS;
}

/** Whether the carrier has given a verdict, on whichever address. */
export function isSaid({ outcome }: VerificationRecord): boolean {
  return outcome === "accepted" || outcome === "refused";
}

/** The record with another outcome; the timeline gets a line when outcome or word changed. */
export function withOutcome(
  record: VerificationRecord,
  outcome: VerificationOutcome,
  nowMs: number,
): VerificationRecord {
  const last = record.timeline.at(-1);
  if (last && last.outcome === outcome && last.status === record.status) return { ...record, outcome };
  return withLine({ ...record, outcome, changedAtMs: nowMs }, { atMs: nowMs, outcome, status: record.status });
}

/** The record with one more line in its timeline; its outcome stays. */
export function withLine(record: VerificationRecord, line: VerificationRecord["timeline"][number]): VerificationRecord {
  return { ...record, timeline: [...record.timeline, line] };
}

/** Outcomes that stay until a new question has an answer. */
const SAID: readonly VerificationOutcome[] = ["accepted", "refused", "seen"];

/** Whether the carrier may still be at a question about another address. */
function isAtAnother(record: VerificationRecord, addressKey: string): boolean {
  const { question, questionKey, askedAtMs } = record;
  if (question === "wanted" && askedAtMs !== null) return true;
  return (question === "asked" || isUnclear(record)) && questionKey !== addressKey;
}

/**
 * The record after somebody asked for a verification of this address. Where the carrier may still be at an earlier question, `addressKey` keeps
 * the address of that one until this one was asked. `askedAtMs` stays only where that one was about another address: its answer may come yet.
 */
export function wanting(record: VerificationRecord, addressKey: string, nowMs: number): VerificationRecord {
  const asking = {
    ...record,
    question: "wanted",
    questionKey: addressKey,
    polls: 0,
    nextPollAtMs: null,
    movedAtMs: null,
    askedAtMs: isAtAnother(record, addressKey) ? (record.askedAtMs ?? nowMs) : null,
  } as const;
  if (SAID.includes(record.outcome)) return withLine(asking, { atMs: nowMs, outcome: "wanted", status: null });
  const earlierKey = isUnclear(record) ? record.questionKey : record.addressKey;
  return withOutcome({ ...asking, addressKey: earlierKey ?? addressKey }, "wanted", nowMs);
}

/** How often a question is sent of which nobody knows what became. After that only a person has it sent again. */
export const MOST_SENDINGS = 12;

/** Whether the question was sent, and nobody knows whether it was asked. */
export function isUnclear({ question, polls }: VerificationRecord): boolean {
  return question === "wanted" && polls > 0;
}

/**
 * The record before the question is sent. The baseline is the carrier's entries now: only an entry that differs from it is an answer. Of a
 * carrier that the template does not show at all it is the carrier's last words: should they show again, they are no news.
 */
export function sending(
  record: VerificationRecord,
  { entries, addressKey }: { entries: VerifiedCarrier[]; addressKey: string | null },
): VerificationRecord {
  const baseline = entries.length > 0 ? baselineOf(entries) : lastWords(record);
  return { ...record, baseline, polls: record.polls + 1, questionKey: addressKey ?? record.questionKey };
}

/** The record after the question was surely not asked. */
export function notSent(record: VerificationRecord): VerificationRecord {
  return { ...record, polls: Math.max(0, record.polls - 1) };
}

/**
 * The record after the question was sent to the carrier. `shown`: the carrier's entries in the answer. Where the carrier may have been at
 * a question about another address, a verdict that is there already answers that one, and so does an entry with an id that stood there
 * before.
 */
export function asked(
  record: VerificationRecord,
  nowMs: number,
  { shown, words }: { shown: VerifiedCarrier[]; words: Record<string, Meaning> } = { shown: [], words: {} },
): VerificationRecord {
  const next = nextPollAtMs({ polls: 0, askedAtMs: nowMs, nowMs });
  const before = record.baseline ?? [];
  const isKnown = ({ verification_id: id }: VerifiedCarrier) =>
    before.some(({ verificationId }) => verificationId === id);
  const isLate = (entry: VerifiedCarrier) =>
    isVerdict(meaningOf(words, entry.status)) || (entry.verification_id !== null && isKnown(entry));
  const late = record.askedAtMs === null ? [] : shown.filter(isLate);
  const baseline = record.baseline && [...before, ...baselineOf(late)];
  const sent = { ...record, baseline, question: "asked", askedAtMs: nowMs, polls: 0, nextPollAtMs: next } as const;
  if (record.outcome === "wanted") return withOutcome({ ...sent, addressKey: record.questionKey }, "pending", nowMs);
  return withLine(sent, { atMs: nowMs, outcome: "pending", status: null });
}

/** The record after the service refused to pass on the question, with the service's words. */
export function notAsked(
  record: VerificationRecord,
  { outcome, status, nowMs }: { outcome: "not_offered" | "unknown"; status: string; nowMs: number },
): VerificationRecord {
  const closed = { ...record, question: null, askedAtMs: nowMs, checkedAtMs: nowMs, nextPollAtMs: null };
  if (outcome === "unknown" && stands(record)) return withLine(closed, { atMs: nowMs, outcome, status });
  return withOutcome({ ...closed, status, addressKey: record.questionKey }, outcome, nowMs);
}

/** The record of a carrier of which nothing is known. */
export function newVerification(
  key: Pick<VerificationRecord, "shop" | "connectionId" | "templateId" | "carrier">,
  outcome: "wanted" | "seen",
  nowMs: number,
): VerificationRecord {
  return {
    ...key,
    outcome,
    status: null,
    updateState: null,
    verificationId: null,
    baseline: null,
    askedAtMs: null,
    changedAtMs: nowMs,
    checkedAtMs: null,
    polls: 0,
    nextPollAtMs: null,
    addressKey: null,
    timeline: [{ atMs: nowMs, outcome, status: null }],
    question: null,
    questionKey: null,
    movedAtMs: null,
  };
}

/** Whether a code or message says that this carrier does not verify at all. */
export function saysNotOffered(problem: { code: string | null; serviceMessage: string | null }): boolean {
  return /NOT_ENABLED|NOT_SUPPORTED|NOT_AVAILABLE|UNSUPPORTED/i.test(
    `${problem.code ?? ""} ${problem.serviceMessage ?? ""}`,
  );
}
