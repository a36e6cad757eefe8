import { sameDate } from "../../domain/dates.ts";
import type { Log, ProcessClock } from "../../ports.ts";
import { createProcessClock, type Machine } from "./clock.ts";

/** How often the time is asked for. Two machines' clocks drift apart by about a millisecond meanwhile. */
const ASK_EVERY_MS = 10_000;
/** How often this machine's two clocks are compared, which tells that it slept or that somebody set its wall clock. */
const LOOK_EVERY_MS = 1_000;
const MAY_DIVERGE_MS = 1_000;
/** The shortest of so many round trips tells the time best. */
const ROUND_TRIPS = 5;
/** A smaller error is left alone, for each correction is a step of the time of day. */
const MAY_ERR_MS = 100;

/**
 * The time of day of a process that works beside others: that of a clock which all of them ask, the database's. It is kept by the
 * monotonic clock in between and corrected by less than `sameDate` allows; a greater difference is told (`sharedAheadMs`), and
 * `worker/timekeeper.ts` takes it over together with the times that are stored. Rejects when the time cannot be asked at the beginning.
 */
export async function createSharedClock(input: {
  machine: Machine;
  /** Asks for the time of day, in milliseconds. */
  askMs: () => Promise<number>;
  log: Log;
}): Promise<ProcessClock> {
  const { machine, askMs, log } = input;
  const { monotonicMs } = machine;
  const divergence = () => machine.machineMs() - monotonicMs();
  /** What the shared time was ahead of the monotonic clock, and the wall clock too, when it was asked last. */
  let asked = { aheadMs: 0, divergenceMs: 0 };
  let asking: Promise<void> | null = null;

  const ask = async (): Promise<void> => {
    let best: { tookMs: number; aheadMs: number; divergenceMs: number } | null = null;
    for (let times = 0; times < ROUND_TRIPS; times += 1) {
      const divergenceMs = divergence();
      const beforeMs = monotonicMs();
      const timeMs = await askMs();
      const tookMs = monotonicMs() - beforeMs;
      // The machine slept on the way, and nobody knows when the answer was given.
      if (Math.abs(divergence() - divergenceMs) > MAY_DIVERGE_MS) continue;
      const aheadMs = timeMs - (beforeMs + tookMs / 2);
      if (!best || tookMs < best.tookMs) best = { tookMs, aheadMs, divergenceMs };
    }
    if (best) asked = best;
  };

  const hasDiverged = () => Math.abs(divergence() - asked.divergenceMs) > MAY_DIVERGE_MS;

  await ask();
  const clock = createProcessClock({
    ...machine,
    machineMs: () => machine.machineMs() + asked.aheadMs - asked.divergenceMs,
  });
  const errorMs = () => Math.round(monotonicMs() + asked.aheadMs - clock.nowMs());

  const correct = (): void => {
    const byMs = errorMs();
    if (Math.abs(byMs) > MAY_ERR_MS && sameDate(byMs, 0)) clock.adjust(byMs);
  };

  const askAgain = (): Promise<void> =>
    (asking ??= ask()
      .then(correct, (error: unknown) => log.warn({ error }, "the database was not asked for the time"))
      .finally(() => {
        asking = null;
      }));

  let askedMs = monotonicMs();
  const look = (): void => {
    if (monotonicMs() - askedMs >= ASK_EVERY_MS || hasDiverged()) {
      askedMs = monotonicMs();
      void askAgain();
    }
    machine.after(LOOK_EVERY_MS, look);
  };
  machine.after(LOOK_EVERY_MS, look);

  return { ...clock, sharedAheadMs: () => (hasDiverged() ? null : errorMs()) };
}
