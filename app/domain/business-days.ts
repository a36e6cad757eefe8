/** Business days as carriers in Mexico count them: Monday to Friday. Holidays are not considered. */

const DAY_MS = 24 * 3_600_000;
/** Mexico City is six hours behind UTC all year. The country's other time zones are at most two hours away from it. */
const MEXICO_CITY_MS = -6 * 3_600_000;
/** 1 January 1970 was a Thursday. */
const THURSDAY = 4;

/** The moment when so many whole business days have passed since `fromMs`; hours of a weekend do not count. */
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
