import { isSureDate } from "../domain/dates.ts";
import type { Services } from "../ports.ts";

/** Whether the date is sure enough to erase something by its age. */
export function dateIsSure({ clock, dates }: Pick<Services, "clock" | "dates">): boolean {
  return isSureDate({ nowMs: clock.nowMs(), machineMs: clock.machineMs(), opinions: dates.opinions() });
}
