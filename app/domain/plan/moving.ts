import type { MoveRecord } from "../records.ts";
import { hourMs } from "../zone-days.ts";

/** Whether it is time: the hour has come, or its owner has pressed. */
export function isMoveDue(
  { hour, press }: Pick<MoveRecord, "hour" | "press">,
  { nowMs, timeZone }: { nowMs: number; timeZone: string },
): boolean {
  return press !== null || (hour !== null && (hourMs(hour, timeZone) ?? Infinity) <= nowMs);
}
