import type { ConnectionRef, Services, Tables } from "../ports.ts";

/**
 * The readings of an account's templates are numbered in the store. Which of two is the newer one, their numbers say, and not the time
 * of day: that may have been wrong when one of them was dated.
 */

type Ref = Pick<ConnectionRef, "id">;

/** What was known when a listing began. */
export interface Beginning {
  /** The last reading until then; what has a higher number was read since. */
  lastReading: number;
  /** By the monotonic clock. */
  startedMs: number;
}

/** Before the first page is asked for. */
export async function beginListing({ store, clock }: Pick<Services, "store" | "clock">, ref: Ref): Promise<Beginning> {
  return { lastReading: await lastReading(store, ref), startedMs: clock.monotonicMs() };
}

/** The number of a reading that is kept now, in the same transaction. */
export async function nextReading(tables: Pick<Tables, "connections">, ref: Ref): Promise<number> {
  const readings = (await lastReading(tables, ref)) + 1;
  await tables.connections.update({ id: ref.id }, { readings });
  return readings;
}

async function lastReading(tables: Pick<Tables, "connections">, { id }: Ref): Promise<number> {
  return (await tables.connections.find({ id }))?.readings ?? 0;
}
