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
