const formats = new Map<string, Intl.DateTimeFormat>();

/** `2026-11-24 09:29:10` in a time zone: the same in every language, and in the order in which a spreadsheet sorts. */
export function zonedTime(atMs: number, timeZone: string): string {
  const known = formats.get(timeZone);
  const format = known ?? new Intl.DateTimeFormat("sv-SE", { timeZone, dateStyle: "short", timeStyle: "medium" });
  if (!known) formats.set(timeZone, format);
  return format.format(atMs);
}

/** `2026-11-24T15:29:10.123Z` */
export function utcTime(atMs: number): string {
  return new Date(atMs).toISOString();
}
