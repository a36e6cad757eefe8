import type { MemoryDatabase } from "../../fakes/memory-store.ts";
import type { Known } from "../people/stage.ts";

/** An item of a job whose cancelling was answered, and that nobody had begun: the job sends nothing of it any more. */
export interface CancelledItem {
  shop: string;
  locationId: string;
  targetId: string;
  /** What was wanted of the target then; whoever asks for it again raises it. */
  wanted: number;
}

/** Right after the answer: whose target is held or was overtaken has been begun, or was asked for by others too. */
export function noteCancelled(
  { database, known }: { database: MemoryDatabase; known: Pick<Known, "cancelled"> },
  jobId: string,
): void {
  const targets = new Map([...database.rows("targets")].map((row) => [row.id, row]));
  for (const { jobId: of, shop, locationId, targetId, state, generation, confirmed } of database.rows("jobItems")) {
    const target = of === jobId && state === "cancelled" && targetId !== null ? targets.get(targetId) : undefined;
    if (!target || target.kind !== "location" || target.leaseOwner !== null) continue;
    // A process that stalled answers long after it cancelled. A location whose confirmation was withdrawn is not written, whoever asks.
    if (target.wanted > generation && confirmed === null) continue;
    known.cancelled.push({ shop, locationId, targetId: target.id, wanted: target.wanted });
  }
}

/** A write of a location's is about to leave: null, or the cancelled item that it carries out. */
export function carriesOutCancelled(
  database: MemoryDatabase,
  cancelled: readonly CancelledItem[],
  targetId: string,
): CancelledItem | null {
  if (cancelled.length === 0) return null;
  for (const target of database.rows("targets")) {
    if (target.id === targetId)
      return cancelled.find((item) => item.targetId === targetId && item.wanted === target.wanted) ?? null;
  }
  return null;
}
