import type { SeededRandom } from "../../fakes/random.ts";
import type { ShopifyCall, ShopifyOutcome } from "../../fakes/shopify-server.ts";

/** What becomes of a call to Shopify. */

export interface Burst {
  fromMs: number;
  untilMs: number;
  /** The status that all calls get, or the token endpoint's answer to a refresh. */
  how:
    "400" | "403" | "404" | "406" | "430" | "500" | "503" | "401" | "invalid_grant" | "invalid_client" | "html_refresh";
}

export interface ShopifyWeather {
  /** The chance of a fault for a call outside every burst. */
  faults: number;
  bursts: Burst[];
  unseen: Unseen | null;
  behind: Behind | null;
  endsAtMs: number;
}

/** A location that is there, and which Shopify's answers lack for a while. */
export interface Unseen {
  shop: string;
  locationId: string;
  fromMs: number;
  untilMs: number;
}

/** A location of which Shopify's answers show, for a while, what was true when that began: a replica stands still. */
export type Behind = Unseen;

/** After the trouble, where every webhook arrives: so a replica stands still for ten minutes at most. */
const BEHIND_IN_CALM_MS = 6 * 60_000;

/** Shorter than two answers a minute apart, which would be believed. */
const LONGEST_UNSEEN_MS = 50_000;

interface At {
  startMs: number;
  endsAtMs: number;
}

/** `shop` and `locationIds`: one of these may not be shown for a while. */
export function drawShopify(
  random: SeededRandom,
  { faults, startMs, endsAtMs, mayBeBehind, keepsWebhooks, ...place }: At & Place & Tolerates & { faults: number },
): ShopifyWeather {
  const at = { startMs, endsAtMs };
  const bursts = drawBursts(random.fork("bursts"), at);
  const unseen = drawUnseen(random.fork("unseen"), { ...at, ...place });
  const behind = mayBeBehind ? drawBehind(random.fork("behind"), { ...at, ...place, keepsWebhooks }) : null;
  return { faults, bursts, unseen, behind, endsAtMs };
}

interface Place {
  shop: string;
  locationIds: string[];
}

interface Tolerates {
  /** Whether our clocks are right: a webhook that tells of the future is not believed. */
  mayBeBehind: boolean;
  /** Whether no webhook is lost. Where one may be, nothing but it tells that an answer is behind. */
  keepsWebhooks: boolean;
}

function drawBehind(
  random: SeededRandom,
  { shop, locationIds, startMs, endsAtMs, keepsWebhooks }: At & Place & Pick<Tolerates, "keepsWebhooks">,
): Behind | null {
  if (!random.chance(0.2)) return null;
  const fromMs = random.between(startMs + 20_000, endsAtMs - 30_000);
  const latestMs = endsAtMs + (keepsWebhooks ? BEHIND_IN_CALM_MS : 0);
  return { shop, locationId: random.pick(locationIds), fromMs, untilMs: random.between(fromMs + 15_000, latestMs) };
}

/** From when the state is that answers show of the location; null where they show what is true. */
export function standsAtMs(
  { behind }: ShopifyWeather,
  place: { shop: string; locationId: string },
  nowMs: number,
): number | null {
  if (behind?.shop !== place.shop || behind.locationId !== place.locationId) return null;
  return nowMs >= behind.fromMs && nowMs < behind.untilMs ? behind.fromMs : null;
}

function drawUnseen(
  random: SeededRandom,
  { shop, locationIds, startMs, endsAtMs }: At & { shop: string; locationIds: string[] },
): Unseen | null {
  if (!random.chance(0.2)) return null;
  const fromMs = random.between(startMs + 20_000, endsAtMs - LONGEST_UNSEEN_MS);
  const untilMs = fromMs + random.between(5_000, LONGEST_UNSEEN_MS);
  return { shop, locationId: random.pick(locationIds), fromMs, untilMs };
}

export function isUnseen({ unseen }: ShopifyWeather, place: { shop: string; locationId: string }, nowMs: number) {
  if (unseen?.shop !== place.shop || unseen.locationId !== place.locationId) return false;
  return nowMs >= unseen.fromMs && nowMs < unseen.untilMs;
}

const BURSTS = [
  "400",
  "403",
  "404",
  "406",
  "430",
  "500",
  "503",
  "401",
  "invalid_grant",
  "invalid_client",
  "html_refresh",
] as const satisfies readonly Burst["how"][];

function drawBursts(random: SeededRandom, { startMs, endsAtMs }: At): Burst[] {
  if (!random.chance(0.3)) return [];
  return Array.from({ length: random.between(1, 3) }, () => {
    const fromMs = random.between(startMs, endsAtMs - 20_000);
    const lastsMs = random.pick([5_000, 20_000, 70_000, 150_000]);
    return { fromMs, untilMs: Math.min(endsAtMs, fromMs + lastsMs), how: random.pick(BURSTS) };
  });
}

const PAGE = "<html><body>There was a problem</body></html>";

export function drawShopifyOutcome(
  random: SeededRandom,
  { call, weather, nowMs }: { call: ShopifyCall; weather: ShopifyWeather; nowMs: number },
): { outcome: ShopifyOutcome; kind: string | null } {
  if (nowMs >= weather.endsAtMs) return { outcome: { delayMs: 20, answer: "true" }, kind: null };
  const delayMs = random.between(5, 400);
  const burst = weather.bursts.find(({ fromMs, untilMs }) => nowMs >= fromMs && nowMs < untilMs);
  const said = burst && saidIn(burst, call);
  if (said) return { outcome: { delayMs, answer: said }, kind: `shopify: ${burst.how}` };
  // Few events are told in a story, and each is to be told in spite of faults.
  const faults = call.operation === "OrigenTellFlow" ? weather.faults + 0.2 : weather.faults;
  if (!random.chance(faults)) return { outcome: { delayMs, answer: "true" }, kind: null };
  const kind = random.pick(["silence", "reset", "503"] as const);
  const answer = kind === "503" ? { status: 503, body: PAGE } : kind;
  return { outcome: { delayMs, answer }, kind: `shopify: ${kind}` };
}

/** The answer during the burst; null where the burst does not concern the call. */
function saidIn({ how }: Burst, { operation }: ShopifyCall): { status: number; body: string } | null {
  const isRefresh = operation === "refresh";
  switch (how) {
    case "invalid_grant":
      return isRefresh ? { status: 400, body: JSON.stringify({ error: "invalid_grant" }) } : refusedToken();
    case "invalid_client":
      return isRefresh ? { status: 401, body: JSON.stringify({ error: "invalid_client" }) } : refusedToken();
    case "html_refresh":
      return isRefresh ? { status: 403, body: PAGE } : refusedToken();
    case "401":
      return isRefresh ? null : refusedToken();
    default:
      return { status: Number(how), body: how === "403" ? PAGE : "{}" };
  }
}

function refusedToken() {
  return { status: 401, body: JSON.stringify({ errors: "[API] Invalid API key or access token" }) };
}

export const UNSEEN_KIND = "shopify: a location that is there is not shown";

export const BEHIND_KIND = "shopify: an answer that is behind";

/** Flow is told of an event, and Flow does not take it at first. */
export const FLOW_KINDS = ["shopify: Flow takes an event", "shopify: Flow does not take an event"] as const;

export const SHOPIFY_KINDS = [
  ...[...BURSTS, "silence", "reset"].map((kind) => `shopify: ${kind}`),
  UNSEEN_KIND,
  BEHIND_KIND,
  ...FLOW_KINDS,
];
