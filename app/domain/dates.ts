/**
 * Which day it is, although a machine's clock may be wrong. Three sources are weighed: the time that the process counted, the machine's
 * wall clock, and the `Date` header of servers' answers. Pure.
 */

export type DateSource = "shopify" | "service";

/** What time a server's clock shows now: its last `Date` header and the time that has passed since. */
export interface DateOpinion {
  source: DateSource;
  nowMs: number;
}

export interface Dates {
  /** The time of day by which the process works. */
  nowMs: number;
  /** The time of day that the machine's wall clock shows. */
  machineMs: number;
  opinions: readonly DateOpinion[];
}

/** Two times this close count as the same: a `Date` header has whole seconds, and an answer takes time to arrive. */
const SAME_MS = 5_000;
/** Two clocks further apart than this do not agree on the day. */
const AGREE_WITHIN_MS = 3_600_000;
/**
 * When no server was heard, the wall clock is believed after it has shown the same difference for this long. Reconciles are less than this
 * apart, so that a server is heard in between wherever one can be reached.
 */
const BELIEVED_AFTER_MS = 8 * 3_600_000;

export function sameDate(oneMs: number, otherMs: number): boolean {
  return Math.abs(oneMs - otherMs) <= SAME_MS;
}

/** A server whose date is this many times further from the one than from the other tells which of the two is wrong by far. */
const FAR_TIMES = 10;

/**
 * Whether the process shall adopt the wall clock's date. `lastingMs` is how long the two have differed by the same amount. Servers decide
 * whose date is within an hour of one of the two, or far nearer to one than to the other: each of them must be nearer to the wall clock.
 */
export function followsMachine({ nowMs, machineMs, opinions }: Dates, lastingMs: number): boolean {
  if (sameDate(nowMs, machineMs)) return false;
  const votes = opinions.flatMap((opinion) => {
    const [toProcessMs, toMachineMs] = [Math.abs(opinion.nowMs - nowMs), Math.abs(opinion.nowMs - machineMs)];
    const [nearMs, farMs] = [Math.min(toProcessMs, toMachineMs), Math.max(toProcessMs, toMachineMs)];
    return nearMs > AGREE_WITHIN_MS && farMs < FAR_TIMES * nearMs ? [] : [toMachineMs < toProcessMs];
  });
  return votes.length > 0 ? votes.every(Boolean) : lastingMs >= BELIEVED_AFTER_MS;
}

/**
 * Whether the day is sure enough to erase something because of its age: at least one server was heard, and all sources are within an hour
 * of each other.
 */
export function isSureDate({ nowMs, machineMs, opinions }: Dates): boolean {
  if (opinions.length === 0) return false;
  const said = [nowMs, machineMs, ...opinions.map((opinion) => opinion.nowMs)];
  return Math.max(...said) - Math.min(...said) <= AGREE_WITHIN_MS;
}

/**
 * Whether the day is sure enough to conclude something from it that erases nothing. Where Shopify was heard, the service's word is not needed:
 * one that shows a wrong date for good would keep every such conclusion back for good.
 */
export function isAgreedDate(dates: Dates): boolean {
  return isSureDate({ ...dates, opinions: heeded(dates.opinions) });
}

/** Whether a server says that a time is still to come: an agreed date may be an hour ahead of it. */
export function isStillToCome(atMs: number, opinions: readonly DateOpinion[]): boolean {
  return heeded(opinions).some(({ nowMs }) => nowMs < atMs - SAME_MS);
}

function heeded(opinions: readonly DateOpinion[]): readonly DateOpinion[] {
  const shopifys = opinions.filter(({ source }) => source === "shopify");
  return shopifys.length > 0 ? shopifys : opinions;
}
