/**
 * What the service refused with 401 over one connection. A 401 says that the token is bad, or that the service refuses this one request
 * whatever the token. A new token helps only against the first. The second is known once another token was refused for the same request
 * before, or once the token has served another request since it was first refused for this one.
 */
export interface Refusals {
  /** The service answered 401 to its newest token. Gives whether another token may help. */
  refused(request: string, at: { token: string; answeredAtMonotonicMs: number }): boolean;
  /** The service let a request through. */
  served(request: string, at: { token: string; sentAtMonotonicMs: number }): void;
}

/** Requests remembered. The one refused longest ago is forgotten first; that costs one renewal more. */
const MOST_REMEMBERED = 1_000;

export function createRefusals(): Refusals {
  /** By request: the last token that was refused for it, and when that token was first refused. */
  const refusals = new Map<string, { token: string; answeredAtMonotonicMs: number }>();
  let served = { token: "", sentAtMonotonicMs: -Infinity };
  return {
    refused(request, now) {
      const before = refusals.get(request);
      if (before?.token === now.token)
        return served.token !== now.token || served.sentAtMonotonicMs < before.answeredAtMonotonicMs;
      refusals.delete(request);
      refusals.set(request, now);
      if (refusals.size > MOST_REMEMBERED) refusals.delete(refusals.keys().next().value!);
      return before === undefined;
    },
    served(request, now) {
      refusals.delete(request);
      if (served.token !== now.token || served.sentAtMonotonicMs < now.sentAtMonotonicMs) served = now;
    },
  };
}

/**
 * Which requests the service answers with 429 alone. A 429 asks the whole client to slow down, or it is the answer to this one request
 * whatever the pace. The second is known once another request was sent after the first 429 to this one came, and was let through.
 */
export interface SlowedAlone {
  /** The service answered 429 to the request. Gives whether it is slowed down alone. */
  slowed(client: string, request: string, at: { answeredAtMonotonicMs: number }): boolean;
  /** The service let a request through. */
  flowing(client: string, request: string, at: { sentAtMonotonicMs: number }): void;
  /** Whether some request was slowed down alone within the last minute: then others may be, too, and pauses need not grow. */
  isLikely(client: string, nowMonotonicMs: number): boolean;
}

const LIKELY_FOR_MS = 60_000;

/** Requests remembered. The one slowed down longest ago is forgotten first; that costs two pauses more. */
const MOST_SLOWED_REMEMBERED = 1_000;

export function createSlowedAlone(): SlowedAlone {
  /** By client and request: when the first 429 came since it was let through last. */
  const first = new Map<string, number>();
  /** By client: when the last request left that was let through. */
  const flowed = new Map<string, number>();
  /** By client: when a request was found to be slowed down alone last. */
  const found = new Map<string, number>();
  return {
    slowed(client, request, { answeredAtMonotonicMs }) {
      const key = `${client} ${request}`;
      const beforeMs = first.get(key);
      if (beforeMs !== undefined) {
        const isAlone = (flowed.get(client) ?? -Infinity) > beforeMs;
        if (isAlone) found.set(client, answeredAtMonotonicMs);
        return isAlone;
      }
      first.set(key, answeredAtMonotonicMs);
      if (first.size > MOST_SLOWED_REMEMBERED) first.delete(first.keys().next().value!);
      return false;
    },
    flowing(client, request, { sentAtMonotonicMs }) {
      first.delete(`${client} ${request}`);
      flowed.set(client, Math.max(flowed.get(client) ?? -Infinity, sentAtMonotonicMs));
    },
    isLikely: (client, nowMonotonicMs) => nowMonotonicMs - (found.get(client) ?? -Infinity) < LIKELY_FOR_MS,
  };
}
