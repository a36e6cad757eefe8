const days = new Map<string, Intl.DateTimeFormat>();

/** The day of a moment in a time zone, such as `2026-11-20`. */
export function dayOf(atMs: number, timeZone: string): string {
  const known = days.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short" });
  if (!known) days.set(timeZone, format);
  return format.format(atMs);
}
