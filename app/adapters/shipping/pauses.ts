import type { Clock, Random } from "../../ports.ts";

/**
 * Pauses that the service asked for with a 429, by shop and by client. A pause outlives the calls that met it, so it is stored by key, and
 * forgotten some time after its end.
 */

export const FIRST_PAUSE_MS = 1_000;
/**
 * The longest pause after 429s that name no time, each of which doubles the pause; `chance` in [0, 1) makes it up to twice as long. Pauses of one
 * length could meet a service that refuses for a part of each minute in that part for ever.
 */
export function longestUnsaidMs(chance: number): number {
  return Math.round(LONGEST_UNSAID_MS * (1 + chance));
}
const LONGEST_UNSAID_MS = 10_000;
/** The longest pause that we believe. After it we ask again, and get another 429 if the longer one was meant. */
export const LONGEST_SAID_MS = 15 * 60_000;
const REMEMBERED_MS = 10 * 60_000;

interface Pause {
  untilMs: number;
  beganMs: number;
  /** How many 429s came in a row, each after the pause of the one before. */
  strikes: number;
}

interface Keys {
  shop?: string;
  client?: string;
}

export interface Pauses {
  add(keys: Keys, said: { ms: number | null; sentAtMonotonicMs: number }): void;
  flowing(keys: Keys): void;
  /** On the monotonic clock; `-Infinity` when there is no pause. */
  untilMs(keys: Keys): number;
}

export function createPauses({ clock, random }: { clock: Clock; random: Random }): Pauses {
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
        // A request that was under way when the pause began met the same overload, so its 429 does not lengthen the pause.
        const sameEpisode = before !== undefined && sentAtMonotonicMs < before.beganMs;
        const strikes = (before?.strikes ?? 0) + (sameEpisode ? 0 : 1);
        const unsaidMs = Math.min(FIRST_PAUSE_MS * 2 ** (strikes - 1), longestUnsaidMs(random.next()));
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
 * The milliseconds that a `Retry-After` asks for. It holds seconds, or a date that is compared with the answer's own `Date`, so that a
 * wrong clock does no harm. Null when it is absent or cannot be read.
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
