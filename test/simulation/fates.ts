import type { SeededRandom } from "../fakes/random.ts";
import { PROMPT } from "../fakes/shipping-network.ts";
import type { Fate, Operation } from "../fakes/shipping-network.ts";

/** Longest a request may still take effect after it arrived: within the quarantine, or beyond what anybody allowed for. */
export const LATEST_EFFECT_MS = 66_000;
const BEYOND_THE_BOUND_MS = { least: 95_000, most: 240_000 };

export interface Weather {
  /** Of a request that meets no outage. */
  faults: number;
  outages: { fromMs: number; untilMs: number }[];
  endsAtMs: number;
  effectsLaterThanBound: boolean;
}

/** Draws what becomes of a request: most are well, the rest fail in every way the service was seen, or may be feared, to fail. */
export function drawFate(
  random: SeededRandom,
  { operation, weather, nowMs }: { operation: Operation; weather: Weather; nowMs: number },
): Fate {
  if (nowMs >= weather.endsAtMs) return PROMPT;
  const down = weather.outages.some(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs);
  const arrivesAfterMs = random.between(2, 300);
  const soon = random.between(2, 600);
  if (!down && !random.chance(weather.faults))
    return { arrivesAfterMs, effectAfterMs: 0, answer: { kind: "true", afterMs: soon } };
  const lateArrivalMs = random.between(2, 1_900);
  const broken = () =>
    random.chance(0.5) ? ({ kind: "silence" } as const) : ({ kind: "reset", afterMs: soon } as const);
  const late = weather.effectsLaterThanBound
    ? random.between(BEYOND_THE_BOUND_MS.least, BEYOND_THE_BOUND_MS.most)
    : random.between(0, LATEST_EFFECT_MS);
  switch (random.between(0, down ? 3 : 9)) {
    case 0:
      return { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "reset", afterMs: soon } };
    case 1:
      return { arrivesAfterMs: null, effectAfterMs: null, answer: { kind: "silence" } };
    case 2:
      return { arrivesAfterMs, effectAfterMs: null, answer: { kind: "server_error", afterMs: soon } };
    case 3:
      return { arrivesAfterMs: lateArrivalMs, effectAfterMs: null, answer: broken() };
    case 4:
      return { arrivesAfterMs: lateArrivalMs, effectAfterMs: 0, answer: broken() };
    case 5:
      return { arrivesAfterMs: lateArrivalMs, effectAfterMs: late, answer: broken() };
    case 6:
      return { arrivesAfterMs, effectAfterMs: late, answer: { kind: "server_error", afterMs: soon } };
    case 7:
      return { arrivesAfterMs, effectAfterMs: null, answer: { kind: "rate_limited", afterMs: soon } };
    case 8:
      return { arrivesAfterMs, effectAfterMs: 0, answer: { kind: "unreadable", afterMs: soon } };
    default:
      // To a token request it would say that the secret is wrong, which only the owner can mend.
      return {
        arrivesAfterMs,
        effectAfterMs: null,
        answer: { kind: operation === "token" ? "server_error" : "unauthorized", afterMs: soon },
      };
  }
}
