import { chunksOf } from "../domain/chunks.ts";
import { isClosedReason } from "../domain/closed-reason.ts";
import type { Services, Tables } from "../ports.ts";

/** The look at everything that follows an opening raises what it finds to do; what it leaves, or cannot come to, goes by itself then. */
const LOOK_FIRST_MS = 30_000;

/** Ids a statement. */
const AT_ONCE = 500;

/**
 * A connection opens: whatever stopped because it was closed goes on, and tells that reason no more. Inside the transaction that opens
 * it, for the look at everything that raises such targets too may come late. Not by `raiseTarget`, one by one: a thousand locations may
 * have stopped.
 */
export async function raiseStopped(
  { clock }: Pick<Services, "clock">,
  tables: Pick<Tables, "targets">,
  { shop }: { shop: string },
): Promise<void> {
  const blocked = await tables.targets.list({ shop, state: "blocked" });
  const stopped = blocked.filter(({ reason }) => isClosedReason(reason));
  const nowMs = clock.nowMs();
  for (const [wanted, same] of Map.groupBy(stopped, (target) => target.wanted))
    for (const chunk of chunksOf(same, AT_ONCE))
      await tables.targets.update(
        { shop, id: { in: chunk.map(({ id }) => id) }, wanted, state: "blocked" },
        {
          wanted: wanted + 1,
          pendingSinceMs: nowMs,
          dueAtMs: nowMs + LOOK_FIRST_MS,
          failures: 0,
          state: "active",
          reason: null,
          updatedAtMs: nowMs,
        },
      );
}
