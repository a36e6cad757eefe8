import { NEVER_MS, STEADY_FAILURES } from "../domain/backoff.ts";
import type { WorkItem, WorkItemKind } from "../domain/records.ts";
import type { Clock, Random, Tables } from "../ports.ts";

export interface WorkRequest {
  shop: string;
  kind: WorkItemKind;
  key: string;
  /** Not before; now when absent. */
  dueAtMs?: number;
  /**
   * Nobody said anything new: a work item that fails by itself is tried once and then keeps its long rests. Pages go on telling what it
   * fails of, for it may have to wait before it is tried. A look at everything forgets it: its reason says how far it came since it was
   * asked for.
   */
  unchanged?: boolean;
  /** The work item as the caller has just read it in this transaction, which saves the reading; null when there was none. */
  known?: WorkItem | null;
}

/**
 * Says "look again": one generation more, and what held the work item is forgotten unless the request is `unchanged`. Inside the caller's
 * transaction, so that what was said and the request are one. While a run is under way it ends first, and another follows.
 */
export async function requestWork(
  services: { clock: Clock; random: Random },
  tables: Pick<Tables, "workItems">,
  request: WorkRequest,
): Promise<{ workItemId: string; generation: number }> {
  const { known, ...asked } = request;
  const { shop, kind, key } = asked;
  const nowMs = services.clock.nowMs();
  const dueAtMs = asked.dueAtMs ?? nowMs;
  const item = known === undefined ? await tables.workItems.find({ shop, kind, key }) : known;
  if (!item) {
    const id = services.random.id();
    const idle = {
      leaseOwner: null,
      leaseUntilMs: null,
      fence: 0,
      failures: 0,
      failingSinceMs: null,
      traceparent: null,
      state: "active",
      reason: null,
    } as const;
    const made = await tables.workItems.insert({
      ...idle,
      id,
      shop,
      kind,
      key,
      generation: 1,
      observedGeneration: 0,
      dueAtMs,
      pendingSinceMs: nowMs,
      updatedAtMs: nowMs,
    });
    // Taken in between, or the shop is gone and nothing is left to keep true.
    if (made || !(await tables.workItems.find({ shop, kind, key }))) return { workItemId: id, generation: 1 };
    return requestWork(services, tables, asked);
  }
  const leased = item.leaseUntilMs !== null && item.leaseUntilMs > nowMs;
  const waitsAnyway = item.generation > item.observedGeneration && item.dueAtMs < dueAtMs && item.dueAtMs < NEVER_MS;
  const keepsReason = asked.unchanged === true && item.failures > 0 && kind !== "reconcile";
  const changed = await tables.workItems.update(
    { id: item.id, generation: item.generation },
    {
      generation: item.generation + 1,
      dueAtMs: leased || waitsAnyway ? item.dueAtMs : dueAtMs,
      failures: asked.unchanged ? Math.min(item.failures, STEADY_FAILURES) : 0,
      pendingSinceMs: (item.generation > item.observedGeneration ? item.pendingSinceMs : null) ?? nowMs,
      state: "active",
      reason: keepsReason ? item.reason : null,
      updatedAtMs: nowMs,
    },
  );
  if (changed === 0) return requestWork(services, tables, asked);
  return { workItemId: item.id, generation: item.generation + 1 };
}
