/** Whether a call is repeated, and when. Pure: rules in order, which the transport follows. */

/** The nine operations: whether repeating one could make a change twice at the service, and whether it names one template. */
export const OPERATIONS = {
  list: { changes: false, ofOne: false },
  get: { changes: false, ofOne: true },
  create: { changes: true, ofOne: false },
  update: { changes: true, ofOne: true },
  delete: { changes: true, ofOne: true },
  // A carrier may be asked again, but not before the template was read: it may show that the carrier was asked.
  verify_by_carriers: { changes: true, ofOne: true },
  token: { changes: false, ofOne: false },
  revoke: { changes: false, ofOne: false },
  introspect: { changes: false, ofOne: false },
} as const satisfies Record<string, { changes: boolean; ofOne: boolean }>;

export type Operation = keyof typeof OPERATIONS;

export type Outcome =
  /** Nothing was sent: the call's token was dropped while the call waited for slots, or its slot is another's by now. */
  | "not_ready"
  /** The caller has stopped waiting. */
  | "cancelled"
  /** 429: definitely not done. The budget waits out the pause. */
  | "rate_limited"
  /** 429 to this request alone, while others are let through: a pause would help nobody. */
  | "rate_limited_alone"
  /** 401 to a bearer token, which was dropped: definitely not done. */
  | "unauthorized"
  /** The same, and another token would be refused as well: the service refuses this one request, or everything. */
  | "unauthorized_always"
  /** A 403 from a proxy or the service: a repetition would get the same answer. */
  | "edge_blocked"
  | "forbidden"
  /** No answer, part of an answer, or 5xx: nobody knows whether it was done. */
  | "failed";

export type Step = { again: false } | { again: true; afterMs: number };

const STOP: Step = { again: false };
const NOW: Step = { again: true, afterMs: 0 };

/** After this many pauses the call ends, and the connection's breaker takes over with its longer rests. */
const MOST_PAUSES = 6;
/** The same where the call is about one template: after that its run asks for something else, which tells whether it is slowed alone. */
const MOST_PAUSES_OF_ONE = 2;
const WAIT_AFTER_FAILURE_MS = [250, 1_000];

/**
 * `attempt` counts, from 1, how often this call has met this outcome. Slots add their own distance between attempts. `once`: the caller
 * comes again by itself at longer intervals, so only a refused token is tried again here.
 */
export function nextStep({
  operation,
  outcome,
  attempt,
  once = false,
}: {
  operation: Operation;
  outcome: Outcome;
  attempt: number;
  once?: boolean | undefined;
}): Step {
  if (outcome === "not_ready") return NOW;
  if (outcome === "cancelled" || outcome === "edge_blocked" || outcome === "forbidden") return STOP;
  if (outcome === "unauthorized_always" || outcome === "rate_limited_alone") return STOP;
  if (outcome === "unauthorized") return attempt === 1 ? NOW : STOP;
  if (once) return STOP;
  if (outcome === "rate_limited")
    return attempt < (OPERATIONS[operation].ofOne ? MOST_PAUSES_OF_ONE : MOST_PAUSES) ? NOW : STOP;
  // A write with an unclear end is left to its pending write (docs/design/README.md, rule 4): a run reads the template before anybody
  // writes there again.
  if (OPERATIONS[operation].changes) return STOP;
  const afterMs = WAIT_AFTER_FAILURE_MS[attempt - 1];
  return afterMs === undefined ? STOP : { again: true, afterMs };
}
