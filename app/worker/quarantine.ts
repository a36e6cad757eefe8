import { reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

/**
 * How a run ends while its target's unclear write may still take effect; null when there is none, or its quarantine is over. Asked
 * before anything is read, and again after what clears it up was read: a write that ended late puts its quarantine off meanwhile.
 */
export async function quarantineHolds(run: Run): Promise<RunEnd | null> {
  const { store, clock } = run.services;
  const intent = await store.intents.find({ targetId: run.target.id });
  if (!intent || intent.quarantineUntilMs <= clock.nowMs()) return null;
  return { kind: "waits", untilMs: intent.quarantineUntilMs, reason: reasonOf(run, "quarantine") };
}
