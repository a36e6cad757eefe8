import type { Policies, VerificationOutcome, VerificationRecord } from "../records.ts";

/** What is told of one carrier for one address. Every page, Home and the order page's block go by this. */
export interface CarrierStanding {
  carrier: string;
  /** `not_asked`: chosen for the shop, and nothing is known. */
  outcome: VerificationOutcome | "not_asked";
  /** The address changed after this was said. */
  stale: boolean;
  /** What was asked and has no answer yet, beside what the carrier said before; `wanted` is not sent yet. */
  question: VerificationRecord["question"];
  /** The service's own word. */
  status: string | null;
  askedAtMs: number | null;
  changedAtMs: number | null;
  checkedAtMs: number | null;
  /** Among the shop's carriers: only these decide whether the origin is ready. */
  chosen: boolean;
}

export interface StandingFacts {
  policies: Policies;
  /** Of one template. */
  verifications: VerificationRecord[];
  /** `canonicalAddress` of the template as last seen; null without one. */
  addressKey: string | null;
  /** What it becomes by what is to be sent, and may have become by what was sent without a clear end; null where it stays. */
  meantKey: string | null;
}

/** The shop's carriers first, in the shop's order, then the others that are known. */
export function carrierStandings({ policies, verifications, ...keys }: StandingFacts): CarrierStanding[] {
  const chosen = policies.carriers;
  const known = new Map(verifications.map((record) => [record.carrier, record]));
  const others = [...known.keys()].filter((carrier) => !chosen.includes(carrier)).sort();
  return [...chosen, ...others].map((carrier) => {
    const record = known.get(carrier);
    return {
      carrier,
      outcome: record?.outcome ?? "not_asked",
      stale: record !== undefined && isStale(record, keys),
      question: record?.question ?? null,
      status: record?.status ?? null,
      askedAtMs: record?.askedAtMs ?? null,
      changedAtMs: record?.changedAtMs ?? null,
      checkedAtMs: record?.checkedAtMs ?? null,
      chosen: chosen.includes(carrier),
    };
  });
}

/** A verdict on the former address is none on the one that its owner has given since, whether or not that has been sent. */
function isStale({ addressKey }: VerificationRecord, now: Pick<StandingFacts, "addressKey" | "meantKey">): boolean {
  if (addressKey === null) return false;
  return [now.addressKey, now.meantKey].some((key) => key !== null && key !== addressKey);
}

type AnswerState = Pick<CarrierStanding, "outcome" | "stale" | "question">;

/** Nothing is left to do for this carrier. A verdict stands while it is asked again for the same address. */
export function isFinished({ outcome, stale }: AnswerState): boolean {
  return outcome === "not_offered" || (outcome === "accepted" && !stale);
}

/** A verdict on the address as it is, whatever was asked since. */
export function isVerdict({ outcome, stale }: AnswerState): boolean {
  return (outcome === "accepted" || outcome === "refused") && !stale;
}

/**
 * An answer is awaited that comes by itself. Where the owner is told that there is none, or a word that nobody knows, we look on, but
 * he waits no more.
 */
export function isAwaited({ outcome, question }: AnswerState): boolean {
  return question !== null && outcome !== "no_answer" && outcome !== "unknown";
}
