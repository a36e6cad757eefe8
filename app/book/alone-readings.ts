import { isYoung } from "../domain/moment.ts";
import { GET_BEHIND_MS } from "../domain/plan/replaced.ts";
import type { Replaced, TemplateRecord } from "../domain/records.ts";
import type { Clock } from "../ports.ts";

/**
 * When this process last saw a template by its own GET or in the answer to a write, by its monotonic clock. A list may be behind that
 * for a while, and the stored time does not tell whether that while is over: the date may have been taken over since, or a process
 * before this one may have taken it for another one. Kept in memory, for a process that begins has waited for nothing. The same of the
 * changes that a GET may be behind.
 */

type Place = Pick<TemplateRecord, "connectionId" | "templateId">;

interface Own {
  /** What was seen before is not known. */
  beganMs: number;
  seenMs: Map<string, number>;
  /** When it kept what a change replaced, by place and reading. */
  replacedMs: Map<string, number>;
}

const known = new WeakMap<Pick<Clock, "monotonicMs">, Own>();

/** Far more than a process sees in the half minute that lists may be behind; for those seen longest ago the stored time alone tells. */
const REMEMBERED = 10_000;

/** What a change replaced is asked for within a minute. Each has a key of its own: they would pile up for weeks. */
const REPLACED_KEPT_MS = 3_600_000;

function ownOf(clock: Pick<Clock, "monotonicMs">): Own {
  const own: Own = known.get(clock) ?? { beganMs: clock.monotonicMs(), seenMs: new Map(), replacedMs: new Map() };
  known.set(clock, own);
  return own;
}

const keyOf = ({ connectionId, templateId }: Place) => `${connectionId} ${templateId}`;

/** Begins to remember, if it does not yet: of what is seen alone from now on it is known when. */
export function beginRemembering(clock: Pick<Clock, "monotonicMs">): void {
  ownOf(clock);
}

/** It was shown by itself just now. */
export function noteAlone(clock: Pick<Clock, "monotonicMs">, place: Place): void {
  note(ownOf(clock).seenMs, keyOf(place), clock.monotonicMs());
}

function note(times: Map<string, number>, key: string, nowMs: number): void {
  times.delete(key);
  times.set(key, nowMs);
  if (times.size > REMEMBERED) times.delete(times.keys().next().value!);
}

/** Whether it may have been shown by itself after that time of the monotonic clock: this process saw it, or did not live yet. */
export function mayBeSeenAloneSince(clock: Pick<Clock, "monotonicMs">, place: Place, sinceMs: number): boolean {
  const { beganMs, seenMs } = ownOf(clock);
  return beganMs > sinceMs || (seenMs.get(keyOf(place)) ?? -Infinity) > sinceMs;
}

const keyOfReplaced = (place: Place, { reading }: Pick<Replaced, "reading">) => `${keyOf(place)} ${reading}`;

/** A change was shown just now, in the reading with this number. */
export function noteReplaced(
  clock: Pick<Clock, "monotonicMs">,
  place: Place,
  replaced: Pick<Replaced, "reading">,
): void {
  const { replacedMs } = ownOf(clock);
  const nowMs = clock.monotonicMs();
  note(replacedMs, keyOfReplaced(place, replaced), nowMs);
  for (const [key, atMs] of replacedMs) {
    if (nowMs - atMs < REPLACED_KEPT_MS) break;
    replacedMs.delete(key);
  }
}

/**
 * For how long a GET may still be behind a change, in milliseconds; not above 0 when that is over. Of another process's change the stored
 * time tells, and a process that has just begun waits, for the time of day may have been another one then.
 */
export function leftBehindMs(clock: Pick<Clock, "monotonicMs" | "nowMs">, place: Place, replaced: Replaced): number {
  const { beganMs, replacedMs } = ownOf(clock);
  const sinceMs = replacedMs.get(keyOfReplaced(place, replaced));
  const leftMs = (sinceMs ?? beganMs) + GET_BEHIND_MS - clock.monotonicMs();
  if (sinceMs !== undefined || !isYoung(clock, replaced.atMs, GET_BEHIND_MS)) return leftMs;
  return Math.max(leftMs, replaced.atMs + GET_BEHIND_MS - clock.nowMs());
}

/** How long after our own create's answer its GET may not find it yet, in milliseconds from now; 0 when that is over. */
export function stillUnseenMs(clock: Pick<Clock, "monotonicMs" | "nowMs">, row: TemplateRecord | null): number {
  const made = (row?.replaced ?? []).filter(({ by }) => by === "create");
  return Math.max(0, ...made.map((each) => leftBehindMs(clock, row!, each)));
}
