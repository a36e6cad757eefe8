import { bookFailure } from "../domain/book-failure.ts";
import type { WorkItemReason } from "../domain/records.ts";
import type { Tables } from "../ports.ts";
import { reasonOf } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { requestWork } from "../runs/request-work.ts";

/** How long a location waits for the first reading of the whole book before it looks again. */
const BOOK_WAIT_MS = 30_000;
/** Where the book cannot be read: its first reading wakes whoever waits. */
const UNREADABLE_WAIT_MS = 15 * 60_000;

/**
 * Whether somebody's template already stands for the location is known only once the whole book was read; that is one work item's work.
 * Where it fails at that, the location says so.
 */
export async function awaitBook(run: Run): Promise<RunEnd> {
  const { services, item } = run;
  const { clock, store } = services;
  const unreadable = await store.transaction(item.shop, async (tables) => {
    const key = { shop: item.shop, kind: "reconcile" as const, key: "shop" };
    const known = await tables.workItems.find(key);
    const isComing = known?.state === "active" && (known.generation > known.observedGeneration || known.failures > 0);
    if (!isComing) await requestWork(services, tables, key);
    return readBookFailure(tables, item.shop);
  });
  services.wake();
  if (unreadable) return unreadableBook(run, unreadable);
  return { kind: "waits", untilMs: clock.nowMs() + BOOK_WAIT_MS, reason: reasonOf(run, "book_unread") };
}

/** How a run ends that would rest on a book that cannot be read; null where nothing says that it cannot. */
export async function refuseUnreadable(run: Run, waitMs = UNREADABLE_WAIT_MS): Promise<RunEnd | null> {
  const failed = await readBookFailure(run.services.store, run.item.shop);
  return failed && unreadableBook(run, failed, waitMs);
}

export async function readBookFailure(
  tables: Pick<Tables, "workItems" | "connections">,
  shop: string,
): Promise<WorkItemReason | null> {
  const look = await tables.workItems.find({ shop, kind: "reconcile", key: "shop" });
  if (bookFailure(look, null) === null) return null;
  return bookFailure(look, await tables.connections.find({ shop, current: true }));
}

function unreadableBook(run: Run, { message, requestId }: WorkItemReason, waitMs = UNREADABLE_WAIT_MS): RunEnd {
  const untilMs = run.services.clock.nowMs() + waitMs;
  const reason = reasonOf(run, "book_unreadable", { message, requestId });
  const isOver = async (tables: Tables) => (await readBookFailure(tables, run.item.shop)) === null;
  return { kind: "waits", untilMs, reason, isOver };
}

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
