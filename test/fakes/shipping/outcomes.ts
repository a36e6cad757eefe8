import type { World } from "../world.ts";
import { PROMPT } from "./network.ts";
import type { CallOutcome, Operation } from "./network.ts";

/** Outcomes that many tests use. */

/** No answer comes. The request takes effect when it arrives; it never does where `arrivesAfterMs` is null. */
export const unanswered = (arrivesAfterMs: number | null): CallOutcome => ({
  arrivesAfterMs,
  effectAfterMs: 0,
  answer: { kind: "reset", afterMs: 20 },
});

/** The request is lost on its way: it has no effect, and no answer comes. */
export const REQUEST_LOST = unanswered(null);

/** The service does what it was asked, and its answer is lost. */
export const REPLY_LOST = unanswered(20);

/** The first call of an operation gets this outcome; every other call is answered at once. @returns whether that call has come. */
export function firstMeets(world: World, operation: Operation, outcome: CallOutcome): () => boolean {
  let met = false;
  world.outcomeOf = (asked) => {
    if (asked !== operation || met) return PROMPT;
    met = true;
    return outcome;
  };
  return () => met;
}

/** A list of one page that shows these rows, whatever is there. */
export const listOf = (data: unknown[]): CallOutcome => ({
  arrivesAfterMs: 20,
  effectAfterMs: null,
  answer: {
    kind: "said",
    status: 200,
    body: JSON.stringify({ data, meta: { current_page: 1, total_pages: 1, total_count: data.length } }),
    afterMs: 20,
  },
});

/** A list that shows nothing, whatever is there. */
export const EMPTY_LIST = listOf([]);
