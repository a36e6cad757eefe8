import type { AddressTemplate, VerificationOutcome, VerificationRecord, VerifiedCarrier } from "./records.ts";

/** What one carrier says of one template, and when to ask again. The interface states no set of words (section 2.3). */

export type Meaning = "pending" | "accepted" | "refused";

/** Deployment may replace it; any other word is unknown, quoted, never taken for ready. */
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

const FIRST_POLL_MS = 5_000;
const LONGEST_POLL_MS = 4 * 3_600_000;
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

type Baseline = NonNullable<VerificationRecord["baseline"]>;

/** What the account says of a carrier now; the last entry where it holds several. */
export function entryFor(template: AddressTemplate, carrier: string): VerifiedCarrier | null {
  return template.verified_carriers.findLast((entry) => entry.carrier_name === carrier) ?? null;
}

export function baselineOf(entry: VerifiedCarrier | null): Baseline | null {
  if (!entry) return null;
  return { status: entry.status, updateState: entry.update_state, verificationId: entry.verification_id };
}

function isNews(entry: VerifiedCarrier, baseline: Baseline | null): boolean {
  if (!baseline) return true;
  return (
    entry.status !== baseline.status ||
    (entry.update_state ?? null) !== baseline.updateState ||
    (entry.verification_id ?? null) !== baseline.verificationId
  );
}

export function isFollowed(outcome: VerificationOutcome): boolean {
  return outcome === "pending" || outcome === "unknown";
}

export interface Look {
  words: Record<string, Meaning>;
  nowMs: number;
}

/**
 * The record after a look at the template. An entry counts only if status, update_state or verification_id changed since we
 * asked; else there is no new answer.
 */
export function afterLook(
  record: VerificationRecord,
  entry: VerifiedCarrier | null,
  { words, nowMs }: Look,
): VerificationRecord {
  if (record.outcome === "wanted" || record.outcome === "not_offered") return record;
  const looked = { ...record, checkedAtMs: nowMs };
  if (record.askedAtMs === null) return entry ? withOutcome(withEntry(looked, entry), "seen", nowMs) : looked;
  const outcome = entry && isNews(entry, record.baseline) ? meaningOf(words, entry.status) : record.outcome;
  const told = entry && isNews(entry, record.baseline) ? withEntry(looked, entry) : looked;
  return scheduled(withOutcome({ ...told, polls: record.polls + 1 }, outcome, nowMs), record.askedAtMs, nowMs);
}

function withEntry(record: VerificationRecord, entry: VerifiedCarrier): VerificationRecord {
  return {
    ...record,
    status: entry.status,
    updateState: entry.update_state ?? null,
    verificationId: entry.verification_id ?? null,
  };
}

function scheduled(record: VerificationRecord, askedAtMs: number, nowMs: number): VerificationRecord {
  if (!isFollowed(record.outcome)) return { ...record, nextPollAtMs: null };
  const next = nextPollAtMs({ polls: record.polls, askedAtMs, nowMs });
  if (next !== null) return { ...record, nextPollAtMs: next };
  return {
    ...withOutcome(record, record.outcome === "pending" ? "no_answer" : record.outcome, nowMs),
    nextPollAtMs: null,
  };
}

/** The record with another outcome; the timeline gets a line when outcome or word changed. */
export function withOutcome(
  record: VerificationRecord,
  outcome: VerificationOutcome,
  nowMs: number,
): VerificationRecord {
  const last = record.timeline.at(-1);
  if (last && last.outcome === outcome && last.status === record.status) return { ...record, outcome };
  const timeline = [...record.timeline, { atMs: nowMs, outcome, status: record.status }];
  return { ...record, outcome, changedAtMs: nowMs, timeline };
}

/** A record for a carrier nobody asked yet. */
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
  };
}

/** A code or words that say that this carrier does not verify at all. */
export function saysNotOffered(problem: { code: string | null; serviceMessage: string | null }): boolean {
  return /NOT_ENABLED|NOT_SUPPORTED|NOT_AVAILABLE|UNSUPPORTED/i.test(
    `${problem.code ?? ""} ${problem.serviceMessage ?? ""}`,
  );
}
