import type { Clock } from "../../ports.ts";

/**
 * Pauses the service asked for with a 429, by shop and by client. A pause outlives the calls that met it, so it is kept by
 * key and forgotten some time after it ended.
 */

const FIRST_PAUSE_MS = 1_000;
/** What an unsaid pause grows to, doubling. */
const LONGEST_UNSAID_MS = 60_000;
/** A longer one is not believed: after this we ask again, and hear it again if it was meant. */
const LONGEST_SAID_MS = 15 * 60_000;
const REMEMBERED_MS = 10 * 60_000;

interface Pause {
  untilMs: number;
  beganMs: number;
  /** 429s in a row, each after the pause of the one before. */
  strikes: number;
}

interface Keys {
  shop?: string;
  client?: string;
}

export interface Pauses {
  add(keys: Keys, said: { ms: number | null; sentAtMonotonicMs: number }): void;
  flowing(keys: Keys): void;
  /** Monotonic; `-Infinity` when there is none. */
  untilMs(keys: Keys): number;
}

export function createPauses(clock: Clock): Pauses {
  const pauses = new Map<string, Pause>();

  function forgetOld(nowMs: number): void {
    for (const [key, pause] of pauses) if (pause.untilMs + REMEMBERED_MS < nowMs) pauses.delete(key);
  }

  return {
    add(keys, { ms, sentAtMonotonicMs }) {
      const nowMs = clock.monotonicMs();
      forgetOld(nowMs);
      for (const key of names(keys)) {
        const before = pauses.get(key);
        // A request that was already under way when the pause began tells nothing new about its length.
        const sameEpisode = before !== undefined && sentAtMonotonicMs < before.beganMs;
        const strikes = (before?.strikes ?? 0) + (sameEpisode ? 0 : 1);
        const unsaidMs = Math.min(FIRST_PAUSE_MS * 2 ** (strikes - 1), LONGEST_UNSAID_MS);
        const pauseMs = ms === null ? unsaidMs : Math.min(Math.max(ms, FIRST_PAUSE_MS), LONGEST_SAID_MS);
        pauses.set(key, {
          untilMs: Math.max(before?.untilMs ?? -Infinity, nowMs + pauseMs),
          beganMs: sameEpisode ? before.beganMs : nowMs,
          strikes,
        });
      }
    },
    flowing(keys) {
      for (const key of names(keys)) {
        const pause = pauses.get(key);
        if (pause && pause.untilMs <= clock.monotonicMs()) pauses.delete(key);
      }
    },
    untilMs(keys) {
      return Math.max(-Infinity, ...names(keys).map((key) => pauses.get(key)?.untilMs ?? -Infinity));
    },
  };
}

function names({ shop, client }: Keys): string[] {
  return [...(shop === undefined ? [] : [`shop ${shop}`]), ...(client === undefined ? [] : [`client ${client}`])];
}

/**
 * Milliseconds a `Retry-After` asks for: seconds, or a date, which is read against the answer's own `Date` so that a skewed
 * clock does no harm. Null when it is absent or says nothing.
 */
export function retryAfterMs(
  headers: { retryAfter: string | null; date: string | null },
  nowMs: number,
): number | null {
  const text = headers.retryAfter?.trim();
  if (!text) return null;
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text) * 1_000;
  if (!/[a-z]/i.test(text)) return null;
  const atMs = Date.parse(text);
  if (Number.isNaN(atMs)) return null;
  const theirNowMs = headers.date === null ? NaN : Date.parse(headers.date);
  return Math.max(0, atMs - (Number.isNaN(theirNowMs) ? nowMs : theirNowMs));
}
