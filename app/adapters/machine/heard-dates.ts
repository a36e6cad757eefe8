import type { DateSource } from "../../domain/dates.ts";
import { atMostAgoMs, gainedMs, momentOf } from "../../domain/moment.ts";
import type { Moment } from "../../domain/moment.ts";
import type { Clock, HeardDates } from "../../ports.ts";

/** A date heard longer ago than this is ignored. */
const FORGOTTEN_AFTER_MS = 24 * 3_600_000;
/**
 * If the machine's clocks have diverged by more than this since an answer, it slept or its clock was set, and nobody knows how old the
 * answer is.
 */
const MAY_GAIN_MS = 5_000;

/** Keeps the last date of each source. */
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
