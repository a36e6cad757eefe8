import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import type { Clock, Log } from "../../ports.ts";
import { createShopifyHttp, withinTime } from "./http.ts";
import type { ShopifyHttpOptions } from "./http.ts";
import { sessionTokenOf } from "./session-token.ts";
import { singleFlight } from "./single-flight.ts";
import { createSecretAlarm, emptySession, renewedSession } from "./token-renewal.ts";

/** Short, because a page waits for it. */
const TIMEOUT_MS = 5_000;
const AGAIN_AFTER_MS = 10_000;

export interface VisitOptions extends ShopifyHttpOptions {
  storage: Pick<SessionStorage, "storeSession">;
  clock: Pick<Clock, "nowMs" | "monotonicMs" | "after">;
  log: Log;
}

export interface Visit {
  shop: string;
  /** A request that Shopify's package has authenticated already. */
  request: Request;
}

/**
 * Exchanges the session token of a visit for a new session while the stored one has not expired. Shopify refuses that stored session, and
 * its package would keep using it for up to an hour. Resolves to true when a new session was stored; never rejects. Parallel loaders share
 * one exchange.
 */
export function createVisits(options: VisitOptions): (visit: Visit) => Promise<boolean> {
  const { storage, clock, log } = options;
  const http = createShopifyHttp(options);
  const alarm = createSecretAlarm({ clock, log });
  const triedAtMs = new Map<string, number>();

  return singleFlight(
    async ({ shop, request }: Visit) => {
      const sessionToken = sessionTokenOf(request);
      const nowMs = clock.monotonicMs();
      if (!sessionToken || nowMs < (triedAtMs.get(shop) ?? -Infinity) + AGAIN_AFTER_MS) return false;
      triedAtMs.set(shop, nowMs);
      try {
        const answer = await withinTime(clock, TIMEOUT_MS, (signal) => http.exchange({ shop, sessionToken, signal }));
        alarm(shop, answer);
        await storage.storeSession(renewedSession(emptySession(shop), answer, clock.nowMs()));
        triedAtMs.delete(shop);
        return true;
      } catch (error) {
        log.warn({ shop, error }, "Shopify gave no new session to a visit");
        return false;
      }
    },
    ({ shop }) => shop,
  );
}
