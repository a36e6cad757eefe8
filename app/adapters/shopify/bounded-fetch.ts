import type { Clock } from "../../ports.ts";
import { bodyOf, withinTime } from "./http.ts";
import type { Fetch } from "./http.ts";

/** A page waits for it, and Shopify answers an exchange within a second. */
const TIMEOUT_MS = 10_000;

/**
 * A `fetch` for Shopify's package, which sets no limit to what it sends by itself: no redirect is followed, the whole answer is there after
 * `TIMEOUT_MS`, and it is no larger than any of Shopify's. Rejects where it is not.
 */
export function boundedFetch(fetch: Fetch, clock: Pick<Clock, "after">): Fetch {
  return (url, init) =>
    withinTime(clock, TIMEOUT_MS, async (signal) => {
      const answer = await fetch(url, { ...init, redirect: "manual", signal });
      const { status, statusText, headers } = answer;
      const body = await bodyOf(answer);
      return new Response(body.length === 0 ? null : body, { status, statusText, headers });
    });
}
