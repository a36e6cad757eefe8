import type { World } from "../world.ts";

/** The service's answers show a date that is off by so much, from now on. */
export function showsWrongDate({ services: { dates } }: World, byMs: number): void {
  const heard = dates.heard.bind(dates);
  dates.heard = (source, header) => {
    const isOff = source === "service" && header;
    heard(source, isOff ? new Date(Date.parse(header) + byMs).toUTCString() : header);
  };
}
