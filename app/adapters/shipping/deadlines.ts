import { atMostAgoMs, type Moment } from "../../domain/moment.ts";
import type { Clock } from "../../ports.ts";

/**
 * How long a request may be under way. A timer counts only while the machine is awake, so the wall clock is checked, too. Requests that
 * were under way when the machine fell asleep are overdue when it wakes up, and are ended before anything else leaves.
 */

/** How long an overdue request may go on after the machine woke up, if nothing new is sent meanwhile. */
const LOOK_EVERY_MS = 1_000;

export interface Deadlines {
  /** Ends every request that is overdue. */
  look(): void;
  /** Calls `end` once when the time since `began` is over by either clock, unless the function returned was called before. */
  watch(began: Moment, end: () => void): () => void;
  isOver(began: Moment): boolean;
}

export function createDeadlines(clock: Clock, totalMs: number): Deadlines {
  const looks = new Set<() => void>();

  return {
    look() {
      for (const look of looks) look();
    },
    watch(began, end) {
      let cancel = () => {};
      const stop = () => {
        cancel();
        looks.delete(look);
      };
      const look = () => {
        cancel();
        const leftMs = totalMs - atMostAgoMs(clock, began);
        if (leftMs > 0) return void (cancel = clock.after(Math.min(leftMs, LOOK_EVERY_MS), look));
        stop();
        end();
      };
      looks.add(look);
      look();
      return stop;
    },
    isOver: (began) => atMostAgoMs(clock, began) > totalMs,
  };
}
