/** Whether a call is made again, and when. Pure, in order; the transport obeys. */

/** The nine operations, and whether repeating one could happen twice at the service. */
export const OPERATIONS = {
  list: { changes: false },
  get: { changes: false },
  create: { changes: true },
  update: { changes: true },
  delete: { changes: true },
  // Asking a carrier again is what the owner's button does too.
  verify_by_carriers: { changes: false },
  token: { changes: false },
  revoke: { changes: false },
  introspect: { changes: false },
} as const satisfies Record<string, { changes: boolean }>;

export type Operation = keyof typeof OPERATIONS;

export type Outcome =
  /** Nothing was sent: the token it was to carry was dropped while it waited for its slots. */
  | "not_ready"
  /** The caller left. */
  | "cancelled"
  /** 429: definitely not done, and the budget holds the pause. */
  | "rate_limited"
  /** 401 to a bearer token, which has been dropped: definitely not done. */
  | "unauthorized"
  /** A 403, a proxy's or the service's own: the next one would be the same. */
  | "edge_blocked"
  | "forbidden"
  /** No answer, half an answer, or 5xx: nobody knows whether it was done. */
  | "failed";

export type Step = { again: false } | { again: true; afterMs: number };

const STOP: Step = { again: false };
const NOW: Step = { again: true, afterMs: 0 };

/** Beyond these the connection is to back off, with its own, longer times. */
const MOST_PAUSES = 6;
const WAIT_AFTER_FAILURE_MS = [250, 1_000];

/**
 * `attempt` counts from 1 the times this outcome was met in this call. Slots space the attempts besides. `once`: the caller comes
 * again by itself, at longer intervals than these, so that only what a new token mends is repeated.
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
  if (outcome === "unauthorized") return attempt === 1 ? NOW : STOP;
  if (once) return STOP;
  if (outcome === "rate_limited") return attempt < MOST_PAUSES ? NOW : STOP;
  // A write whose end is unclear belongs to its pending write (docs/design/README.md, rule 4), which looks before anybody writes again.
  if (OPERATIONS[operation].changes) return STOP;
  const afterMs = WAIT_AFTER_FAILURE_MS[attempt - 1];
  return afterMs === undefined ? STOP : { again: true, afterMs };
}
