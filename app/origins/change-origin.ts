import type { LocationRecord } from "../domain/records.ts";
import type { Services, Tables, Transaction } from "../ports.ts";
import { requestWork, type WorkRequest } from "../runs/request-work.ts";
import type { Changed, NotFound } from "../runs/run-now.ts";
import { runNow } from "../runs/run-now.ts";

export interface OriginChange<R> {
  shop: string;
  locationId: string;
  /** In the transaction; what it returns, if anything, refuses the change and must be returned before anything is written. */
  change: (tables: Transaction, location: LocationRecord) => Promise<R | null>;
  /** Asked in the transaction: when the run is due, and whether anything new was said; at once, and yes, when absent. */
  when?: (tables: Tables) => Promise<Pick<WorkRequest, "dueAtMs" | "unchanged">>;
  /** How long the run is waited for, in milliseconds; a page's usual patience when absent. */
  waitMs?: number;
}

/**
 * What every writer of one origin does: its change and the work item's generation in one transaction, then the run, at once.
 * A location of another shop is not found.
 */
export async function changeOrigin<R extends { kind: string }>(
  services: Services,
  { shop, locationId, change, when, ...patience }: OriginChange<R>,
): Promise<Changed | NotFound | R> {
  const requested = await services.store.transaction(shop, async (tables) => {
    const location = await tables.locations.find({ shop, locationId });
    if (!location) return { kind: "not_found" } as const;
    const refusal = await change(tables, location);
    if (refusal) return refusal;
    return requestWork(services, tables, { shop, kind: "location", key: locationId, ...(await when?.(tables)) });
  });
  if ("kind" in requested) return requested;
  return { kind: "done", progress: await runNow(services, { shop, ...requested, ...patience }) };
}
