import type { DatabaseServer, Log, Services } from "../ports.ts";
import { scheduleReconciles } from "./schedule-reconciles.ts";

/**
 * After a fail-over the database may lack seconds of what was committed, though it was sent; a restored copy lacks days. Whoever notices
 * first accepts it for all processes. Until then nobody sends, and for a quarantine after it. Then everything is looked at.
 */
export interface FailOver {
  look(): Promise<void>;
}

/** A process that began to ask for all reconciles and died meanwhile is waited for no longer. */
const AGAIN_MS = 300_000;
const RECONCILES = "asking for every reconcile on another server";

/** Goes on with another database than before, if nobody does yet. */
export async function acceptServer(
  server: DatabaseServer,
  { log, quarantineMs }: { log: Log; quarantineMs: number },
): Promise<void> {
  if (!(await server.accept(quarantineMs))) return;
  log.error(
    { alarm: "database_server", quarantineMs },
    "the database is a restored one or another server's, which may lack commits: everything is looked at",
  );
}

export function createFailOver({ store, ...services }: Services): FailOver {
  const { log, settings } = services;
  return {
    async look() {
      const { server, shared } = store;
      if (!server) return;
      const { isKnown, owesReconciles } = await server.read();
      if (!isKnown) await acceptServer(server, { log, quarantineMs: settings.quarantineMs });
      if (isKnown && !owesReconciles) return;
      const chore = await shared?.begin(RECONCILES, AGAIN_MS);
      if (chore === null) return;
      await scheduleReconciles({ store, ...services });
      await server.reconcilesAsked();
      await chore?.over();
      services.wake();
    },
  };
}
