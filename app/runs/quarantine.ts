import type { PendingWrite } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { countAsKnown, keepKnown, knownForMs } from "./own-count.ts";
import { reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

const KEY = "intent ";
const keyOf = ({ id }: Pick<PendingWrite, "id">) => `${KEY}${id}`;

type Clocked = Pick<Services, "clock" | "settings">;

/**
 * When an unclear write's quarantine is over, by this process's time of day. The process that wrote it, or noted it, may have taken the
 * date for another one; so this one must also have known of the write for as long as a quarantine lasts.
 */
export function quarantineEndsMs({ clock, settings }: Clocked, pendingWrite: PendingWrite): number {
  const ownEndMs = clock.nowMs() + Math.floor(settings.quarantineMs - knownForMs(clock, keyOf(pendingWrite)));
  return Math.max(pendingWrite.quarantineUntilMs, ownEndMs);
}

/** Gives every pending write there is. This process counts those that it did not know from now on. */
export async function countQuarantines({ store, clock }: Pick<Services, "store" | "clock">): Promise<PendingWrite[]> {
  const readMs = clock.monotonicMs();
  const pendingWrites = await store.pendingWrites.list({});
  for (const pendingWrite of pendingWrites) knownForMs(clock, keyOf(pendingWrite));
  keepKnown(clock, KEY, { keys: pendingWrites.map(keyOf), readMs });
  return pendingWrites;
}

/** A write is announced: its quarantine is counted from now. */
export function beginQuarantine({ clock }: Pick<Services, "clock">, pending: Pick<PendingWrite, "id">): void {
  countAsKnown(clock, keyOf(pending), 0);
}

/** The process before this one has counted all of the quarantine but the rest that is given. */
export function goOnCounting({ clock, settings }: Clocked, pendingWrite: PendingWrite, leftMs: number): void {
  countAsKnown(clock, keyOf(pendingWrite), settings.quarantineMs - leftMs);
}

/**
 * How a run ends while its work item's unclear write may still take effect; null when there is none, or its quarantine is over. Asked
 * before anything is read, and again after what clears it up was read: a write that ended late puts its quarantine off meanwhile.
 */
export async function quarantineHolds(run: Run): Promise<RunEnd | null> {
  const { services, item } = run;
  const pendingWrite = await services.store.pendingWrites.find({ workItemId: item.id });
  if (!pendingWrite) return null;
  const untilMs = quarantineEndsMs(services, pendingWrite);
  if (untilMs <= services.clock.nowMs()) return null;
  return { kind: "waits", untilMs, reason: reasonOf(run, "quarantine") };
}
