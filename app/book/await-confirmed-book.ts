import { reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { requestWork } from "../runs/request-work.ts";

/**
 * One reading of the book may miss a template, so nothing is made on it. The reconcile reads it a second time, a while after the first;
 * it wakes whoever waits here (`endWaiting`).
 */
export async function awaitConfirmedBook(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { clock, store, settings } = services;
  const untilMs = clock.nowMs() + settings.listingsApartMs;
  await store.transaction(item.shop, async (tables) => {
    const key = { shop: item.shop, kind: "reconcile", key: "shop" } as const;
    const known = await tables.workItems.find(key);
    const isUnderWay =
      known && (known.generation > known.observedGeneration || known.leaseUntilMs !== null || known.dueAtMs <= untilMs);
    // One that fails comes again by itself; requested again, it would begin anew at its shortest rest.
    const isComing = isUnderWay || (known && known.failures > 0);
    if (!isComing || known?.state !== "active") await requestWork(services, tables, key);
  });
  services.wake();
  return { kind: "waits", untilMs, reason: reasonOf(run, "book_unconfirmed") };
}
