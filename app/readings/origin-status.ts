import { carrierStandings } from "../domain/verification/carrier-standing.ts";
import { originState } from "../domain/origin-state.ts";
import { outlookOf } from "../domain/readiness.ts";
import type { Outlook } from "../domain/readiness.ts";
import type { CarrierStanding } from "../domain/verification/carrier-standing.ts";
import type { OriginState } from "../domain/origin-state.ts";
import type { Services } from "../ports.ts";
import { mapInTurns } from "../runs/in-turns.ts";
import type { OriginRecords } from "./read-origin-facts.ts";

export interface OriginStatus {
  origin: OriginRecords;
  state: OriginState;
  outlook: Outlook;
  standings: CarrierStanding[];
}

/**
 * Not in the cache: an entry lives exactly as long as its origin's facts, which are there. Found by the origin's words, as the cache finds
 * other work, a thousand of them took 21 ms instead of 0.03 ms.
 */
const known = new WeakMap<OriginRecords, OriginStatus>();

/**
 * The state and the carriers' standings of an origin, worked out once for as long as its facts are remembered. Shared, so only to be read.
 */
function originStatus(origin: OriginRecords): OriginStatus {
  const before = known.get(origin);
  if (before) return before;
  const state = originState(origin);
  const status = { origin, state, outlook: outlookOf(origin, state), standings: carrierStandings(origin) };
  known.set(origin, status);
  return status;
}

/** Of a whole shop. */
export function originStatuses(
  { clock }: Pick<Services, "clock">,
  origins: readonly OriginRecords[],
): Promise<OriginStatus[]> {
  return mapInTurns(clock, origins, originStatus);
}
