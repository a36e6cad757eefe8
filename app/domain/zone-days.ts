/** Days as they begin and end in a place, and its hours. */

const DAY_MS = 24 * 3_600_000;

/** When a day such as `2026-11-20` begins in a time zone of the IANA database. Null for what is no day. */
export function dayBeginsMs(day: string, timeZone: string): number | null {
  const shownMs = shownAsUtcMs(`${day}T00:00`);
  return shownMs === null ? null : firstMsOf(shownMs, timeZone);
}

/** When it ends, which is when the next one begins. */
export function dayEndsMs(day: string, timeZone: string): number | null {
  const shownMs = shownAsUtcMs(`${day}T00:00`);
  return shownMs === null ? null : firstMsOf(shownMs + DAY_MS, timeZone);
}

/**
 * When an hour such as `2026-12-01T09:00` is in a time zone. Null for what is none. An hour that clocks leave out is read with the offset
 * from before the change: 02:30 becomes 03:30. Of an hour that comes twice it is the first.
 */
export function hourMs(hour: string, timeZone: string): number | null {
  const shownMs = shownAsUtcMs(hour);
  return shownMs === null ? null : firstMsOf(shownMs, timeZone);
}

/** What a clock shows, read as if it were UTC's. Null where no calendar has it, such as the 30th of February. */
function shownAsUtcMs(shown: string): number | null {
  const ms = Date.parse(`${shown}:00.000Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString() === `${shown}:00.000Z` ? ms : null;
}

/** The first moment at which a place's clocks show this. */
function firstMsOf(shownMs: number, timeZone: string): number {
  // Clocks are changed at most once in two days, so that the offset is one of these. Where they are put forward over it, it is neither.
  const [before, after] = [offsetMs(shownMs - DAY_MS, timeZone), offsetMs(shownMs + DAY_MS, timeZone)];
  const showsSo = (offset: number) => offsetMs(shownMs - offset, timeZone) === offset;
  return shownMs - (showsSo(before) || !showsSo(after) ? before : after);
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
