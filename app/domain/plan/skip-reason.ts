import { exclusionOf } from "../origin-state.ts";
import type { ExclusionReason, OriginFacts } from "../origin-state.ts";

/** Why a job passed over a location: `sync_off` for the whole shop, `no_template` in a verification. */
export type SkipReason = ExclusionReason | "paused" | "sync_off" | "no_template";

/** All of them, in their alphabet. */
export const SKIP_REASONS = Object.keys({
  abroad: true,
  by_hand: true,
  deleted: true,
  excluded: true,
  fulfillment_service: true,
  inactive: true,
  no_template: true,
  not_online: true,
  paused: true,
  sync_off: true,
} satisfies Record<SkipReason, true>) as SkipReason[];

/** Why a sync has nothing to do for a location, whatever it says; null when it has. Pure. */
export function skipReason(facts: Pick<OriginFacts, "location" | "details" | "policies">): SkipReason | null {
  if (facts.details?.paused) return exclusionOf(facts) ?? "paused";
  return exclusionOf(facts) ?? (facts.policies.syncOn ? null : "sync_off");
}
