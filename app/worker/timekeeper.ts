import { followsMachine, sameDate } from "../domain/dates.ts";
import type { Services } from "../ports.ts";
import { askDate } from "../runs/ask-date.ts";
import { dateIsSure } from "../runs/date-is-sure.ts";
import { noteQuarantines, restartQuarantines, resumeQuarantines } from "../runs/quarantines.ts";
import { redate } from "./redate.ts";
import { pullBack } from "./stamps.ts";

/**
 * Keeps the process's time of day (`Clock.nowMs`) and the times in the database to each other and to the true date. The machine's wall
 * clock may be set, be wrong at boot, or go on while the machine sleeps. What is promised:
 *
 * - It jumps ahead or back while the process lives, and returns: nothing moves, for `nowMs` counts by the monotonic clock.
 * - It jumps and stays, or the machine slept: its date is taken over once a server's `Date` confirms it, or, where none is heard, after
 *   eight hours. At that moment every quarantine and every lease begins its whole length anew. Against the servers' word it is not
 * believed.
 * - The process began at a wrong date: the same takeover, once the wall clock is set right.
 * - A restart, whatever either process took the date for: a quarantine goes on where the last process noted it. Leases are free, for one
 *   process works on the database.
 * - A process beside another one, which may take the date for a different one: each counts a quarantine's whole length by itself.
 * - What confirms Shopify's first refusal comes a minute after this process first knew of that one, by its monotonic clock.
 * - After each of these, work that is dated further away than it ever is put off is due now, and once a server
 *   confirms the date, what is dated later than now is moved back.
 */
export interface Timekeeper {
  /** Once, before anything is claimed. */
  begin(): Promise<void>;
  /** At each turn of the worker. */
  look(): Promise<void>;
}

/** A quarantine that was not noted is waited for again by the next process. */
const NOTE_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
/** Which date is right, where no server was heard. */
const ASK_EVERY_MS = 60_000;

export function createTimekeeper(services: Services, { alone }: { alone: boolean }): Timekeeper {
  const { clock, dates, log } = services;
  let notedMs = -Infinity;
  let sweptMs = -Infinity;
  let askedMs = -Infinity;
  /** Whether another date may have been in use until now. */
  let futureDatesPossible = alone;
  /** How far the wall clock is ahead, and since when by as much. */
  let differs: { aheadMs: number; sinceMs: number } | null = null;

  const sweep = async () => {
    const found = await redate(services);
    sweptMs = clock.monotonicMs();
    if (found > 0) log.warn({ found }, "times that a wrong clock had written were dated anew");
  };

  const ask = () => {
    if (dates.opinions().length > 0 || clock.monotonicMs() - askedMs < ASK_EVERY_MS) return;
    askedMs = clock.monotonicMs();
    void askDate(services);
  };

  const compare = async () => {
    const aheadMs = clock.machineMs() - clock.nowMs();
    if (sameDate(aheadMs, 0)) {
      differs = null;
      return;
    }
    if (!differs || !sameDate(differs.aheadMs, aheadMs)) {
      differs = { aheadMs, sinceMs: clock.monotonicMs() };
      log.warn({ aheadMs }, "the wall clock was set, or the machine slept");
    }
    ask();
    const said = { nowMs: clock.nowMs(), machineMs: clock.machineMs(), opinions: dates.opinions() };
    if (!followsMachine(said, clock.monotonicMs() - differs.sinceMs)) return;
    await follow(services, aheadMs);
    log.warn({ aheadMs }, "the wall clock's date was taken over");
    differs = null;
    futureDatesPossible = true;
    await sweep();
  };

  /** Only a server knows that what lies ahead is wrong, and not the process's own date: that would move years of history. */
  const moveBackFutureDates = async () => {
    ask();
    if (!dateIsSure(services)) return;
    const moved = await pullBack(services);
    futureDatesPossible = false;
    if (moved > 0) log.warn({ moved }, "what was dated later than now was moved back");
  };

  return {
    async begin() {
      if (alone) await resumeQuarantines(services);
      await sweep();
    },
    async look() {
      await compare();
      if (futureDatesPossible) await moveBackFutureDates();
      if (clock.monotonicMs() - notedMs >= NOTE_EVERY_MS) {
        await noteQuarantines(services);
        notedMs = clock.monotonicMs();
      }
      if (clock.monotonicMs() - sweptMs >= SWEEP_EVERY_MS) await sweep();
    },
  };
}

/**
 * Moves the process's time of day, and with it what is waited for, in one transaction: whoever reads one reads the other. The rows go
 * first when time goes ahead, the clock when it goes back, so that in between everything waits longer and nothing shorter.
 */
async function follow({ store, clock, settings }: Services, byMs: number): Promise<void> {
  let moved = false;
  const adjust = (ms: number) => {
    clock.adjust(ms);
    moved = !moved;
  };
  try {
    await store.transaction(async (tables) => {
      const nowMs = clock.nowMs() + byMs;
      if (byMs < 0) adjust(byMs);
      await restartQuarantines(tables, { nowMs, quarantineMs: settings.quarantineMs });
      const leaseEndsMs = nowMs + settings.leaseMs;
      await tables.workItems.update({ leaseUntilMs: { gt: 0 } }, { leaseUntilMs: leaseEndsMs, dueAtMs: leaseEndsMs });
      if (byMs > 0) adjust(byMs);
    });
  } catch (error) {
    if (moved) adjust(-byMs);
    throw error;
  }
}
