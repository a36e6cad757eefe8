import type { Clock, Log, Random } from "../../../ports.ts";
import type { Renewals } from "../renewals.ts";
import type { WrongSecrets } from "../wrong-secrets.ts";
import { createPostgresRenewals } from "./postgres-renewals.ts";
import { createPostgresSlots, heldForMs } from "./postgres-slots.ts";
import { createPostgresWrongSecrets } from "./postgres-wrong-secrets.ts";
import type { SlotsDatabase } from "./slots-database.ts";
import type { Slots } from "./slots.ts";

/** What the processes of one database know together: slots and pauses, who renews a token, which secrets were wrong. */
export interface Shared {
  slots: Slots;
  renewals: Renewals;
  wrongSecrets: WrongSecrets;
}

/** `outdated`: another process has changed this connection. */
export function shareWith(
  database: SlotsDatabase,
  options: { clock: Clock; random: Random; log: Log; budget: { graceMs: number }; totalTimeoutMs: number },
  outdated: (connectionId: string) => void,
): Shared {
  const { clock, random, log, budget, totalTimeoutMs } = options;
  const { graceMs } = budget;
  const holdMs = heldForMs({ graceMs, totalTimeoutMs });
  return {
    slots: createPostgresSlots({ database, clock, random, log, graceMs, totalTimeoutMs, outdated }),
    renewals: createPostgresRenewals({ database, clock, holdMs }),
    wrongSecrets: createPostgresWrongSecrets({ database, clock, log }),
  };
}
