import type { Services, SharedWork } from "../ports.ts";
import { LONGEST_REST_MS, type Line, type Serving } from "./serve-in-turn.ts";

/** A shop that is due and was not given is in the middle of a transaction, of another process perhaps. */
const BUSY_MS = 50;
/** Shops that should have had their turn so long ago are put back in line. */
const MEND_EVERY_MS = 30_000;

/** Claims from the line that all processes on the database share. The line sees to it that shops have their turns. */
export function serveShared({ clock, log, settings }: Services, shared: SharedWork, line: Line): Serving {
  const { owner, running, concurrency, start, stopping, progress } = line;
  let mendedMs = -Infinity;

  /** One of all processes does, and each asks whether it shall only when it is time. */
  const mend = async (): Promise<void> => {
    if (clock.monotonicMs() - mendedMs < MEND_EVERY_MS) return;
    mendedMs = clock.monotonicMs();
    if (!(await shared.isOurs("mending the line", MEND_EVERY_MS))) return;
    const found = await shared.mend(clock.nowMs() - MEND_EVERY_MS);
    if (found > 0) log.error({ found }, "shops with work were not in line for the worker");
  };

  return {
    async serveAll() {
      await mend();
      while (!stopping() && running.size < concurrency) {
        const nowMs = clock.nowMs();
        const room = concurrency - running.size;
        const items = await shared.claim({ owner, nowMs, leaseMs: settings.leaseMs, room });
        progress();
        if (items.length === 0) return;
        for (const item of items) start(item);
      }
    },
    async restMs() {
      // With all hands full the next run that ends looks again.
      if (running.size >= concurrency) return LONGEST_REST_MS;
      const dueAtMs = await shared.nextDueAtMs();
      if (dueAtMs === null) return LONGEST_REST_MS;
      const restMs = dueAtMs - clock.nowMs();
      return restMs <= 0 ? BUSY_MS : Math.min(LONGEST_REST_MS, restMs);
    },
  };
}
