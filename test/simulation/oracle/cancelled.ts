import { NEVER_MS } from "../../../app/domain/backoff.ts";
import type { WorkItem } from "../../../app/domain/records.ts";
import type { MemoryDatabase } from "../../fakes/memory-store.ts";
import type { CancelledItem, Known } from "../people/stage.ts";

/**
 * Notes the cancelled items right after the answer. It leaves out those whose work item is being run, and those that others have requested,
 * too.
 */
export function noteCancelled(
  { database, known }: { database: MemoryDatabase; known: Pick<Known, "cancelled"> },
  jobId: string,
): void {
  const workItems = new Map([...database.rows("workItems")].map((row) => [row.id, row]));
  for (const { jobId: of, shop, locationId, workItemId, state, generation, confirmed } of database.rows("jobItems")) {
    const workItem =
      of === jobId && state === "cancelled" && workItemId !== null ? workItems.get(workItemId) : undefined;
    if (!workItem || workItem.kind !== "location" || workItem.leaseOwner !== null) continue;
    // A stalled process may answer long after it cancelled, so others may have requested the work item since. A location whose confirmation
    // was withdrawn is not written even then.
    if (workItem.generation > generation && (confirmed === null || confirmed.stood)) continue;
    known.cancelled.push({ shop, locationId, workItemId: workItem.id, generation: workItem.generation });
  }
}

/**
 * Whether a cancelled job left the work item, which waits for the next change. A cancel that a process's death cut off is finished at the
 * next start, and nobody is answered.
 */
export function isLeftByCancel(
  { database, known }: { database: MemoryDatabase; known: Pick<Known, "cancelled"> },
  { id, generation, dueAtMs }: Readonly<WorkItem>,
): boolean {
  if (known.cancelled.some((item) => item.workItemId === id && item.generation === generation)) return true;
  if (dueAtMs < NEVER_MS) return false;
  return [...database.rows("jobItems")].some(
    (item) => item.state === "cancelled" && item.workItemId === id && item.generation === generation,
  );
}

/** For a write of a location's run that is about to leave: the cancelled item that it carries out, or null. */
export function carriesOutCancelled(
  database: MemoryDatabase,
  cancelled: readonly CancelledItem[],
  workItemId: string,
): CancelledItem | null {
  if (cancelled.length === 0) return null;
  for (const workItem of database.rows("workItems")) {
    if (workItem.id === workItemId)
      return (
        cancelled.find((item) => item.workItemId === workItemId && item.generation === workItem.generation) ?? null
      );
  }
  return null;
}
