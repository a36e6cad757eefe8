import { isAgreedDate, isSureDate } from "../domain/dates.ts";
import type { Dates } from "../domain/dates.ts";
import type { Services } from "../ports.ts";

type Asked = Pick<Services, "clock" | "dates">;

/** Whether the date is sure enough to erase something by its age. */
export function dateIsSure(services: Asked): boolean {
  return isSureDate(saidTo(services));
}

/** Whether it is sure enough to do something by it that erases nothing. */
export function dateIsAgreed(services: Asked): boolean {
  return isAgreedDate(saidTo(services));
}

function saidTo({ clock, dates }: Asked): Dates {
  return { nowMs: clock.nowMs(), machineMs: clock.machineMs(), opinions: dates.opinions() };
}
