import "@shopify/shopify-app-remix/adapters/node";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { setAbstractFetchFunc } from "@shopify/shopify-api/runtime";
import { AppDistribution, shopifyApp } from "@shopify/shopify-app-remix/server";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import type { Clock, HeardDates, Log, RawWebhook } from "../../ports.ts";
import { boundedFetch } from "./bounded-fetch.ts";
import { offlineClients } from "./offline-client.ts";
import type { RenewableSessions } from "./offline-client.ts";
import { tokenFault } from "./session-token.ts";
import { createVisits } from "./visit.ts";
import { checkWebhook } from "./webhook.ts";

/** The one version of Shopify's API; shopify.app.toml and the extensions name the same one. */
export const API_VERSION = ApiVersion.October26;

export interface ShopifyAppOptions {
  apiKey: string;
  apiSecret: string;
  appUrl: string;
  scopes: string[];
  sessionStorage: SessionStorage & RenewableSessions;
  clock: Clock;
  dates?: HeardDates | undefined;
  log: Log;
  /** Runs after each token exchange, so two calls may overlap. */
  afterAuth(shop: string): Promise<void>;
}

/** Shopify's package, configured once; routes import it from app/shopify.server.ts. */
export function createShopifyApp({
  apiKey,
  apiSecret,
  appUrl,
  scopes,
  sessionStorage,
  clock,
  dates,
  log,
  afterAuth,
}: ShopifyAppOptions) {
  const fetch = (url: string, init: RequestInit) => globalThis.fetch(url, init);
  // The package took the machine's `fetch` when it was imported, for all its instances.
  const bounded = boundedFetch(fetch, clock);
  setAbstractFetchFunc((url, init) => bounded(String(url), init ?? {}));
  const common = {
    apiKey,
    apiSecretKey: apiSecret,
    appUrl,
    scopes,
    apiVersion: API_VERSION,
    authPathPrefix: "/auth",
    sessionStorage,
    distribution: AppDistribution.AppStore,
    logger: { level: LogSeverity.Warning, httpRequests: false, timestamps: false, log: toLog(log) },
  } as const;
  const app = shopifyApp({
    ...common,
    future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: true },
    hooks: {
      afterAuth: async ({ session }) => {
        log.info({ shop: session.shop }, "a visit brought a session");
        await afterAuth(session.shop);
      },
    },
  });
  // The package keeps its own copy of the library to itself.
  const library = shopifyApi({
    apiKey,
    apiSecretKey: apiSecret,
    apiVersion: API_VERSION,
    hostName: new URL(appUrl).host,
    isEmbeddedApp: true,
    logger: common.logger,
  });
  const own = {
    fetch,
    apiKey,
    apiSecret,
    apiVersion: API_VERSION,
    storage: sessionStorage,
    clock,
    dates,
    log,
  };
  return {
    authenticate: { admin: app.authenticate.admin },
    checkWebhook: (webhook: RawWebhook) => checkWebhook(webhook, library),
    clientFor: offlineClients(own),
    newSession: createVisits(own),
    tokenFault: (request: Request) => tokenFault(request, library),
    addDocumentResponseHeaders: app.addDocumentResponseHeaders,
  };
}

function toLog(log: Log) {
  return (severity: LogSeverity, message: string) => {
    if (severity === LogSeverity.Error) log.error({ from: "shopify" }, message);
    else log.warn({ from: "shopify" }, message);
  };
}
