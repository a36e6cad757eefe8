import type { TemplateRecord } from "../domain/records.ts";
import type { Clock } from "../ports.ts";

/**
 * When this process last saw a template by its own GET or in the answer to a write, by its monotonic clock. A list may be behind that
 * for a while, and the stored time does not tell whether that while is over: the date may have been taken over since, or a process
 * before this one may have taken it for another one. Kept in memory, for a process that begins has waited for nothing.
 */

type Place = Pick<TemplateRecord, "connectionId" | "templateId">;

interface Own {
  /** What was seen before is not known. */
  beganMs: number;
  seenMs: Map<string, number>;
}

const known = new WeakMap<Pick<Clock, "monotonicMs">, Own>();

/** Far more than a process sees in the half minute that lists may be behind; for those seen longest ago the stored time alone tells. */
const REMEMBERED = 10_000;

function ownOf(clock: Pick<Clock, "monotonicMs">): Own {
  const own = known.get(clock) ?? { beganMs: clock.monotonicMs(), seenMs: new Map<string, number>() };
  known.set(clock, own);
  return own;
}

const keyOf = ({ connectionId, templateId }: Place) => `${connectionId} ${templateId}`;

/** It was shown by itself just now. */
export function noteAlone(clock: Pick<Clock, "monotonicMs">, place: Place): void {
  const { seenMs } = ownOf(clock);
  const key = keyOf(place);
  seenMs.delete(key);
  seenMs.set(key, clock.monotonicMs());
  if (seenMs.size > REMEMBERED) seenMs.delete(seenMs.keys().next().value!);
}

/** Whether it may have been shown by itself after that time of the monotonic clock: this process saw it, or did not live yet. */
export function mayBeSeenAloneSince(clock: Pick<Clock, "monotonicMs">, place: Place, sinceMs: number): boolean {
  const { beganMs, seenMs } = ownOf(clock);
  return beganMs > sinceMs || (seenMs.get(keyOf(place)) ?? -Infinity) > sinceMs;
}
