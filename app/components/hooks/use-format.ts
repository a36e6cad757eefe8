import type { TFunction } from "i18next";
import { useMemo } from "react";
import { useTranslation } from "react-i18next";
import type { Language } from "../../domain/records.ts";
import { useShell } from "../shell/shell-context.tsx";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

export interface Format {
  /** `20 nov 2026, 11:05`, in the shop's time zone. */
  dateTime(atMs: number): string;
  date(atMs: number): string;
  /** `hace 3 min`, `in 2 h`; the same text on the server and in any browser. */
  age(atMs: number): string;
  /** `3 min`, `1 h 20 min`; never less than a second. */
  duration(ms: number): string;
  number(value: number): string;
  /** `México` for `MX`; an unknown code stays as it is. */
  country(code: string): string;
  /** The shop's time zone, as it is called at a moment: `hora estándar central`. */
  zone(atMs: number): string;
  /** `FedEx, DHL y Estafeta`. */
  list(items: string[]): string;
}

/** Numbers, times and lists in the page's language and the shop's time zone. */
export function useFormat(): Format {
  const { t } = useTranslation("common");
  const { language, timeZone, nowMs } = useShell();
  return useMemo(() => createFormat({ language, timeZone, nowMs, t }), [language, timeZone, nowMs, t]);
}

export interface FormatInput {
  language: Language;
  timeZone: string;
  nowMs: number;
  t: TFunction<"common">;
}

export function createFormat({ language, timeZone, nowMs, t }: FormatInput): Format {
  const { dateTime, date, number, country, list, zones } = formattersOf(language, timeZone);

  return {
    dateTime: (atMs) => plainSpaces(dateTime.format(atMs)),
    date: (atMs) => plainSpaces(date.format(atMs)),
    // The app's own words, because a browser's `Intl` may abbreviate otherwise than the server's, and React would render the page again.
    age(atMs) {
      const distanceMs = Math.abs(atMs - nowMs);
      const past = atMs <= nowMs;
      const minutes = Math.trunc(distanceMs / MINUTE_MS);
      const hours = Math.trunc(distanceMs / HOUR_MS);
      const days = Math.trunc(distanceMs / DAY_MS);
      if (minutes === 0) return t(past ? "age.now" : "age.soon");
      if (hours === 0) return past ? t("age.minutesAgo", { count: minutes }) : t("age.inMinutes", { count: minutes });
      if (days === 0) return past ? t("age.hoursAgo", { count: hours }) : t("age.inHours", { count: hours });
      return past ? t("age.daysAgo", { count: days }) : t("age.inDays", { count: days });
    },
    duration(ms) {
      const seconds = Math.max(1, Math.ceil(ms / 1000));
      if (seconds < 60) return t("duration.seconds", { count: seconds });
      const minutes = Math.round(seconds / 60);
      if (minutes < 60) return t("duration.minutes", { count: minutes });
      const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
      return rest === 0 ? t("duration.hours", { count: hours }) : t("duration.hoursMinutes", { hours, minutes: rest });
    },
    number: (value) => number.format(value),
    country: (code) => (/^[A-Z]{2}$/i.test(code) ? (country.of(code.toUpperCase()) ?? code) : code),
    zone: (atMs) => zoneName(zones, atMs),
    list: (items) => list.format(items),
  };
}

type Formatters = ReturnType<typeof createFormatters>;

const known = new Map<string, Formatters>();

/** Cached, because making a formatter takes longer than rendering a row of a list. */
function formattersOf(language: Language, timeZone: string): Formatters {
  const key = `${language} ${timeZone}`;
  const formatters = known.get(key) ?? createFormatters(language, timeZone);
  known.set(key, formatters);
  return formatters;
}

function createFormatters(language: Language, timeZone: string) {
  return {
    dateTime: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short", timeZone }),
    date: new Intl.DateTimeFormat(language, { dateStyle: "medium", timeZone }),
    number: new Intl.NumberFormat(language),
    country: new Intl.DisplayNames(language, { type: "region" }),
    list: new Intl.ListFormat(language, { type: "conjunction" }),
    zones: (["longGeneric", "long"] as const).map(
      (timeZoneName) => new Intl.DateTimeFormat(language, { timeZone, timeZoneName }),
    ),
  };
}

/** Where a zone has no name for all year, as UTC has none, the name of that moment. */
function zoneName(zones: Formatters["zones"], atMs: number): string {
  const names = zones.flatMap((one) => one.formatToParts(atMs).filter(({ type }) => type === "timeZoneName"));
  return plainSpaces((names.find(({ value }) => !value.startsWith("GMT")) ?? names[0]!).value);
}

/** Node's and the browser's `Intl` use different kinds of spaces. */
function plainSpaces(text: string): string {
  return text.replace(/[\u00a0\u202f\u2009]/g, " ");
}
