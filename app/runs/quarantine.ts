import type { IntentRecord } from "../domain/records.ts";
import type { Services } from "../ports.ts";
import { countAsKnown, keepKnown, knownForMs } from "./own-count.ts";
import { reasonOf } from "./run.ts";
import type { Run, RunEnd } from "./run.ts";

const KEY = "intent ";
const keyOf = ({ id }: Pick<IntentRecord, "id">) => `${KEY}${id}`;

type Clocked = Pick<Services, "clock" | "settings">;

/**
 * When an unclear write's quarantine is over, by this process's time of day. The process that wrote it, or noted it, may have taken the
 * date for another one; so this one must also have known of the write for as long as a quarantine lasts.
 */
export function quarantineEndsMs({ clock, settings }: Clocked, intent: IntentRecord): number {
  const ownEndMs = clock.nowMs() + Math.floor(settings.quarantineMs - knownForMs(clock, keyOf(intent)));
  return Math.max(intent.quarantineUntilMs, ownEndMs);
}

/** Gives every intent there is. This process counts those that it did not know from now on. */
export async function countQuarantines({ store, clock }: Pick<Services, "store" | "clock">): Promise<IntentRecord[]> {
  const readMs = clock.monotonicMs();
  const intents = await store.intents.list({});
  for (const intent of intents) knownForMs(clock, keyOf(intent));
  keepKnown(clock, KEY, { keys: intents.map(keyOf), readMs });
  return intents;
}

/** A write is announced: its quarantine is counted from now. */
export function beginQuarantine({ clock }: Pick<Services, "clock">, intent: Pick<IntentRecord, "id">): void {
  countAsKnown(clock, keyOf(intent), 0);
}

/** The process before this one has counted all of it but this. */
export function goOnCounting({ clock, settings }: Clocked, intent: IntentRecord, leftMs: number): void {
  countAsKnown(clock, keyOf(intent), settings.quarantineMs - leftMs);
}

/**
 * How a run ends while its target's unclear write may still take effect; null when there is none, or its quarantine is over. Asked
 * before anything is read, and again after what clears it up was read: a write that ended late puts its quarantine off meanwhile.
 */
export async function quarantineHolds(run: Run): Promise<RunEnd | null> {
  const { services, target } = run;
  const intent = await services.store.intents.find({ targetId: target.id });
  if (!intent) return null;
  const untilMs = quarantineEndsMs(services, intent);
  if (untilMs <= services.clock.nowMs()) return null;
  return { kind: "waits", untilMs, reason: reasonOf(run, "quarantine") };
}
