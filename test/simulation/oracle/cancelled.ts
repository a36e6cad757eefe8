import type { MemoryDatabase } from "../../fakes/memory-store.ts";
import type { CancelledItem, Known } from "../people/stage.ts";

/** Right after the answer: whose work item is held or was overtaken has been begun, or was asked for by others too. */
export function noteCancelled(
  { database, known }: { database: MemoryDatabase; known: Pick<Known, "cancelled"> },
  jobId: string,
): void {
  const workItems = new Map([...database.rows("workItems")].map((row) => [row.id, row]));
  for (const { jobId: of, shop, locationId, workItemId, state, generation, confirmed } of database.rows("jobItems")) {
    const workItem =
      of === jobId && state === "cancelled" && workItemId !== null ? workItems.get(workItemId) : undefined;
    if (!workItem || workItem.kind !== "location" || workItem.leaseOwner !== null) continue;
    // A process that stalled answers long after it cancelled. A location whose confirmation was withdrawn is not written, whoever asks.
    if (workItem.generation > generation && confirmed === null) continue;
    known.cancelled.push({ shop, locationId, workItemId: workItem.id, generation: workItem.generation });
  }
}

/** A write of a location's is about to leave: null, or the cancelled item that it carries out. */
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
