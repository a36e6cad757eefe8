import { useMemo } from "react";
import type { Language } from "../../domain/records.ts";
import { useShell } from "./shell-context.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Format {
  /** `20 nov 2026, 11:05`, in the shop's time zone. */
  dateTime(atMs: number): string;
  date(atMs: number): string;
  /** `hace 3 min`, `in 2 h`; the same text on the server and in the browser. */
  age(atMs: number): string;
  /** `3 min`, `1 h 20 min`; never less than a second. */
  duration(ms: number): string;
  number(value: number): string;
  /** `FedEx, DHL y Estafeta`. */
  list(items: string[]): string;
}

/** Numbers, times and lists in the page's language and the shop's time zone. */
export function useFormat(): Format {
  const { language, timeZone, nowMs } = useShell();
  return useMemo(() => createFormat({ language, timeZone, nowMs }), [language, timeZone, nowMs]);
}

export function createFormat({
  language,
  timeZone,
  nowMs,
}: {
  language: Language;
  timeZone: string;
  nowMs: number;
}): Format {
  const dateTime = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone });
  const date = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone });
  const relative = new Intl.RelativeTimeFormat(language, { numeric: "auto", style: "short" });
  const number = new Intl.NumberFormat(language);
  const list = new Intl.ListFormat(language, { type: "conjunction" });
  const amount = (value: number, unit: string) =>
    new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short" }).format(value);

  return {
    dateTime: (atMs) => plainSpaces(dateTime.format(atMs)),
    date: (atMs) => plainSpaces(date.format(atMs)),
    age(atMs) {
      const passedMs = atMs - nowMs;
      const distanceMs = Math.abs(passedMs);
      if (distanceMs < MINUTE_MS) return relative.format(0, "second");
      if (distanceMs < HOUR_MS) return relative.format(Math.trunc(passedMs / MINUTE_MS), "minute");
      if (distanceMs < DAY_MS) return relative.format(Math.trunc(passedMs / HOUR_MS), "hour");
      return relative.format(Math.trunc(passedMs / DAY_MS), "day");
    },
    duration(ms) {
      const seconds = Math.max(1, Math.ceil(ms / 1000));
      if (seconds < 60) return amount(seconds, "second");
      const minutes = Math.round(seconds / 60);
      if (minutes < 60) return amount(minutes, "minute");
      const rest = minutes % 60;
      return rest === 0
        ? amount(minutes / 60, "hour")
        : `${amount(Math.floor(minutes / 60), "hour")} ${amount(rest, "minute")}`;
    },
    number: (value) => number.format(value),
    list: (items) => list.format(items),
  };
}

/** Node's and the browser's Intl differ in their kinds of spaces; React would see another text. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f\u2009]/g, " ");
}
