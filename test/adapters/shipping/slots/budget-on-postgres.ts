import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createBottleneckLine } from "../../../../app/adapters/shipping/budget.ts";
import { createBudget, type Budget, type Place } from "../../../../app/adapters/shipping/budget-core.ts";
import { createPostgresSlots } from "../../../../app/adapters/shipping/slots/postgres-slots.ts";
import { openSlotsDatabase, type SlotsDatabase } from "../../../../app/adapters/shipping/slots/slots-database.ts";
import type { Slots } from "../../../../app/adapters/shipping/slots/slots.ts";
import type { Slot } from "../../../../app/adapters/shipping/slots/slot-use.ts";
import { connectionConfig } from "../../../../app/adapters/store/postgresql/connection.ts";
import { isAppError } from "../../../../app/domain/errors.ts";
import type { Clock, Log } from "../../../../app/ports.ts";
import { keptLog, type LogLine } from "../support/world.ts";

/** A process's budget on the database's slots, with all that production puts between. */
export function budgetOn(
  url: string,
  options: {
    graceMs: number;
    totalTimeoutMs?: number;
    clock?: Clock;
    through?: (database: SlotsDatabase) => SlotsDatabase;
  },
): { budget: Budget; slots: Slots; log: Log & { lines: LogLine[] } } {
  const { graceMs, totalTimeoutMs = 10_000, clock = createClock(), through = (database) => database } = options;
  const log = keptLog();
  const database = through(openSlotsDatabase(connectionConfig(url)));
  const random = createRandom();
  const slots = createPostgresSlots({ database, clock, random, log, graceMs, totalTimeoutMs });
  // The slots of others are in the database, so nothing of an earlier process need be waited for.
  const budget = createBudget({ clock, random, line: createBottleneckLine(), graceMs, slots });
  return { budget, slots, log };
}

/** A shop and a client id of a test's own. */
export const place = (own: string, over: Partial<Place> = {}): Place => ({
  shop: `shop ${own}`,
  client: `test ${own}`,
  priority: "sync",
  ...over,
});
export const kindOf = (error: unknown) => (isAppError(error) ? error.kind : error);
export const answered = async (slot: Slot) => {
  slot.sending();
  slot.answered();
};
