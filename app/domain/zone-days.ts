/** Days as they begin and end in a place, and its hours. */

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;
const HOUR = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$/;
const DAY_MS = 24 * 3_600_000;

/** When a day such as `2026-11-20` begins in a time zone of the IANA database. Null for what is no day. */
export function dayBeginsMs(day: string, timeZone: string): number | null {
  const [, year, month, date] = DAY.exec(day) ?? [];
  if (!year) return null;
  const utcMs = Date.UTC(Number(year), Number(month) - 1, Number(date));
  if (Number.isNaN(utcMs) || new Date(utcMs).toISOString().slice(0, 10) !== day) return null;
  // The offset near the day may differ from the one at its beginning, where clocks are changed on that day.
  const nearMs = utcMs - offsetMs(utcMs, timeZone);
  return utcMs - offsetMs(nearMs, timeZone);
}

/** When it ends, which is when the next one begins. */
export function dayEndsMs(day: string, timeZone: string): number | null {
  const utcMs = DAY.test(day) ? Date.parse(`${day}T00:00:00Z`) : NaN;
  if (Number.isNaN(utcMs)) return null;
  return dayBeginsMs(new Date(utcMs + DAY_MS).toISOString().slice(0, 10), timeZone);
}

/** When an hour such as `2026-12-01T09:00` is in a time zone. Null for what is none. Where clocks are put forward over it, the time after that. */
export function hourMs(hour: string, timeZone: string): number | null {
  const utcMs = HOUR.test(hour) ? Date.parse(`${hour}:00Z`) : NaN;
  if (Number.isNaN(utcMs)) return null;
  const nearMs = utcMs - offsetMs(utcMs, timeZone);
  return utcMs - offsetMs(nearMs, timeZone);
}

/** How far a place's clocks are ahead of UTC at a moment. */
function offsetMs(atMs: number, timeZone: string): number {
  const parts = new Intl.DateTimeFormat("en-US", {
    timeZone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(atMs);
  const of = (type: string) => Number(parts.find((part) => part.type === type)!.value);
  const shownMs = Date.UTC(of("year"), of("month") - 1, of("day"), of("hour"), of("minute"), of("second"));
  return shownMs - Math.floor(atMs / 1000) * 1000;
}
