import { closedReason } from "../closed-reason.ts";
import type { ConnectionRecord, Policies, VerificationOutcome, VerificationRecord } from "../records.ts";
import { endedUnclear } from "./poll-result.ts";
import { meaningOf } from "./verification.ts";
import type { Meaning } from "./verification.ts";

/** What is shown of one carrier for one address. Every page, Home and the order page's block use this. */
export interface CarrierStanding {
  carrier: string;
  /** `not_asked`: nothing is known of the carrier's answer, and nobody is asking it. */
  outcome: VerificationOutcome | "not_asked";
  /** The outcome is for an address that has changed since. */
  stale: boolean;
  /**
   * A question about this address without an answer so far, beside the carrier's earlier outcome; `wanted` is about to be sent. One about an
   * address that has changed since is none: its answer is followed, and nobody need wait for it.
   */
  question: VerificationRecord["question"];
  /** The service's own word. */
  status: string | null;
  /** What that word means by the deployment's table. Only what stands in the account is told by it. */
  meaning: Meaning | "unknown";
  askedAtMs: number | null;
  changedAtMs: number | null;
  checkedAtMs: number | null;
  /** No sending of the last question had a clear end: nobody knows whether the carrier was asked. */
  isUnclear: boolean;
  /** Whether it is one of the shop's carriers: only these decide whether the origin is ready. */
  chosen: boolean;
}

export interface StandingFacts {
  policies: Policies;
  /** The verifications of one template. */
  verifications: VerificationRecord[];
  /** `canonicalAddress` of the template as last seen; null without one. */
  addressKey: string | null;
  /**
   * `canonicalAddress` after everything that is to be sent was sent, or may have been by a write with no clear end; null when it does not
   * change.
   */
  meantKey: string | null;
  /** What each status of a carrier means (`Settings.verificationWords`). */
  words: Record<string, Meaning>;
  /** The connection that questions are sent over: over a closed one nobody is being asked. */
  connection: Pick<ConnectionRecord, "state" | "clientSecret"> | null;
}

/** The shop's carriers first, in the shop's order, then the others that are known. */
export function carrierStandings(facts: StandingFacts): CarrierStanding[] {
  const { policies, verifications, words, connection } = facts;
  const chosen = policies.carriers;
  const known = new Map(verifications.map((record) => [record.carrier, record]));
  const others = [...known.keys()].filter((carrier) => !chosen.includes(carrier)).sort();
  return [...chosen, ...others].map((carrier) => {
    const record = known.get(carrier);
    const isHeldBack = record?.question === "wanted" && closedReason(connection) !== null;
    const isAboutFormer = record?.question === "asked" && isAboutAnother(record.questionKey, facts);
    const outcome = isHeldBack && record.outcome === "wanted" ? "not_asked" : record?.outcome;
    return {
      carrier,
      outcome: outcome ?? "not_asked",
      stale: record !== undefined && isStale(record, facts),
      question: isHeldBack || isAboutFormer ? null : (record?.question ?? null),
      status: record?.status ?? null,
      meaning: meaningOf(words, record?.status ?? ""),
      askedAtMs: record?.askedAtMs ?? null,
      changedAtMs: record?.changedAtMs ?? null,
      checkedAtMs: record?.checkedAtMs ?? null,
      isUnclear: record !== undefined && endedUnclear(record),
      chosen: chosen.includes(carrier),
    };
  });
}

/** A verdict on an earlier address does not hold for the address that the owner has entered since, whether or not that was sent already. */
function isStale(
  { addressKey, outcome }: VerificationRecord,
  now: Pick<StandingFacts, "addressKey" | "meantKey">,
): boolean {
  // Nothing was said yet.
  return outcome !== "wanted" && isAboutAnother(addressKey, now);
}

function isAboutAnother(about: string | null, now: Pick<StandingFacts, "addressKey" | "meantKey">): boolean {
  return about !== null && [now.addressKey, now.meantKey].some((key) => key !== null && key !== about);
}

/**
 * A carrier's answer as a list is filtered by it. What was said of an earlier address, and what merely stands in the account, is no answer
 * about this one. `no_answer`: it has said nothing for long, which is no answer that decides nothing. `not_offered`: the carrier does not verify.
 */
export const CARRIER_ANSWERS = [
  "accepted",
  "refused",
  "waiting",
  "inconclusive",
  "no_answer",
  "not_asked",
  "not_offered",
] as const;

export type CarrierAnswer = (typeof CARRIER_ANSWERS)[number];

export function answerOf(standing: Pick<CarrierStanding, "outcome" | "stale" | "question" | "meaning">): CarrierAnswer {
  const { outcome, meaning } = standing;
  if (outcome === "not_offered") return "not_offered";
  if (isVerdict(standing)) return outcome === "accepted" ? "accepted" : "refused";
  if (isAwaited(standing)) return "waiting";
  if (outcome === "no_answer") return "no_answer";
  return isInconclusive({ outcome, meaning }) ? "inconclusive" : "not_asked";
}

/** Whether a carrier has answered about the address before the last change, and was not asked since. */
export function saidBefore(standing: Pick<CarrierStanding, "outcome" | "stale" | "question" | "meaning">): boolean {
  const { outcome, stale } = standing;
  return stale && (outcome === "accepted" || outcome === "refused") && answerOf(standing) === "not_asked";
}

/** Whether a carrier has answered without a yes or a no, or not at all: only asking again goes on. */
export function isInconclusive({ outcome, meaning }: Pick<CarrierStanding, "outcome" | "meaning">): boolean {
  return outcome === "unknown" || outcome === "no_answer" || (outcome === "seen" && meaning === "unknown");
}

/** Why nothing but asking again goes on. */
export function whyInconclusive({
  outcome,
  isUnclear,
}: Pick<CarrierStanding, "outcome" | "isUnclear">): "inconclusive" | "noAnswer" | "unclear" {
  if (outcome !== "no_answer") return "inconclusive";
  return isUnclear ? "unclear" : "noAnswer";
}

type AnswerState = Pick<CarrierStanding, "outcome" | "stale" | "question">;

/** Nothing is left to do for this carrier. A verdict stays valid while the carrier is asked again for the same address. */
export function isFinished({ outcome, stale }: AnswerState): boolean {
  return outcome === "not_offered" || (outcome === "accepted" && !stale);
}

/** Whether the carrier has given a verdict on the current address, even if it was asked again since. */
export function isVerdict({ outcome, stale }: AnswerState): boolean {
  return (outcome === "accepted" || outcome === "refused") && !stale;
}

/**
 * Whether the owner waits for an answer that comes by itself. Where the carrier did not answer in time, or gave a status that nobody knows,
 * the app keeps looking, but the owner does not wait.
 */
export function isAwaited({ outcome, question }: AnswerState): boolean {
  return question !== null && outcome !== "no_answer" && outcome !== "unknown";
}
