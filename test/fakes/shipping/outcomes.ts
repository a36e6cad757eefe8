import type { World } from "../world.ts";
import { PROMPT } from "./network.ts";
import type { CallOutcome, Operation } from "./network.ts";

/** Outcomes of calls that many tests play. */

/** No answer comes. What was asked happens when it arrives, and never where `arrivesAfterMs` is null. */
export const unanswered = (arrivesAfterMs: number | null): CallOutcome => ({
  arrivesAfterMs,
  effectAfterMs: 0,
  answer: { kind: "reset", afterMs: 20 },
});

/** The request is lost on its way: nothing happens there, and nobody says so. */
export const REQUEST_LOST = unanswered(null);

/** The service does what it was asked, and its answer is lost. */
export const REPLY_LOST = unanswered(20);

/** The first call of an operation meets the outcome, and every other call is prompt. @returns whether it has met it. */
export function firstMeets(world: World, operation: Operation, outcome: CallOutcome): () => boolean {
  let met = false;
  world.outcomeOf = (asked) => {
    if (asked !== operation || met) return PROMPT;
    met = true;
    return outcome;
  };
  return () => met;
}
