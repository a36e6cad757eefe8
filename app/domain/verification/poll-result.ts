import { afterBusinessDays } from "../business-days.ts";
import type { VerificationRecord, VerifiedCarrier } from "../records.ts";
import {
  asked,
  baselineOf,
  isSaid,
  isUnclear,
  isVerdict,
  meaningOf,
  nextPollAtMs,
  stands,
  UNKNOWN_ADDRESS,
  withLine,
  withOutcome,
} from "./verification.ts";
import type { Meaning } from "./verification.ts";

/**
 * What a reading of a template tells of one carrier. Only an entry that changed since the question is an answer; the time that passes never
 * is. Until an answer comes, a verdict on the same address stays valid, and a verdict on another address is shown as stale. A verdict on the
 * address that the template has now stays valid, too, while a question about another address is open.
 */

export interface Look {
  words: Record<string, Meaning>;
  nowMs: number;
  /** Whether the day is sure. If not, nothing is concluded from the time that has passed. */
  sureOfDate: boolean;
  /** The reading is from a list, which may be half a minute behind the writes. */
  listed: boolean;
  /** The reading is the answer to the question. */
  answersQuestion: boolean;
  /** `canonicalAddress` of the template as it is now, with what was emptied in it put back. */
  addressKey: () => string;
  /** The same with nothing put back: what carriers are asked about where nobody is to put it back. */
  shownKey: () => string;
}

/** How far a list is taken to lag at most, with the time it takes to read it. A list tells nothing about a younger question. */
export const LIST_BEHIND_MS = 60_000;

/** Carriers take up to two business days. The owner is told of a longer silence, and the app keeps looking. */
const TOLD_AFTER_DAYS = 2;

/** The record after a reading of the template, whose entries of the carrier are given. */
export function afterPollResult(
  record: VerificationRecord,
  entries: VerifiedCarrier[],
  look: Look,
): VerificationRecord {
  if (record.question === null && record.outcome === "not_offered") return record;
  if (record.question === "wanted")
    return showsAsked(record, entries, look) ? afterPollResult(asked(record, look.nowMs), entries, look) : record;
  if (record.question === "asked" && look.listed && look.nowMs - record.askedAtMs! < LIST_BEHIND_MS) return record;
  const looked = { ...record, checkedAtMs: look.nowMs };
  if (record.question === null)
    return record.baseline === null ? afterSeeing(looked, entries, look) : told(looked, entries, look);
  const polled = { polls: record.polls + 1, questionKey: addressAskedAbout(record, look) };
  const moved = { ...looked, ...polled, movedAtMs: record.movedAtMs ?? movedAt(record, entries, look) };
  return scheduled(answered(moved, entries, look), look);
}

/**
 * Where the answer to the question did not show the address, and the first reading after it shows another one than was meant, somebody has
 * changed it shortly before the question or shortly after. What the carrier says then counts for neither.
 */
function addressAskedAbout({ polls, questionKey }: VerificationRecord, look: Look): string | null {
  if (polls > 0 || look.answersQuestion || questionKey === null) return questionKey;
  return [look.addressKey(), look.shownKey()].includes(questionKey) ? questionKey : UNKNOWN_ADDRESS;
}

/**
 * Whether the template shows that a question with an unclear end was asked, or answered: an entry has changed since it was sent. Where the
 * carrier may still be at a question of ours about another address, every entry may be the answer to that one: it is asked once more. Where
 * it was at somebody else's, only an entry with an id of its own is no answer to that one.
 */
function showsAsked(record: VerificationRecord, entries: VerifiedCarrier[], { listed, words }: Look): boolean {
  if (!isUnclear(record) || listed || record.askedAtMs !== null) return false;
  const before = record.baseline ?? [];
  const isElsewhere = record.addressKey !== record.questionKey;
  const isAtWork = before.some(({ status }) => !isVerdict(meaningOf(words, status)));
  const isAtAnother = (isSaid(record) || record.outcome === "seen" || isElsewhere) && isAtWork;
  const ids = before.map(({ verificationId }) => verificationId);
  return notIn(record, entries).some(({ verification_id: id }) => !isAtAnother || (id !== null && !ids.includes(id)));
}

/** The record after the question was sent as often as it may be: it may have been asked, so its answer is looked for all the same. */
export function afterLastSending(record: VerificationRecord, nowMs: number): VerificationRecord {
  const sent = asked(record, nowMs);
  if (!stands(sent)) return givenUp(sent, nowMs);
  return withLine(sent, { atMs: nowMs, outcome: "no_answer", status: null });
}

/**
 * Whether the last question was given up in the moment of its last sending, which had no clear end (`afterLastSending`). What is silent is
 * given up days after it was asked.
 */
export function endedUnclear({ question, askedAtMs, timeline }: VerificationRecord): boolean {
  const last = timeline.at(-1);
  return question !== "wanted" && last?.outcome === "no_answer" && last.atMs === askedAtMs;
}

/** Nobody has asked this carrier. Its entry in the account is shown as it is, for the address with which it was first seen. */
function afterSeeing(record: VerificationRecord, entries: VerifiedCarrier[], look: Look): VerificationRecord {
  const entry = entries.at(-1);
  if (!entry || saysTheSame(record, entry)) return record;
  return withOutcome({ ...withEntry(record, entry), addressKey: look.addressKey() }, "seen", look.nowMs);
}

/** Without an open question, a later verdict of the carrier counts. That the carrier is at work again does not. */
function told(record: VerificationRecord, entries: VerifiedCarrier[], look: Look): VerificationRecord {
  const entry = pick(notIn(record, entries), look);
  if (!entry || saysTheSame(record, entry)) return record;
  const meaning = meaningOf(look.words, entry.status);
  return meaning === "pending" ? record : withOutcome(withEntry(record, entry), meaning, look.nowMs);
}

function answered(record: VerificationRecord, entries: VerifiedCarrier[], look: Look): VerificationRecord {
  const entry = pick(notIn(record, entries), look) ?? (hasReturned(record, look) ? pick(entries, look) : null);
  const meaning = entry && meaningOf(look.words, entry.status);
  if (entry === null || meaning === null || (meaning === "pending" && holds(record, look))) return record;
  const said = withOutcome({ ...withEntry(record, entry), addressKey: record.questionKey }, meaning, look.nowMs);
  return isVerdict(meaning) ? closed(said) : said;
}

/** Whether the carrier's verdict is on the address in question, or on the one that the template has by now. */
function holds(record: VerificationRecord, { addressKey }: Look): boolean {
  return stands(record) || (isSaid(record) && record.addressKey === addressKey());
}

function closed(record: VerificationRecord): VerificationRecord {
  return { ...record, question: null, questionKey: null, nextPollAtMs: null };
}

/** Entries that are not in the baseline of the question. */
function notIn({ baseline }: VerificationRecord, entries: VerifiedCarrier[]): VerifiedCarrier[] {
  return entries.filter((entry) => !(baseline ?? []).some((before) => saysTheSame(before, entry)));
}

/** The entry that counts among several: the last verdict, or the last entry when there is no verdict. */
function pick(entries: VerifiedCarrier[], { words }: Look): VerifiedCarrier | null {
  return entries.findLast((entry) => meaningOf(words, entry.status) !== "pending") ?? entries.at(-1) ?? null;
}

/** An entry that is missing says nothing: an answer may leave the carriers out, and the old entry in the next one is no news. */
function movedAt(record: VerificationRecord, entries: VerifiedCarrier[], { nowMs }: Look): number | null {
  return notIn(record, entries).length > 0 ? nowMs : null;
}

/**
 * Whether the entries changed after the question and have returned to the same content. The carrier has then answered anew, with the same
 * words.
 */
function hasReturned({ movedAtMs }: VerificationRecord, { listed, nowMs }: Look): boolean {
  return movedAtMs !== null && movedAtMs < nowMs && (!listed || nowMs - movedAtMs >= LIST_BEHIND_MS);
}

type Said = Pick<VerificationRecord, "updateState" | "verificationId"> & { status: string | null };

function saysTheSame(said: Said, entry: VerifiedCarrier): boolean {
  const [now] = baselineOf([entry]);
  const { status, updateState, verificationId } = said;
  return status === now!.status && updateState === now!.updateState && verificationId === now!.verificationId;
}

function withEntry(record: VerificationRecord, entry: VerifiedCarrier): VerificationRecord {
  return { ...record, ...baselineOf([entry])[0]! };
}

/** When to look next, and what the time without an answer means. */
function scheduled(record: VerificationRecord, look: Look): VerificationRecord {
  const { nowMs, sureOfDate } = look;
  const { question, polls } = record;
  if (question === null) return record;
  const askedAtMs = sureOfDate ? record.askedAtMs! : nowMs;
  const next = nextPollAtMs({ polls, askedAtMs, nowMs });
  if (next === null) return closed(keepsItsWord(record, look) ? record : givenUp(record, nowMs));
  const toldAtMs = toldOfSilenceAtMs(askedAtMs);
  const silent = record.movedAtMs === null && !keepsItsWord(record, look);
  if (silent && nowMs >= toldAtMs) return { ...givenUp(record, nowMs), nextPollAtMs: next };
  return { ...record, nextPollAtMs: silent ? Math.min(next, toldAtMs) : next };
}

/** From when on a carrier that was asked and has not answered counts as silent. */
export function toldOfSilenceAtMs(askedAtMs: number): number {
  return afterBusinessDays(askedAtMs, TOLD_AFTER_DAYS);
}

function keepsItsWord(record: VerificationRecord, look: Look): boolean {
  return holds(record, look) || record.outcome === "unknown";
}

function givenUp(record: VerificationRecord, nowMs: number): VerificationRecord {
  return withOutcome({ ...record, addressKey: record.questionKey }, "no_answer", nowMs);
}
