import type { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import type { AppError } from "../../domain/errors.ts";
import type { Clock, Log } from "../../ports.ts";
import type { GraphqlClient } from "./admin.ts";
import { dataOf, shopifyFault, toAppError } from "./faults.ts";
import { createShopifyHttp, withinTime } from "./http.ts";
import type { ShopifyHttpOptions } from "./http.ts";
import { singleFlight } from "./single-flight.ts";
import { createSecretAlarm, offlineId, renewedSession } from "./token-renewal.ts";

const REFRESH_MARGIN_MS = 5 * 60_000;
/** A renewal goes on after its caller has stopped waiting, because its answer may hold the only valid refresh token. */
const REFRESH_TIMEOUT_MS = 30_000;
/** A process that has not ended a renewal by then is dead. */
const DIED_MS = REFRESH_TIMEOUT_MS + 5_000;
const LOOK_AGAIN_MS = 100;

export interface RenewableSessions extends Pick<SessionStorage, "loadSession"> {
  /** Stores `fresh` in one step, if the stored token is still that of `old`. Resolves to whether it did. */
  replaceSession(old: Session, fresh: Session): Promise<boolean>;
  /** Runs the work, a session's renewal, if no other process is at it, or has died in it so long ago; null when one is. */
  alone<T>(id: string, withinMs: number, work: () => Promise<T>): Promise<{ done: T } | null>;
}

export interface OfflineClientsOptions extends ShopifyHttpOptions {
  storage: RenewableSessions;
  clock: Pick<Clock, "nowMs" | "monotonicMs" | "after">;
  log: Log;
}

type Renewal = { session: Session } | { refusal: AppError; beganMs: number };

/**
 * A client with the shop's offline token, renewed when it is about to expire. Shopify's package has such a client, but its errors do not
 * tell a refused token from a proxy's page, and that difference decides what is erased after an uninstall. So the status and body are read
 * here.
 *
 * The client throws an AppError. `shopify_refused`: the stored token got a 401, and a refresh token, if there is one, was answered with
 * `invalid_grant`. `shopify_session`: there is no session. `shopify_frozen`: the shop has not paid or is locked. Everything else is
 * `shopify_unavailable`.
 */
export function offlineClients(options: OfflineClientsOptions): (shop: string) => Promise<GraphqlClient> {
  const { storage, clock, log } = options;
  const http = createShopifyHttp(options);
  const alarm = createSecretAlarm({ clock, log });

  async function load(shop: string): Promise<Session> {
    const session = await storage.loadSession(offlineId(shop));
    if (session?.accessToken) return session;
    throw shopifyFault("shopify_session", "The shop has no session");
  }

  /** Another process may be at it: its answer is waited for, and used. */
  async function renew(session: Session): Promise<Renewal> {
    const beganMs = clock.monotonicMs();
    try {
      for (;;) {
        const renewal = await storage.alone(session.id, DIED_MS, async (): Promise<Renewal> => {
          const now = await load(session.shop);
          return now.accessToken === session.accessToken ? spend(session) : { session: now };
        });
        if (renewal) return renewal.done;
        if (clock.monotonicMs() - beganMs > DIED_MS) throw shopifyFault("shopify_unavailable", "A renewal takes long");
        await new Promise<void>((resolve) => void clock.after(LOOK_AGAIN_MS, resolve));
      }
    } catch (error) {
      return { refusal: toAppError(error), beganMs };
    }
  }

  async function spend(session: Session): Promise<Renewal> {
    const beganMs = clock.monotonicMs();
    try {
      const { shop, refreshToken } = session;
      const answer = await withinTime(clock, REFRESH_TIMEOUT_MS, (signal) =>
        http.refresh({ shop, refreshToken: refreshToken!, signal }),
      );
      alarm(shop, answer);
      const fresh = renewedSession(session, answer, clock.nowMs());
      // Meanwhile a page may have stored the session of a newer installation, or the shop may have been forgotten.
      return { session: (await storage.replaceSession(session, fresh)) ? fresh : await load(shop) };
    } catch (error) {
      return { refusal: toAppError(error), beganMs };
    }
  }
  // Spending a refresh token twice may cost the shop its session, so parallel callers share one renewal.
  const renewOnce = singleFlight(renew, ({ shop, refreshToken }) => `${shop} ${refreshToken}`);

  /**
   * A refusal that is shared may be older than the question, by as long as the process was stopped meanwhile: it confirms no refusal that
   * was met before, so Shopify is asked once more.
   */
  async function renewSince(session: Session, askedMs: number): Promise<Renewal> {
    const renewal = await renewOnce(session);
    return "refusal" in renewal && renewal.beganMs < askedMs ? renewOnce(session) : renewal;
  }

  /** Whether a page has exchanged a newer token meanwhile, which invalidates the older one. */
  async function isReplaced({ shop, accessToken }: Session): Promise<boolean> {
    return (await load(shop)).accessToken !== accessToken;
  }

  async function refused(session: Session, renewal: Renewal | null): Promise<AppError> {
    if (await isReplaced(session)) return shopifyFault("shopify_unavailable", "A newer session came meanwhile");
    if (renewal === null) return shopifyFault("shopify_refused", "Shopify: HTTP 401", { status: 401 });
    if ("refusal" in renewal) return renewal.refusal;
    return shopifyFault("shopify_unavailable", "Shopify refused a token that it had just given", { status: 401 });
  }

  return async (shop) => {
    const loaded = await load(shop);
    return {
      async graphql(query, { variables, signal }) {
        const ask = ({ accessToken }: Session) =>
          http.graphql({ shop, accessToken: accessToken!, body: { query, variables }, signal });
        const askedMs = clock.monotonicMs();
        const endsSoon = loaded.expires !== undefined && loaded.expires.getTime() < clock.nowMs() + REFRESH_MARGIN_MS;
        // If the renewal fails, the stored token may still be valid for some minutes.
        let renewal = loaded.refreshToken && endsSoon ? await renewSince(loaded, askedMs) : null;
        const known = renewal && "session" in renewal ? renewal.session : loaded;
        let answer = await ask(known);
        if (answer.status === 401 && renewal === null && loaded.refreshToken) {
          renewal = await renewSince(loaded, askedMs);
          if ("session" in renewal) answer = await ask(renewal.session);
        }
        if (answer.status !== 401) return dataOf(answer);
        throw await refused(renewal && "session" in renewal ? renewal.session : loaded, renewal);
      },
    };
  };
}
