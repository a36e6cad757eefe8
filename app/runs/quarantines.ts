import type { PendingWrite } from "../domain/records.ts";
import type { Services, Tables } from "../ports.ts";
import { countQuarantines, goOnCounting } from "./quarantine.ts";

/**
 * A quarantine lasts its whole length, whatever a wall clock says. While a process lives its time of day runs evenly, and it counts what it
 * knows of. Across a restart nobody knows how long it took: the living process notes every few seconds that it still counts, and the next
 * one takes only what was noted for elapsed. Where another process may live too, what was noted may be by that one's date: each counts
 * the whole length by itself.
 */

/** Says that everything unclear has been waited for until now. */
export async function noteQuarantines(services: Pick<Services, "store" | "clock">): Promise<void> {
  const { store, clock } = services;
  const nowMs = clock.nowMs();
  const all = await countQuarantines(services);
  const open = all.filter(({ quarantineUntilMs }) => quarantineUntilMs > nowMs);
  for (const shop of new Set(open.map((pendingWrite) => pendingWrite.shop)))
    await store.pendingWrites.update({ shop, quarantineUntilMs: { gt: nowMs } }, { notedAtMs: nowMs });
}

/** At the boot of the only process: what the last one had not waited for is waited for from now on. */
export async function resumeQuarantines(services: Pick<Services, "store" | "clock" | "settings">): Promise<void> {
  const { store, clock, settings } = services;
  await store.transaction(null, async (tables) => {
    const nowMs = clock.nowMs();
    for (const pendingWrite of await tables.pendingWrites.list({})) {
      const leftMs = Math.min(settings.quarantineMs, Math.max(0, leftWhenNoted(pendingWrite)));
      await lastUntil(tables, pendingWrite, { untilMs: nowMs + leftMs, nowMs });
      goOnCounting(services, pendingWrite, leftMs);
    }
  });
}

/** The process's time of day is moved: everything unclear is waited for anew, the whole length. */
export async function restartQuarantines(
  tables: Tables,
  { nowMs, quarantineMs }: { nowMs: number; quarantineMs: number },
): Promise<void> {
  for (const pendingWrite of await tables.pendingWrites.list({}))
    await lastUntil(tables, pendingWrite, { untilMs: nowMs + quarantineMs, nowMs });
}

/** The work item is due at the quarantine's end at the latest: its own due time was set by the date before. */
export async function lastUntil(
  tables: Tables,
  { id, shop, workItemId }: PendingWrite,
  { untilMs, nowMs }: { untilMs: number; nowMs: number },
): Promise<void> {
  await tables.pendingWrites.update({ id, shop }, { quarantineUntilMs: untilMs, notedAtMs: nowMs });
  const putOff = { id: workItemId, shop, state: "active", leaseUntilMs: null, dueAtMs: { gt: untilMs } } as const;
  await tables.workItems.update(putOff, { dueAtMs: untilMs });
}

function leftWhenNoted({ quarantineUntilMs, committedAtMs, notedAtMs }: PendingWrite): number {
  return quarantineUntilMs - (notedAtMs ?? committedAtMs);
}
