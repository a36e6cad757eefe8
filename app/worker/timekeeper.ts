import { followsMachine, sameDate } from "../domain/dates.ts";
import type { Services } from "../ports.ts";
import { askDate } from "../runs/ask-date.ts";
import { dateIsSure } from "../runs/date-is-sure.ts";
import { countQuarantines } from "../runs/quarantine.ts";
import { noteQuarantines, restartQuarantines, resumeQuarantines } from "../runs/quarantines.ts";
import { redate } from "./redate.ts";
import { pullBack } from "./stamps.ts";

/**
 * Keeps the process's time of day (`Clock.nowMs`), the times in the database and the true date in agreement. The machine's wall clock may
 * be set by somebody, be wrong at boot, or go on while the machine sleeps. What is promised in each case:
 *
 * - The wall clock jumps while the process lives, and jumps back: nothing changes, because `nowMs` counts by the monotonic clock.
 * - The wall clock jumps and stays there, or the machine slept: the process adopts the wall clock's date once a server's `Date` confirms it,
 *   or after eight hours in which no server was heard. It never adopts a date that servers contradict. At the moment of adoption every
 *   quarantine and every lease begins its full length anew.
 * - The process began at a wrong date: it adopts the right one in the same way, once the wall clock was set right.
 * - The process restarts, perhaps at another date: a quarantine goes on from where the last process stored its progress. Leases are free,
 *   because only one process works on the database.
 * - Two processes run side by side, perhaps at different dates: each counts a quarantine's full length by itself. Those on one PostgreSQL
 *   database go by its time, each as soon as it has asked for it (`adapters/machine/shared-clock.ts`), whatever servers say.
 * - Shopify refuses a shop's token: a second refusal confirms the first one at the earliest a minute after this process knew of the first,
 *   by its monotonic clock.
 * - After each of these, a work item that is due later than its kind ever is becomes due now. Once a server confirms the date, times later
 *   than now are moved back.
 */
export interface Timekeeper {
  /** Once, before any work item is claimed. */
  begin(): Promise<void>;
  /** At each turn of the worker. */
  look(): Promise<void>;
}

/** How often a quarantine's progress is stored. What was not stored is waited for again by the next process. */
const NOTE_EVERY_MS = 5_000;
const SWEEP_EVERY_MS = 3_600_000;
/** A process that gives way to this one may go on writing for its last seconds, by a clock of its own. */
const SWEEP_AGAIN_MS = 60_000;
/** How often Shopify and the service are asked for the date while no server was heard. */
const ASK_EVERY_MS = 60_000;

export function createTimekeeper(services: Services, { alone }: { alone: boolean }): Timekeeper {
  const { clock, dates, log, store } = services;
  let notedMs = -Infinity;
  let sweepsAtMs = Infinity;
  let askedMs = -Infinity;
  /** Whether the process or one before it may have dated rows later than now. */
  let futureDatesPossible = alone;
  /** How far the wall clock is ahead of the process, and since when by the same amount. */
  let differs: { aheadMs: number; sinceMs: number } | null = null;

  const sweep = async () => {
    const found = await redate(services);
    sweepsAtMs = clock.monotonicMs() + SWEEP_EVERY_MS;
    if (found > 0) log.warn({ found }, "times that a wrong clock had written were dated anew");
  };

  /** One of several processes sweeps for all. */
  const isOurs = async () => {
    if (alone || !store.shared) return true;
    sweepsAtMs = clock.monotonicMs() + SWEEP_EVERY_MS;
    return store.shared.isOurs("sweeping wrong dates", SWEEP_EVERY_MS);
  };

  const ask = () => {
    if (dates.opinions().length > 0 || clock.monotonicMs() - askedMs < ASK_EVERY_MS) return;
    askedMs = clock.monotonicMs();
    void askDate(services);
  };

  const compare = async () => {
    const aheadMs = aheadOf(clock);
    if (aheadMs === null) return;
    if (sameDate(aheadMs, 0)) {
      differs = null;
      return;
    }
    if (!differs || !sameDate(differs.aheadMs, aheadMs)) {
      differs = { aheadMs, sinceMs: clock.monotonicMs() };
      log.warn({ aheadMs }, "a wall clock was set, or the machine slept");
    }
    ask();
    const said = { nowMs: clock.nowMs(), machineMs: clock.machineMs(), opinions: dates.opinions() };
    // Processes on one database go by its time, whatever else is right: two dates among them would be worse than a wrong one.
    if (!clock.sharedAheadMs && !followsMachine(said, clock.monotonicMs() - differs.sinceMs)) return;
    await follow(services, aheadMs);
    log.warn({ aheadMs }, "another date was taken over");
    differs = null;
    futureDatesPossible = true;
    await sweep();
  };

  /** Waits for a server's word. Without it the process's own date may be the wrong one, and years of history would be moved. */
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
      if (await isOurs()) await sweep();
      if (!store.shared) sweepsAtMs = clock.monotonicMs() + SWEEP_AGAIN_MS;
    },
    async look() {
      await compare();
      if (futureDatesPossible) await moveBackFutureDates();
      if (clock.monotonicMs() - notedMs >= NOTE_EVERY_MS) {
        // What is noted is for the process that comes after this one; who lives beside others counts by itself.
        if (alone) await noteQuarantines(services);
        else await countQuarantines(services);
        notedMs = clock.monotonicMs();
      }
      if (clock.monotonicMs() >= sweepsAtMs && (await isOurs())) await sweep();
    },
  };
}

/** How far the date that is to be followed is ahead of the process's; null while that is not known. */
function aheadOf(clock: Services["clock"]): number | null {
  return clock.sharedAheadMs ? clock.sharedAheadMs() : clock.machineMs() - clock.nowMs();
}

/**
 * Moves the process's time of day and, in one transaction, every stored time that somebody waits for, so that no reader sees one without
 * the other. When time goes ahead the rows are moved first; when it goes back, the clock is. In between every wait is too long and none too
 * short.
 */
async function follow({ store, clock, settings }: Services, byMs: number): Promise<void> {
  let moved = false;
  const adjust = (ms: number) => {
    clock.adjust(ms);
    moved = !moved;
  };
  try {
    await store.transaction(null, async (tables) => {
      // Another worker of the process, whose clock is the same, may have taken the date over while this one waited for its turn.
      if (!moved && !sameDate(aheadOf(clock) ?? 0, byMs)) return;
      // It may be run again, when the clock was moved already.
      const nowMs = clock.nowMs() + (moved ? 0 : byMs);
      if (byMs < 0 && !moved) adjust(byMs);
      await restartQuarantines(tables, { nowMs, quarantineMs: settings.quarantineMs });
      const leaseEndsMs = nowMs + settings.leaseMs;
      await tables.workItems.update({ leaseUntilMs: { gt: 0 } }, { leaseUntilMs: leaseEndsMs, dueAtMs: leaseEndsMs });
      if (byMs > 0 && !moved) adjust(byMs);
    });
  } catch (error) {
    if (moved) adjust(-byMs);
    throw error;
  }
}
