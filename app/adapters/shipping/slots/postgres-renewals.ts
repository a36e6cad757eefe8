import type { Clock } from "../../../ports.ts";
import { superseded } from "../faults.ts";
import type { RenewalClaim, Renewals } from "../renewals.ts";
import type { SlotsDatabase } from "./slots-database.ts";

/**
 * One renewal of a connection's token over all processes. A claim is kept while the renewal waits for its slot, and confirmed right before
 * the request leaves: the lease then covers the request. A process that is killed keeps it until the lease ends.
 */

const KEPT_EVERY_MS = 5_000;

export interface PostgresRenewalsOptions {
  database: SlotsDatabase;
  clock: Clock;
  /** The longest time from the confirmation of a claim to the end of its request. */
  holdMs: number;
}

export function createPostgresRenewals({ database, clock, holdMs }: PostgresRenewalsOptions): Renewals {
  const leaseMs = holdMs + KEPT_EVERY_MS;

  function claimOf(connectionId: string, number: string): RenewalClaim {
    let lost = false;
    const keep = async () => {
      const [row] = await database.query<{ kept: boolean }>(KEEP, [connectionId, number, leaseMs]);
      lost ||= !row?.kept;
    };
    const keepOn = () => {
      // What is not kept now is kept five seconds later, or confirmed in vain.
      keep().catch(() => undefined);
      cancel = clock.after(KEPT_EVERY_MS, keepOn);
    };
    let cancel = clock.after(KEPT_EVERY_MS, keepOn);
    return {
      async confirm() {
        await keep();
        if (lost) throw superseded(connectionId);
      },
      isLost: () => lost,
      end() {
        cancel();
        // Nobody else waits for longer than the lease if this fails.
        database.query(END, [connectionId, number]).catch(() => undefined);
      },
    };
  }

  return {
    async claim(connectionId) {
      const [row] = await database.query<{ number: string | null }>(CLAIM, [connectionId, leaseMs, holdMs]);
      return row?.number == null ? null : claimOf(connectionId, row.number);
    },
  };
}

const CLAIM = 'SELECT budget.claim_renewal($1, $2, $3) AS "number"';
const KEEP = 'SELECT budget.keep_renewal($1, $2, $3) AS "kept"';
const END = "SELECT budget.end_renewal($1, $2)";
