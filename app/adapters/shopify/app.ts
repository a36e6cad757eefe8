import "@shopify/shopify-app-remix/adapters/node";
import { ApiVersion, LogSeverity, shopifyApi } from "@shopify/shopify-api";
import { AppDistribution, shopifyApp } from "@shopify/shopify-app-remix/server";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import type { Log } from "../../ports.ts";
import { offlineClients } from "./offline-client.ts";

/** The one version of Shopify's API: shopify.app.toml and the extensions name the same. */
export const API_VERSION = ApiVersion.October26;

export interface ShopifyAppOptions {
  apiKey: string;
  apiSecret: string;
  appUrl: string;
  scopes: string[];
  sessionStorage: SessionStorage;
  log: Log;
  /** Runs after each token exchange, so perhaps twice at once. */
  afterAuth(shop: string): Promise<void>;
}

/** Shopify's package, set up once; routes meet it in app/shopify.server.ts. */
export function createShopifyApp({
  apiKey,
  apiSecret,
  appUrl,
  scopes,
  sessionStorage,
  log,
  afterAuth,
}: ShopifyAppOptions) {
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
    hooks: { afterAuth: ({ session }) => afterAuth(session.shop) },
  });
  // With expiring tokens the package refreshes a session before it looks at the webhook and answers 500 for an uninstalled shop.
  // This one has no expiring tokens and is used for nothing but the signature.
  const forWebhooks = shopifyApp({
    ...common,
    future: { unstable_newEmbeddedAuthStrategy: true, expiringOfflineAccessTokens: false },
  });
  const { host, protocol } = new URL(appUrl);
  const api = shopifyApi({
    ...common,
    hostName: host,
    hostScheme: protocol === "http:" ? "http" : "https",
    isEmbeddedApp: true,
    scopes: [...scopes],
  });
  return {
    authenticate: { admin: app.authenticate.admin },
    authenticateWebhook: forWebhooks.authenticate.webhook,
    clientFor: offlineClients({ api, storage: sessionStorage }),
    addDocumentResponseHeaders: app.addDocumentResponseHeaders,
  };
}

function toLog(log: Log) {
  return (severity: LogSeverity, message: string) => {
    if (severity === LogSeverity.Error) log.error({ from: "shopify" }, message);
    else log.warn({ from: "shopify" }, message);
  };
}
