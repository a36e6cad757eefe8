// Starts the whole sandbox: Shopify's admin, the shipping service's stand-in, the proxy, and the app in front of them.
import { randomBytes } from "node:crypto";
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { projectToml, startAdmin } from "./admin/server.ts";
import type { RunningAdmin, StoreInput } from "./admin/server.ts";
import type { PostalFacts } from "../../app/domain/mexico/postal-codes.ts";
import type { LocationInput } from "./admin/locations.ts";
import {
  buildApp,
  allOf,
  createAppProcess,
  freePort,
  generateClient,
  migrate,
  OF_RUN,
  PROJECT,
} from "./app-process.ts";
import type { AppProcess } from "./app-process.ts";
import { storesOf } from "./data/stores.ts";
import { startProxy } from "./proxy.ts";
import type { RunningProxy } from "./proxy.ts";
import { sandboxClient } from "./shipping/options.ts";
import type { ShippingServiceOptions } from "./shipping/options.ts";
import { startShippingService } from "./shipping/server.ts";
import type { ShippingService } from "./shipping/server.ts";

/** Short times, because the stand-in's lists never lag, and nobody wants to watch a demo in which nothing happens for a minute. */
const BELIEVES_QUICKLY = { ABSENCE_BELIEVED_AFTER_MS: "3000", LISTINGS_APART_MS: "1000" };

export interface SandboxOptions {
  /** The admin's port; proxy, app and shipping service take the next ones. 0, the default: free ones. */
  port?: number;
  /** Where the app's database and log go, by default a folder that `stop` removes; what an earlier sandbox left there is removed. */
  dataDir?: string;
  /** The app's database instead of a file in `dataDir`. */
  databaseUrl?: string;
  /** How many processes of the app, on PostgreSQL; 1 is the default. */
  processes?: number;
  /** How many stores: the first with locations and orders, the second empty, the others as the first. */
  shops?: number;
  /** The first store's locations instead of the default ones. */
  locations?: (LocationInput & { id?: number })[];
  /** These stores instead. */
  stores?: StoreInput[];
  /** The text of shopify.app.toml, to try the app with another. */
  tomlText?: string;
  /** The app's environment, on top of the sandbox's. */
  appEnv?: Record<string, string>;
  /** A list of postal codes that an operator has imported; none is the default. */
  postalCodes?: readonly PostalFacts[];
  shipping?: ShippingServiceOptions;
  /** A running service, for both environments, instead of the stand-in. */
  shippingUrl?: string;
  /** `development` runs the app on Vite with hot reload, `production` its build. */
  mode?: "production" | "development";
  locale?: string;
  /** Whether the admin has the bar with which a visitor plays; it needs the stand-in of the service. */
  hasPlayBar?: boolean;
  /** Told what is being waited for. */
  onProgress?: (line: string) => void;
}

export interface Sandbox {
  adminUrl: string;
  /** The app as browsers and webhooks reach it. */
  appUrl: string;
  admin: RunningAdmin;
  shipping: ShippingService | null;
  /** The app, all of its processes together. */
  app: AppProcess;
  apps: readonly AppProcess[];
  stores: StoreInput[];
  dataDir: string;
  apiKey: string;
  apiSecret: string;
  stop(): Promise<void>;
}

/** Everything runs and the app answers when this resolves. @throws with the reason, and nothing left running, when something does not start. */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { port = 0, mode = "production", onProgress = () => undefined } = options;
  const dataDir =
    options.dataDir ??
    join(OF_RUN ?? join(PROJECT, ".data"), `sandbox-${process.pid}-${randomBytes(3).toString("hex")}`);
  const databaseUrl = options.databaseUrl ?? `file:${join(dataDir, "origen.db")}`;
  clear(dataDir);
  onProgress(mode === "development" ? "Generating the database's client" : "Building the app");
  await (mode === "development" ? generateClient() : buildApp());
  onProgress("Preparing the database");
  await migrate(databaseUrl);

  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    for (const one of stops.toReversed()) await one();
    stops.length = 0;
    if (options.dataDir === undefined) rmSync(dataDir, { recursive: true, force: true });
  };
  try {
    const stores = options.stores ?? storesOf(options.shops ?? 2, options.locations);
    const shipping = await startShipping(options, port, stores.length);
    if (shipping) stops.push(() => shipping.stop());
    const apiKey = "origen-sandbox-client-id";
    const apiSecret = randomBytes(32).toString("hex");
    const tomlText = options.tomlText ?? projectToml();
    const admin = await startAdmin({
      port,
      tomlText,
      credentials: { apiKey, apiSecret },
      stores,
      appUrl: "",
      ...(options.locale && { locale: options.locale }),
      hasPlayBar: options.hasPlayBar === true && shipping !== null,
      ...(shipping && { shipping }),
    });
    stops.push(() => admin.stop());
    const ports = await appPorts(port, options.processes ?? 1);
    const apps: AppProcess[] = [];
    const proxy: RunningProxy = await startProxy({
      port: port && port + 1,
      upstreamPort: inTurn(ports, apps),
      adminOrigin: () => admin.url,
    });
    stops.push(() => proxy.stop());
    admin.settings.appUrl = proxy.url;
    const env = {
      NODE_ENV: mode,
      LOG_LEVEL: "info",
      // Tests are many people at once.
      FORMS_A_SECOND: "200",
      PAGES_A_SECOND: "1000",
      STORED_MB_A_DAY: "100000",
      DATABASE_URL: databaseUrl,
      APP_KEYS: `sandbox:${randomBytes(32).toString("base64")}`,
      SHOPIFY_API_KEY: apiKey,
      SHOPIFY_API_SECRET: apiSecret,
      SHOPIFY_APP_URL: proxy.url,
      SCOPES: admin.state.config.scopes.join(","),
      APP_BRIDGE_URL: `${admin.url}/app-bridge.js`,
      SHIPPING_TEST_URL: shipping?.testUrl ?? options.shippingUrl ?? "",
      SHIPPING_PRODUCTION_URL: shipping?.productionUrl ?? options.shippingUrl ?? "",
      SANDBOX_ADMIN_URL: admin.url,
      ...(shipping && BELIEVES_QUICKLY),
      ...options.appEnv,
    };
    if (options.postalCodes) await importPostalCodes(env, options.postalCodes);
    for (const [index, each] of ports.entries())
      apps.push(
        createAppProcess({ port: each, dataDir, env, logName: index === 0 ? "app.log" : `app-${index + 1}.log` }),
      );
    const app = apps.length === 1 ? apps[0]! : allOf(apps);
    stops.push(() => app.stop());
    onProgress("Starting the app");
    await app.start();
    const urls = { adminUrl: admin.url, appUrl: proxy.url };
    return { ...urls, admin, shipping, app, apps, stores, dataDir, apiKey, apiSecret, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** As an operator's import leaves it. */
async function importPostalCodes(
  { DATABASE_URL: url, APP_KEYS }: { DATABASE_URL: string; APP_KEYS: string },
  codes: readonly PostalFacts[],
): Promise<void> {
  // Loaded here, because the database's client is generated only now.
  const [{ createStore }, { parseKeys }] = await Promise.all([
    import("../../app/adapters/store/store.ts"),
    import("../../app/adapters/store/encryption.ts"),
  ]);
  const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
  const store = await createStore({ url, keys: parseKeys(APP_KEYS), log, exclusive: false });
  await store.postalCodes.replace({ source: "by_hand", importedAtMs: Date.now(), codes }).finally(() => store.close());
}

async function appPorts(port: number, processes: number): Promise<number[]> {
  const ports: number[] = [];
  // The first ports are the admin's, the proxy's, the app's and the service's two.
  for (let index = 0; index < processes; index += 1)
    ports.push(port === 0 ? await freePort() : index === 0 ? port + 2 : port + 4 + index);
  return ports;
}

/** Each request goes to the next process that runs. */
function inTurn(ports: readonly number[], apps: readonly AppProcess[]): () => number {
  let turn = 0;
  return () => {
    for (let tries = 0; tries < ports.length; tries += 1) {
      turn = (turn + 1) % ports.length;
      if (apps[turn]?.running()) break;
    }
    return ports[turn]!;
  };
}

async function startShipping(options: SandboxOptions, port: number, stores: number): Promise<ShippingService | null> {
  if (options.shippingUrl) return null;
  const clients = Array.from({ length: stores }, (_one, index) => [
    sandboxClient("production", index + 1),
    sandboxClient("test", index + 1),
  ]).flat();
  // The marker in an alias, by which the stand-in recognises a location that was mapped twice.
  const markerPattern = /\[OR-([0-9A-HJKMNP-TV-Z]{8})\]/;
  return startShippingService({
    port: port && port + 3,
    controlPort: port && port + 4,
    clients,
    markerPattern,
    ...options.shipping,
  });
}

/** Removes only files that a sandbox itself writes. */
function clear(dataDir: string): void {
  mkdirSync(dataDir, { recursive: true });
  for (const name of [
    "origen.db",
    "origen.db-wal",
    "origen.db-shm",
    "origen.db.lock",
    "app.log",
    "app-2.log",
    "app-3.log",
  ]) {
    rmSync(join(dataDir, name), { recursive: true, force: true });
  }
}
