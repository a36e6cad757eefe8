import { HttpResponseError } from "@shopify/shopify-api";
import type { Session, Shopify } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import { AppError } from "../../domain/errors.ts";
import type { GraphqlClient } from "./admin.ts";

const REFRESH_MARGIN_MS = 5 * 60 * 1000;

/**
 * A client with the shop's offline token, refreshed when it is about to end. Shopify's package has the same, but answers a bare 500
 * whether the refresh was refused (the shop is gone) or failed (try later), and the difference is all that matters after an uninstall.
 *
 * @throws AppError `shopify_refused` without a session; else what the package threw.
 */
export function offlineClients({
  api,
  storage,
}: {
  api: Shopify;
  storage: SessionStorage;
}): (shop: string) => Promise<GraphqlClient> {
  async function load(shop: string): Promise<Session> {
    const session = await storage.loadSession(api.session.getOfflineId(shop));
    if (session?.accessToken) return session;
    throw new AppError({ kind: "shopify_refused", message: "The shop has no session", effect: "none" });
  }

  async function refresh(session: Session, refreshToken: string): Promise<Session> {
    try {
      const { session: fresh } = await api.auth.refreshToken({ shop: session.shop, refreshToken });
      await storage.storeSession(fresh);
      return fresh;
    } catch (error) {
      // A page may have exchanged a newer token meanwhile, which ends this one.
      const stored = await load(session.shop);
      if (stored.accessToken !== session.accessToken) return stored;
      throw error;
    }
  }

  return async (shop) => {
    let session = await load(shop);
    if (session.refreshToken && session.isExpired(REFRESH_MARGIN_MS))
      session = await refresh(session, session.refreshToken);
    const ask = (asker: Session, ...[query, options]: Parameters<GraphqlClient["graphql"]>) =>
      new api.clients.Graphql({ session: asker }).request(query, options);
    return {
      async graphql(query, options) {
        try {
          return await ask(session, query, options);
        } catch (error) {
          // Ended before its time; only a refused refresh says that the shop is gone.
          if (!isRefusedToken(error) || !session.refreshToken) throw error;
          session = await refresh(session, session.refreshToken);
          return ask(session, query, options);
        }
      },
    };
  };
}

function isRefusedToken(error: unknown): boolean {
  return error instanceof HttpResponseError && error.response.code === 401;
}
