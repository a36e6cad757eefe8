import { isYoung } from "../domain/moment.ts";
import type { TemplateRecord } from "../domain/records.ts";
import type { Clock, ConnectionRef, Services, Tables } from "../ports.ts";
import { lastReading } from "../runs/next-reading.ts";

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

/** A pause may come between the reading and the write; after this it is read anew, so that what people said meanwhile is seen. */
const READING_HOLDS_MS = 15_000;

export type Reading = Pick<TemplateRecord, "shop" | "connectionId" | "templateId" | "readAtMs" | "reading">;

/** Whether a write may still rest on the reading. */
export function isFresh(clock: Pick<Clock, "nowMs">, { readAtMs }: Reading): boolean {
  return isYoung(clock, readAtMs, READING_HOLDS_MS);
}

/** Whether nobody read or wrote the template since. */
export async function isLatest(
  tables: Pick<Tables, "templates">,
  { shop, connectionId, templateId, reading }: Reading,
): Promise<boolean> {
  return (await tables.templates.count({ shop, connectionId, templateId, reading })) === 1;
}
