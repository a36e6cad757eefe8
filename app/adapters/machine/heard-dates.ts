import type { DateSource } from "../../domain/dates.ts";
import { atMostAgoMs, gainedMs, momentOf } from "../../domain/moment.ts";
import type { Moment } from "../../domain/moment.ts";
import type { Clock, HeardDates } from "../../ports.ts";

/** A word this old is none. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;
/** Where the machine slept since, or its clock was set, nobody knows how long ago the word came. */
const MAY_GAIN_MS = 5_000;

/** Keeps each source's last word. */
export function createHeardDates(clock: Clock): HeardDates {
  const words = new Map<DateSource, { dateMs: number; then: Moment }>();

  const isKnown = ({ then }: { then: Moment }) =>
    Math.abs(gainedMs(clock, then)) <= MAY_GAIN_MS && atMostAgoMs(clock, then) <= FORGOTTEN_AFTER_MS;

  return {
    heard(source, header) {
      const dateMs = header ? Date.parse(header) : NaN;
      if (!Number.isNaN(dateMs)) words.set(source, { dateMs, then: momentOf(clock) });
    },
    opinions: () =>
      [...words].flatMap(([source, word]) =>
        isKnown(word) ? [{ source, nowMs: word.dateMs + clock.monotonicMs() - word.then.monotonicMs }] : [],
      ),
  };
}
