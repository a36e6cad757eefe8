import { DEFAULT_VERIFICATION_WORDS, meaningOf, type Meaning } from "../../app/domain/verification/verification.ts";
import type { LateCase, Seen } from "./seen.ts";

/**
 * Settings that follow from what was seen. Never below the defaults, which are safe for a service that answers at once: what was seen in an
 * hour is no promise for the next. Pure.
 */
export interface Proposal {
  name: ProposedSetting;
  value: string;
  /** Whether it is what the app does anyway. */
  isDefault: boolean;
  why: string;
}

export type ProposedSetting = (typeof TIMES)[number]["name"] | "VERIFICATION_STATUS_TABLE";

/** How long a run waits for a write to appear. */
export const MOST_REPORTED_LATENESS_MS = 120_000;
/** The next write may be later than those that were seen. */
const TIMES_SEEN = 2;

/** The defaults of app/config.server.ts; a test holds them to it. */
export const TIMES = [
  { name: "QUARANTINE_LONGEST_MS", defaultMs: 60_000, of: ["created_get", "changed_get", "deleted_get"] },
  { name: "QUARANTINE_MARGIN_MS", defaultMs: 30_000, of: ["created_list", "changed_list", "deleted_list"] },
  { name: "LISTINGS_APART_MS", defaultMs: 30_000, of: ["created_list", "changed_list", "deleted_list"] },
  { name: "ABSENCE_BELIEVED_AFTER_MS", defaultMs: 60_000, of: ["created_get", "changed_get"] },
] as const satisfies readonly { name: string; defaultMs: number; of: readonly LateCase[] }[];

export function proposalsOf(seen: Seen): Proposal[] {
  return [...TIMES.flatMap((time) => timeProposal(seen, time)), ...wordsProposal(seen)];
}

function timeProposal(
  { late = {} }: Seen,
  { name, defaultMs, of }: { name: ProposedSetting; defaultMs: number; of: readonly LateCase[] },
): Proposal[] {
  const seen = of.map((what) => late[what]).filter((ms) => ms !== undefined);
  if (seen.length === 0) return [];
  // What did not appear at all has no number that would be safe; the table says not to go live.
  const longestMs = Math.max(...seen.map((ms) => ms ?? MOST_REPORTED_LATENESS_MS));
  const wantedMs = Math.ceil((longestMs * TIMES_SEEN) / 1_000) * 1_000;
  const valueMs = Math.max(defaultMs, wantedMs);
  const why = `the longest seen was ${(longestMs / 1_000).toFixed(1)} s; twice that, and at least ${defaultMs / 1_000} s`;
  return [{ name, value: String(valueMs), isDefault: valueMs === defaultMs, why }];
}

/**
 * A word that another one followed stood for a step on the way, so it is proposed as pending. What a last word means, a person decides: it is
 * not proposed, and the app quotes it. No word is ever proposed as accepted.
 */
function wordsProposal({ words = {} }: Seen): Proposal[] {
  const unknown = new Map<string, Meaning>();
  for (const word of Object.values(words).flatMap((each) => each.slice(0, -1)))
    if (!isKnownWord(word)) unknown.set(keyOf(word), "pending");
  if (unknown.size === 0) return [];
  const table = { ...DEFAULT_VERIFICATION_WORDS, ...Object.fromEntries(unknown) };
  const why = `other words followed: ${[...unknown.keys()].join(", ")}`;
  return [{ name: "VERIFICATION_STATUS_TABLE", value: JSON.stringify(table), isDefault: false, why }];
}

/** Words with which carriers ended and whose meaning a person has to say. */
export function undecidedWords({ words = {} }: Seen): string[] {
  return [...new Set(Object.values(words).flatMap((each) => each.slice(-1)))].filter((word) => !isKnownWord(word));
}

export function isKnownWord(word: string): boolean {
  return meaningOf(DEFAULT_VERIFICATION_WORDS, word) !== "unknown";
}

/** As `meaningOf` looks it up. */
function keyOf(word: string): string {
  return word
    .trim()
    .toLowerCase()
    .replace(/[\s-]+/g, "_");
}
