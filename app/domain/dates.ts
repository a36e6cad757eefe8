/**
 * Which day it is, where a machine's clock may be wrong: judged from what the process counted, what the machine's wall clock says, and
 * what servers said in the `Date` of their answers. Pure.
 */

export type DateSource = "shopify" | "service";

/** What a server's clock says now, by its last answer and the time since. */
export interface DateOpinion {
  source: DateSource;
  nowMs: number;
}

export interface Dates {
  /** The process's time of day. */
  nowMs: number;
  /** The machine's wall clock. */
  machineMs: number;
  opinions: readonly DateOpinion[];
}

/** Clocks of servers and their answers' way differ by seconds; a `Date` has no fractions. */
const SAME_MS = 5_000;
/** Who differs by more than this cannot agree on a day. */
const AGREE_WITHIN_MS = 3_600_000;
/** Without a server's word a wall clock is believed once it has said the same for this long: looks at everything are less apart. */
const BELIEVED_AFTER_MS = 8 * 3_600_000;

export function sameDate(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) <= SAME_MS;
}

/**
 * Whether the process shall take the wall clock's date for its own. `lastingMs`: how long the two have differed by the same. Servers
 * decide where any of them is within an hour of one of the two: the nearer one is believed.
 */
export function followsMachine({ nowMs, machineMs, opinions }: Dates, lastingMs: number): boolean {
  if (sameDate(nowMs, machineMs)) return false;
  const votes = opinions.flatMap((opinion) => {
    const [toProcessMs, toMachineMs] = [Math.abs(opinion.nowMs - nowMs), Math.abs(opinion.nowMs - machineMs)];
    return Math.min(toProcessMs, toMachineMs) > AGREE_WITHIN_MS ? [] : [toMachineMs < toProcessMs];
  });
  return votes.length > 0 ? votes.every(Boolean) : lastingMs >= BELIEVED_AFTER_MS;
}

/**
 * Whether the day is sure enough to erase something by its age: a server was heard, and all who say anything are within an hour of
 * each other.
 */
export function isSureDate({ nowMs, machineMs, opinions }: Dates): boolean {
  if (opinions.length === 0) return false;
  const said = [nowMs, machineMs, ...opinions.map((opinion) => opinion.nowMs)];
  return Math.max(...said) - Math.min(...said) <= AGREE_WITHIN_MS;
}
