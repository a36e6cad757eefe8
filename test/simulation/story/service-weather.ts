import { markerIn } from "../../../app/domain/marker.ts";
import type { TemplateDraft } from "../../../app/domain/records.ts";
import type { SeededRandom } from "../../fakes/random.ts";
import type { FakeAccount } from "../../fakes/shipping/account.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import type { CallOutcome, ServiceRequest } from "../../fakes/shipping/network.ts";
import { ODD_KINDS, oddSuccess } from "./odd-success.ts";
import { outcomeOfStuck, isStuck, kindOfStuck } from "./stuck.ts";
import type { Stuck } from "./stuck.ts";

/**
 * What becomes of a request to the shipping service.
 *
 * Long, because every way in which one may fail stands here.
 */

/** How long after its arrival a request may still take effect: within the quarantine, or later than the quarantine allows for. */
const LATEST_EFFECT_MS = 66_000;
const BEYOND_THE_BOUND_MS = { least: 95_000, most: 240_000 };

export interface Outage {
  fromMs: number;
  untilMs: number;
  /**
   * `forbidden`: JSON 403 to every request. `html_401` and `edge`: a proxy answers in the service's place. `not_found`: a router has lost the
   * service behind it.
   */
  how: "down" | "forbidden" | "html_401" | "edge" | "not_found";
  /** One of many, with ten seconds of service between them. */
  flaps?: true;
}

export function drawOutages(
  random: SeededRandom,
  { startMs, endsAtMs }: { startMs: number; endsAtMs: number },
): Outage[] {
  if (!random.chance(0.3)) return [];
  const fromMs = startMs + random.between(0, (endsAtMs - startMs) / 2);
  const how = random.pick(["down", "down", "down", "forbidden", "html_401", "edge", "not_found"] as const);
  return [{ fromMs, untilMs: fromMs + random.between(5_000, 90_000), how }];
}

/** The service is there for ten seconds of each minute. */
export function drawFlapping(
  random: SeededRandom,
  { startMs, endsAtMs }: { startMs: number; endsAtMs: number },
): Outage[] {
  if (!random.chance(0.06)) return [];
  const how = random.pick(["down", "forbidden", "html_401", "edge", "not_found"] as const);
  const outages: Outage[] = [];
  for (let fromMs = startMs + random.between(0, 60_000); fromMs < endsAtMs; fromMs += 60_000)
    outages.push({ fromMs, untilMs: Math.min(fromMs + 50_000, endsAtMs), how, flaps: true });
  return outages;
}

export interface Weather {
  /** The chance of a fault for a request outside every outage. */
  faults: number;
  outages: Outage[];
  /** The chance that a refresh is refused, or that a proxy answers a token request. */
  tokenTrouble: number;
  /** The chance that a create for a location is done and not answered. */
  createsUnclear: number;
  /** The chance that a reading arrives long after its exchange broke off, while others are sent. */
  arrivesLate: number;
  /** How far lists may lag behind the writes, also in the calm. */
  listsBehindMs: number;
  /** The same of a template's own GET. */
  getsBehindMs: number;
  stuck: Stuck[];
  endsAtMs: number;
  effectsLaterThanBound: boolean;
}

export interface Drawn {
  outcome: CallOutcome;
  /** The kind of fault; null for none. */
  kind: string | null;
}

interface Asked {
  request: ServiceRequest;
  account: FakeAccount | null;
  weather: Weather;
  nowMs: number;
}

/** Draws what becomes of a request. Most go well; the others fail in every way in which the service was seen to fail, or might. */
export function drawOutcome(random: SeededRandom, asked: Asked): Drawn {
  const { request, weather, nowMs } = asked;
  const behindMs = behind(random, mostBehindMs(request, weather));
  const outage = weather.outages.find(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs);
  // An outage is everything's, an empty list's too: it would otherwise say that all is well.
  const stuck = weather.stuck.find((each) => isStuck(each, asked) && !(each.how === "empty" && outage));
  if (stuck) return { outcome: outcomeOfStuck(stuck), kind: kindOfStuck(stuck) };
  if (nowMs >= weather.endsAtMs) return { outcome: { ...PROMPT, behindMs }, kind: null };
  const drawn = drawAtService(random, { ...asked, outage, behindMs });
  return outage?.flaps ? { ...drawn, kind: FLAPS } : drawn;
}

function drawAtService(
  random: SeededRandom,
  { outage, behindMs, ...asked }: Asked & { outage: Outage | undefined; behindMs: number },
): Drawn {
  const { request, weather } = asked;
  if (outage && outage.how !== "down") return proxied(outage.how, random);
  const odd =
    request.operation === "token" && random.chance(weather.tokenTrouble) ? refusedToken(random, request) : null;
  if (odd) return odd;
  if (isForLocation(request) && weather.createsUnclear > 0 && random.chance(weather.createsUnclear)) {
    const unclear = { arrivesAfterMs: 20, effectAfterMs: 0, answer: { kind: "silence" } } as const;
    return { outcome: unclear, kind: "service: done, no answer" };
  }
  // A write would end the traffic that it is to arrive in.
  if (READS.includes(request.operation) && weather.arrivesLate > 0 && random.chance(weather.arrivesLate)) {
    const late = { arrivesAfterMs: random.between(1_000, 1_900), effectAfterMs: 0 } as const;
    return { outcome: { ...late, answer: { kind: "reset", afterMs: 2 } }, kind: "service: arrives long after a reset" };
  }
  const arrivesAfterMs = random.between(2, 300);
  const soon = random.between(2, 600);
  if (!outage && !random.chance(weather.faults)) {
    const kind = behindMs > 0 ? `service: ${request.operation} behind` : null;
    return { outcome: { arrivesAfterMs, effectAfterMs: 0, answer: { kind: "true", afterMs: soon }, behindMs }, kind };
  }
  return faultyOutcome(random, { ...asked, down: outage !== undefined });
}

/** Whether a request creates a template with a location's marker. */
function isForLocation({ operation, body }: ServiceRequest): boolean {
  return operation === "create" && markerIn((body["address_template"] as TemplateDraft).alias_name) !== null;
}

function mostBehindMs({ operation }: ServiceRequest, { listsBehindMs, getsBehindMs }: Weather): number {
  if (operation === "list") return listsBehindMs;
  return operation === "get" ? getsBehindMs : 0;
}

function behind(random: SeededRandom, mostMs: number): number {
  return mostMs > 0 ? random.between(0, mostMs) : 0;
}

function faultyOutcome(random: SeededRandom, { request, account, weather, down }: Asked & { down: boolean }): Drawn {
  const arrivesAfterMs = random.between(2, 300);
  const lateArrivalMs = random.between(2, 1_900);
  const soon = random.between(2, 600);
  const broken = () =>
    random.chance(0.5) ? ({ kind: "silence" } as const) : ({ kind: "reset", afterMs: soon } as const);
  const late = weather.effectsLaterThanBound
    ? random.between(BEYOND_THE_BOUND_MS.least, BEYOND_THE_BOUND_MS.most)
    : random.between(0, LATEST_EFFECT_MS);
  const drawn = (kind: string, outcome: CallOutcome): Drawn => ({ kind: `service: ${kind}`, outcome });
  const nothing = { arrivesAfterMs, effectAfterMs: null };
  switch (random.between(0, down ? 3 : 10)) {
    case 0:
      return drawn("never arrives, reset", {
        arrivesAfterMs: null,
        effectAfterMs: null,
        answer: { kind: "reset", afterMs: soon },
      });
    case 1:
      return drawn("never arrives, silence", {
        arrivesAfterMs: null,
        effectAfterMs: null,
        answer: { kind: "silence" },
      });
    case 2:
      return drawn("5xx", { ...nothing, answer: { kind: "server_error", afterMs: soon } });
    case 3:
      return drawn("arrives in vain, no answer", {
        arrivesAfterMs: lateArrivalMs,
        effectAfterMs: null,
        answer: broken(),
      });
    case 4:
      return drawn("done, no answer", { arrivesAfterMs: lateArrivalMs, effectAfterMs: 0, answer: broken() });
    case 5:
      return drawn("done late, no answer", { arrivesAfterMs: lateArrivalMs, effectAfterMs: late, answer: broken() });
    case 6:
      return drawn("5xx, done late", {
        arrivesAfterMs,
        effectAfterMs: late,
        answer: { kind: "server_error", afterMs: soon },
      });
    case 7:
      return drawn("429", { ...nothing, answer: { kind: "rate_limited", afterMs: soon } });
    case 8: {
      const odd = oddSuccess(random.fork("odd success"), { request, account, arrivesAfterMs, afterMs: soon });
      if (odd) return odd;
      return drawn("done, unreadable", {
        arrivesAfterMs,
        effectAfterMs: 0,
        answer: { kind: "unreadable", afterMs: soon },
      });
    }
    case 9:
      return proxied("html_401", random);
    default:
      // A token request gets another status, because this one would say that the secret is wrong, which only the owner can mend.
      return request.operation === "token"
        ? drawn("5xx", { ...nothing, answer: { kind: "server_error", afterMs: soon } })
        : drawn("401", { ...nothing, answer: { kind: "unauthorized", afterMs: soon } });
  }
}

const SAID = {
  forbidden: { status: 403, body: JSON.stringify({ message: "Acceso denegado" }) },
  html_401: { status: 401, body: "<html><body>Sign in to the proxy</body></html>" },
  edge: { status: 403, body: "<html><body>Blocked</body></html>" },
  not_found: { status: 404, body: JSON.stringify({ message: "no Route matched with those values" }) },
};

function proxied(how: keyof typeof SAID, random: SeededRandom): Drawn {
  const afterMs = random.between(2, 300);
  const answer = { kind: "said", afterMs, ...SAID[how] } as const;
  return { outcome: { arrivesAfterMs: 20, effectAfterMs: null, answer }, kind: `service: ${how}` };
}

const REFUSALS = [
  { status: 401, body: { error: "invalid_grant", error_description: "El token ya no es válido." } },
  { status: 400, body: { error: "invalid_grant", error_description: "El token ya no es válido." } },
  { status: 401, body: { error: "invalid_client", error_description: "El cliente no es válido." } },
];

/**
 * The answer to a refused token request. A refresh may be refused in any words. The client's own credentials are refused by a proxy only,
 * because the service knows them.
 */
function refusedToken(random: SeededRandom, { refreshToken }: ServiceRequest): Drawn {
  if (refreshToken === null) return proxied("html_401", random);
  const { status, body } = random.pick(REFUSALS);
  const answer = { kind: "said", status, body: JSON.stringify(body), afterMs: random.between(2, 300) } as const;
  return { outcome: { arrivesAfterMs: 20, effectAfterMs: null, answer }, kind: "service: refresh refused" };
}

const READS: readonly ServiceRequest["operation"][] = ["list", "get"];

const FLAPS = "service: flaps";

export const SERVICE_KINDS = [
  "never arrives, reset",
  "never arrives, silence",
  "5xx",
  "arrives in vain, no answer",
  "done, no answer",
  "done late, no answer",
  "5xx, done late",
  "429",
  "done, unreadable",
  "401",
  "html_401",
  "forbidden",
  "edge",
  "not_found",
  "refresh refused",
  "list behind",
  "get behind",
  "arrives long after a reset",
]
  .map((kind) => `service: ${kind}`)
  .concat(ODD_KINDS, FLAPS);
