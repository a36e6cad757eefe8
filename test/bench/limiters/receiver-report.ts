import type { ArrivalCount } from "../../sandbox/shipping/arrivals.ts";

/** What arrived of one limiter. */
export interface Received extends ArrivalCount {
  /** How long its requests and their answers were on the way, on average, in milliseconds. */
  meanRoundTripMs: number;
}
