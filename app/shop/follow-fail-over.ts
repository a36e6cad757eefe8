import type { Services } from "../ports.ts";
import { scheduleReconciles } from "./schedule-reconciles.ts";

/**
 * After a fail-over, or on a restored copy, the database may lack seconds of what was committed, though it was sent. Whoever notices first
 * accepts the server for all processes. Until then nobody sends, and for a quarantine after it. Then everything is looked at.
 */
export interface FailOver {
  look(): Promise<void>;
}

/** A process that began to ask for all reconciles and died meanwhile is waited for no longer. */
const AGAIN_MS = 300_000;
const RECONCILES = "asking for every reconcile on another server";

export function createFailOver({ store, ...services }: Services): FailOver {
  const { log, settings } = services;
  return {
    async look() {
      const { shared } = store;
      if (!shared) return;
      const { isKnown, owesReconciles } = await shared.server.read();
      if (!isKnown && (await shared.server.accept(settings.quarantineMs))) {
        const said = { alarm: "database_server", quarantineMs: settings.quarantineMs };
        log.error(
          said,
          "the database's server is another one, which may lack the last commits: everything is looked at",
        );
      }
      if (isKnown && !owesReconciles) return;
      const chore = await shared.begin(RECONCILES, AGAIN_MS);
      if (!chore) return;
      await scheduleReconciles({ store, ...services });
      await shared.server.reconcilesAsked();
      await chore.over();
      services.wake();
    },
  };
}
