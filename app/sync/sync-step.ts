import { passGate, refOf } from "../runs/circuit-breaker.ts";
import { blocked } from "../runs/run.ts";
import type { Run, RunEnd } from "../runs/run.ts";
import { readableAccount } from "../runs/shipping-account.ts";
import type { ReadableAccount } from "../runs/shipping-account.ts";
import type { PlanFacts } from "./read-plan-facts.ts";

/** What the steps of a location's run share. The run imports its steps; a step imports only this. */

/** A step taken: the reading of the linked template by its number, null when it was not read, or how the run ends. */
export type Step = { reading: number | null } | { end: RunEnd };

/** The account to read from, once the connection is open and rested. */
export async function openGate(
  run: Run,
  facts: Pick<PlanFacts, "connection">,
): Promise<{ account: ReadableAccount } | { end: RunEnd }> {
  if (!facts.connection) return { end: blocked(run, "not_connected") };
  const rests = await passGate(run, facts.connection);
  return rests ? { end: rests } : { account: readableAccount(run, refOf(facts.connection)) };
}
