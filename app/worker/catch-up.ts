import type { Services } from "../ports.ts";
import { scheduleReconciles } from "../shop/schedule-reconciles.ts";

/** Nobody has looked for so long: what came meanwhile may have been missed. */
const UNSEEN_MS = 60_000;
const SEEN_EVERY_MS = 10_000;
/** A process that began to ask for all reconciles and died meanwhile is waited for no longer. */
const AGAIN_MS = 300_000;

const LOOKING = "looking for work";
const RECONCILES = "asking for every reconcile";

/**
 * Whatever was missed while nobody looked is found by looking at everything. A process that has the database for itself does so at its
 * boot. Of several, one does, and only if none of the others was at work.
 */
export function createCatchUp(services: Services, { alone }: { alone: boolean }): { look(): Promise<void> } {
  const { store, clock } = services;
  const { shared } = store;
  let done = false;
  let seenMs = -Infinity;

  const isDue = async (): Promise<boolean> => {
    if (alone || !shared) return true;
    if (await shared.wasBegun(LOOKING, UNSEEN_MS)) return false;
    return shared.isOurs(RECONCILES, AGAIN_MS);
  };

  const catchUp = async (): Promise<void> => {
    if (await isDue()) await scheduleReconciles(services);
    else if (!(await shared!.wasBegun(LOOKING, UNSEEN_MS))) return;
    done = true;
  };

  return {
    /** At each turn of the worker. */
    async look() {
      if (!done) await catchUp();
      if (!done || !shared || clock.monotonicMs() - seenMs < SEEN_EVERY_MS) return;
      await shared.isOurs(LOOKING, 0);
      seenMs = clock.monotonicMs();
    },
  };
}
