// The admin: Shopify's pages, its token endpoint and its API for a few stores, and /sandbox/ to steer it.
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { pathToFileURL } from "node:url";
import express from "express";
import { AccessTokens } from "./access-tokens.ts";
import type { Admin, ShippingControl } from "./admin.ts";
import { parseAppConfig } from "./app-config.ts";
import { apiRoutes } from "./api-routes.ts";
import { controlRoutes } from "./control.ts";
import { AdminFaults } from "./faults.ts";
import { Flow } from "./flow.ts";
import { FlowTriggers } from "./flow-triggers.ts";
import { isWebhookTopic } from "./graphql/schema.ts";
import { Throttle } from "./graphql/throttle.ts";
import { internalRoutes } from "./internal-routes.ts";
import { install, keepInOrders, Locations } from "./locations.ts";
import type { LocationInput } from "./locations.ts";
import { pageRoutes } from "./page-routes.ts";
import { EXTENSION_HOST } from "./pages/orders.ts";
import { plainPage } from "./pages/layout.ts";
import { html } from "./pages/html.ts";
import type { AdminState, OrderRecord, ShopState } from "./state.ts";
import { Webhooks } from "./webhooks.ts";
import { wordsOf } from "./words.ts";

export interface StoreInput {
  handle: string;
  name: string;
  locations: (LocationInput & { id?: number })[];
  /** Orders of the store, made from the ids its locations got, in the order given. */
  orders?: (locationIds: number[]) => OrderRecord[];
}

export interface AdminOptions {
  port?: number;
  /** The text of shopify.app.toml. */
  tomlText: string;
  credentials: { apiKey: string; apiSecret: string };
  stores: StoreInput[];
  /** Where the frame and the webhooks find the app. */
  appUrl: string;
  /** Language the admin gives the app's frame at first. */
  locale?: string;
  /** Whether pages have the bar with which a visitor plays; then they speak the visitor's language, unless `locale` names one. */
  hasPlayBar?: boolean;
  /** Where /sandbox/shipping/ leads. */
  shipping?: ShippingControl;
}

export interface RunningAdmin extends Admin {
  url: string;
  stop(): Promise<void>;
}

/** Starts the admin on localhost (port 0: any free one). */
export async function startAdmin(options: AdminOptions): Promise<RunningAdmin> {
  const admin = createAdmin(options);
  const application = express();
  application.disable("x-powered-by");
  application.use(apiRoutes(admin), internalRoutes(admin), controlRoutes(admin), pageRoutes(admin));
  await mountExtensionHost(application, admin);
  application.use((request, response) => {
    response.status(404).send(
      plainPage(
        admin.state.words.notFound,
        html`<p>${request.path}</p>
          <p><a href="/">${admin.state.words.stores}</a></p>`,
      ),
    );
  });
  const server = createServer(application);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(options.port ?? 0, "127.0.0.1", resolve);
  });
  return {
    ...admin,
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    stop: async () => {
      await admin.webhooks.stop();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function createAdmin(options: AdminOptions): Admin {
  const settings = {
    appUrl: options.appUrl,
    locale: options.locale ?? "es",
    followsVisitor: options.hasPlayBar === true && options.locale === undefined,
    onAnswer: () => undefined,
  };
  const state: AdminState = {
    config: parseAppConfig(options.tomlText, isWebhookTopic),
    credentials: options.credentials,
    shops: new Map(),
    protectedDataApproved: true,
    nextLocationId: 71_000_000_001,
    hasPlayBar: options.hasPlayBar ?? false,
    get words() {
      return wordsOf(settings.locale);
    },
  };
  const webhooks = new Webhooks(state, () => settings.appUrl);
  const locations = new Locations(state, webhooks);
  for (const store of options.stores) addStore(state, locations, store);
  return {
    state,
    settings,
    webhooks,
    flow: new Flow(state, () => settings.appUrl),
    flowTriggers: new FlowTriggers(state, () => settings.appUrl),
    locations,
    tokens: new AccessTokens(state),
    throttle: new Throttle(),
    faults: new AdminFaults(),
    shipping: options.shipping,
    deploy: (tomlText) => {
      state.config = parseAppConfig(tomlText, isWebhookTopic);
    },
  };
}

function addStore(state: AdminState, locations: Locations, input: StoreInput): void {
  const shop: ShopState = {
    id: 60_000_000_000 + state.shops.size + 1,
    handle: input.handle,
    domain: `${input.handle}.myshopify.com`,
    name: input.name,
    email: `contacto@${input.handle}.example`,
    ianaTimezone: "America/Mexico_City",
    locations: new Map(),
    orders: [],
    installation: null,
  };
  const ids = input.locations.map((location) => locations.seed(shop, location).id);
  shop.orders = input.orders?.(ids) ?? [];
  for (const location of shop.locations.values()) keepInOrders(shop, location, ["IN_PROGRESS", "CLOSED"]);
  install(shop);
  state.shops.set(shop.domain, shop);
}

/** The order pages' extensions have a host of their own, a folder that this one only opens the door to. */
async function mountExtensionHost(application: express.Express, admin: Admin): Promise<void> {
  const entry = new URL("server.ts", EXTENSION_HOST);
  if (!existsSync(entry)) return;
  const { mountExtensionHost: mount } = (await import(pathToFileURL(entry.pathname).href)) as {
    mountExtensionHost(application: express.Express, admin: Admin): Promise<void> | void;
  };
  await mount(application, admin);
}

/** Reads the project's own shopify.app.toml. */
export function projectToml(): string {
  return readFileSync(new URL("../../../shopify.app.toml", import.meta.url), "utf8");
}
