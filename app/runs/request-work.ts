import { NEVER_MS, STEADY_FAILURES } from "../domain/backoff.ts";
import type { TargetKind } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";

export interface Raise {
  shop: string;
  kind: TargetKind;
  key: string;
  /** Not before; now when absent. */
  dueAtMs?: number;
  /** No person said anything new: what fails by itself is tried once, then goes on at its rests, at most at the longest. */
  unchanged?: boolean;
}

/**
 * Says "look again": one generation more, whatever held the target is forgotten. Inside the caller's transaction, so that what
 * was said and the raise are one. While a run is under way it ends first, and another follows.
 */
export async function raiseTarget(
  services: Pick<Services, "clock" | "random">,
  tables: Pick<Tables, "targets">,
  raise: Raise,
): Promise<{ targetId: string; generation: number }> {
  const { shop, kind, key } = raise;
  const nowMs = services.clock.nowMs();
  const dueAtMs = raise.dueAtMs ?? nowMs;
  const target = await tables.targets.find({ shop, kind, key });
  if (!target) {
    const id = services.random.id();
    const idle = {
      leaseOwner: null,
      leaseUntilMs: null,
      fence: 0,
      failures: 0,
      failingSinceMs: null,
      state: "active",
      reason: null,
    } as const;
    const made = await tables.targets.insert({
      ...idle,
      id,
      shop,
      kind,
      key,
      wanted: 1,
      seen: 0,
      dueAtMs,
      pendingSinceMs: nowMs,
      createdAtMs: nowMs,
      updatedAtMs: nowMs,
    });
    // Taken in between, or the shop is gone and nothing is left to keep true.
    if (made || !(await tables.targets.find({ shop, kind, key }))) return { targetId: id, generation: 1 };
    return raiseTarget(services, tables, raise);
  }
  const leased = target.leaseUntilMs !== null && target.leaseUntilMs > nowMs;
  const waitsAnyway = target.wanted > target.seen && target.dueAtMs < dueAtMs && target.dueAtMs < NEVER_MS;
  const raised = await tables.targets.update(
    { id: target.id, wanted: target.wanted },
    {
      wanted: target.wanted + 1,
      dueAtMs: leased || waitsAnyway ? target.dueAtMs : dueAtMs,
      failures: raise.unchanged ? Math.min(target.failures, STEADY_FAILURES) : 0,
      pendingSinceMs: (target.wanted > target.seen ? target.pendingSinceMs : null) ?? nowMs,
      state: "active",
      reason: null,
      updatedAtMs: nowMs,
    },
  );
  if (raised === 0) return raiseTarget(services, tables, raise);
  return { targetId: target.id, generation: target.wanted + 1 };
}
