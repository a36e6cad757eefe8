import { createServer as createHttpServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Session } from "@shopify/shopify-api";
import { PrismaSessionStorage } from "@shopify/shopify-app-session-storage-prisma";
import compression from "compression";
import express from "express";
import { createMachine } from "../../../../app/adapters/machine/clock.ts";
import { createLog } from "../../../../app/adapters/machine/log.ts";
import { createRandom } from "../../../../app/adapters/machine/random.ts";
import { createSharedClock } from "../../../../app/adapters/machine/shared-clock.ts";
import { createShopifyApp } from "../../../../app/adapters/shopify/app.ts";
import { openPrisma } from "../../../../app/adapters/store/database.ts";
import { createStore } from "../../../../app/adapters/store/store.ts";
import { createClock } from "../../../../app/adapters/machine/clock.ts";
import { logInContext, storeInContext, withLogFields } from "../../../../app/http/log-context.ts";
import { createRemixHandler } from "../../../../app/http/remix-handler.ts";
import { createServer } from "../../../../app/http/serve.ts";
import { receiveWebhook } from "../../../../app/shop/receive-webhook.ts";
import { KEYS } from "../../../adapters/store/open-store.ts";
import { servicesOf, shippingOver } from "../../../fakes/app-process.ts";
import { createFakeShopify } from "../../../fakes/shopify.ts";
import { connectionRecord, shopRecord } from "../../../fakes/records.ts";
import { templateBuild, TEMPLATE_PATH } from "../template.ts";

/**
 * One server with both routes for webhooks on one database: ours behind all that the app puts before it, and the template's behind what its
 * own server puts before it. No worker runs, so ours ends where the receipt and the work item are committed.
 */

export interface BothRoutes {
  databaseUrl: string;
  shops: string[];
  apiSecret: string;
}

const APP_URL = "https://app.example.com";
const API_KEY = "bench";

const { databaseUrl, shops, apiSecret } = JSON.parse(process.argv[2]!) as BothRoutes;
const log = logInContext(createLog("info"));
const opened = await createStore({ url: databaseUrl, keys: KEYS, log });
const store = storeInContext(opened);
const { askTimeMs: askMs } = opened;
const clock = askMs ? await createSharedClock({ machine: createMachine(), askMs, log }) : createClock();
const random = createRandom();
const services = servicesOf({
  store,
  clock,
  random,
  log,
  shopify: createFakeShopify(clock),
  shipping: shippingOver({ network: {} as never, clock, random, store }),
});
const prisma = await openPrisma(databaseUrl);
const sessions = new PrismaSessionStorage(prisma);
for (const shop of shops) {
  await store.shops.insert(shopRecord({ shop }));
  await store.connections.insert(connectionRecord({ id: `connection of ${shop}`, shop }));
  const given = { id: `offline_${shop}`, shop, state: "", isOnline: false, scope: "write_products", accessToken: "t" };
  await sessions.storeSession(new Session(given));
}

const app = createShopifyApp({
  apiKey: API_KEY,
  apiSecret,
  appUrl: APP_URL,
  scopes: [],
  sessionStorage: opened.sessions,
  clock,
  log,
  afterAuth: () => Promise.resolve(),
});
const build = templateBuild({ prisma, apiKey: API_KEY, apiSecret, appUrl: APP_URL });
const ours = createServer({
  build,
  vite: null,
  log,
  withLogFields,
  health: { read: () => Promise.resolve(null) },
  ready: { read: () => Promise.resolve({ ready: true, parts: {} }) } as never,
  webhooks: { check: app.checkWebhook, receive: (webhook) => receiveWebhook(services, webhook) },
  config: {
    SHOPIFY_APP_URL: APP_URL,
    APP_BRIDGE_URL: `${APP_URL}/app-bridge.js`,
    HSTS_SUBDOMAINS: false,
    TRUSTED_PROXIES: 1,
  } as never,
});
const theirs = express();
theirs.disable("x-powered-by");
theirs.use(compression());
theirs.all("*", createRemixHandler({ build, mode: "production", appUrl: APP_URL, contextOf: () => ({}) }));

const server = createHttpServer((request, response) => {
  if (request.url === TEMPLATE_PATH) theirs(request, response);
  else ours(request, response);
});
server.listen(0, "127.0.0.1", () => process.send!((server.address() as AddressInfo).port));
