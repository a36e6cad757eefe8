import { exclusionOf } from "../origin-state.ts";
import type { ExclusionReason, OriginFacts } from "../origin-state.ts";

/** Why a job passed over a location: `sync_off` for the whole shop, `no_template` in a verification. */
export type SkipReason = ExclusionReason | "paused" | "sync_off" | "no_template";

/** Why a sync has nothing to do for a location, whatever it says; null when it has. Pure. */
export function skipReason(facts: Pick<OriginFacts, "location" | "details" | "policies">): SkipReason | null {
  if (facts.details?.paused) return exclusionOf(facts) ?? "paused";
  return exclusionOf(facts) ?? (facts.policies.syncOn ? null : "sync_off");
}
