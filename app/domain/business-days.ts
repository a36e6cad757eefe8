/** Business days as carriers in Mexico count them: from Monday to Friday. Holidays are not known here. */

const DAY_MS = 24 * 3_600_000;
/** Mexico City is six hours behind UTC all year; the country's other zones do not change which day it is by more than two hours. */
const MEXICO_CITY_MS = -6 * 3_600_000;
/** 1 January 1970 was a Thursday. */
const THURSDAY = 4;

/** The moment by which so many whole business days have passed since `fromMs`; a weekend's hours do not count. */
export function afterBusinessDays(fromMs: number, days: number): number {
  let leftMs = days * DAY_MS;
  let atMs = fromMs;
  while (leftMs > 0) {
    const day = Math.floor((atMs + MEXICO_CITY_MS) / DAY_MS);
    const endsMs = (day + 1) * DAY_MS - MEXICO_CITY_MS;
    const countsMs = isWeekend(day) ? 0 : Math.min(leftMs, endsMs - atMs);
    leftMs -= countsMs;
    atMs = leftMs === 0 ? atMs + countsMs : endsMs;
  }
  return atMs;
}

function isWeekend(day: number): boolean {
  const weekday = (day + THURSDAY) % 7;
  return weekday === 0 || weekday === 6;
}
