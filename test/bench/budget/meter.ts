import type { Exchange, Network, UnderWay } from "../../../app/adapters/shipping/network.ts";

/** Watches the network from inside the client: when each request left, when its answer came, and for whom. Monotonic milliseconds. */

const WINDOW_MS = 1_000;
const SLOTS = 2;

interface Span {
  sentMs: number;
  endMs: number;
  answered: boolean;
}

interface Pause {
  fromMs: number;
  untilMs: number;
}

export interface Meter {
  network: Network;
  paused(shop: string, pause: Pause): void;
  /** When the request whose path holds `mark` left. */
  sentMs(mark: string): number | undefined;
  /** Mean of the answered exchanges. */
  roundTripMs(): number;
  use(period: { fromMs: number; untilMs: number; graceMs: number }): Use[];
}

/** One shop's slots over a period. */
export interface Use {
  /** Σ(end − send + 1 s) ÷ (2 × time − lost). */
  share: number;
  /** Slot time lost to exchanges without an answer and to pauses. */
  lostMs: number;
  exchanges: number;
}

/** `shopOf` finds whose request it is: by its token, or by its client id in a token request. */
export function createMeter(network: Network, shopOf: (exchange: Exchange) => string): Meter {
  const spans = new Map<string, Span[]>();
  const pauses = new Map<string, Pause[]>();
  const marks = new Map<string, number>();

  function measured(exchange: Exchange): UnderWay {
    const shop = shopOf(exchange);
    const span: Span = { sentMs: performance.now(), endMs: Infinity, answered: false };
    const mark = /probe-\d+/.exec(exchange.request.path)?.[0];
    if (mark) marks.set(mark, span.sentMs);
    if (!spans.has(shop)) spans.set(shop, []);
    spans.get(shop)!.push(span);
    const end = (answered: boolean) => Object.assign(span, { answered, endMs: performance.now() });
    const underWay = network.exchange(exchange);
    underWay.answer.then(
      () => end(true),
      () => end(false),
    );
    return underWay;
  }

  return {
    network: { ...network, exchange: measured },
    paused(shop, pause) {
      pauses.set(shop, [...(pauses.get(shop) ?? []), pause]);
    },
    sentMs: (mark) => marks.get(mark),
    roundTripMs() {
      const answered = [...spans.values()].flat().filter((span) => span.answered);
      return sum(answered.map(({ sentMs, endMs }) => endMs - sentMs)) / answered.length;
    },
    use: (period) => [...spans].map(([shop, list]) => useOf(list, merged(pauses.get(shop) ?? []), period)),
  };
}

function useOf(spans: Span[], pauses: Pause[], period: { fromMs: number; untilMs: number; graceMs: number }): Use {
  const { fromMs, untilMs, graceMs } = period;
  /** Milliseconds of the period, outside pauses, between two times. */
  const counted = (beginMs: number, endMs: number) => {
    const from = Math.max(beginMs, fromMs);
    const until = Math.min(endMs, untilMs);
    const inPauses = pauses.map((pause) => Math.max(0, Math.min(until, pause.untilMs) - Math.max(from, pause.fromMs)));
    return Math.max(0, until - from) - inPauses.reduce((sum, ms) => sum + ms, 0);
  };
  const answered = spans.filter((span) => span.answered);
  const broken = spans.filter((span) => !span.answered && span.endMs !== Infinity);
  const busyMs = sum(answered.map(({ sentMs, endMs }) => counted(sentMs, endMs + WINDOW_MS)));
  const brokenMs = sum(broken.map(({ sentMs, endMs }) => counted(sentMs, endMs + WINDOW_MS + graceMs)));
  const wholeMs = SLOTS * (untilMs - fromMs);
  const openMs = SLOTS * counted(fromMs, untilMs);
  return { share: busyMs / (openMs - brokenMs), lostMs: wholeMs - openMs + brokenMs, exchanges: answered.length };
}

function merged(pauses: Pause[]): Pause[] {
  const inOrder = [...pauses].sort((a, b) => a.fromMs - b.fromMs);
  const whole: Pause[] = [];
  for (const pause of inOrder) {
    const last = whole.at(-1);
    if (last && pause.fromMs <= last.untilMs) last.untilMs = Math.max(last.untilMs, pause.untilMs);
    else whole.push({ ...pause });
  }
  return whole;
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}
