import type { Session } from "@shopify/shopify-api";
import type { SessionStorage } from "@shopify/shopify-app-session-storage";
import type { RenewableSessions } from "../../../app/adapters/shopify/offline-client.ts";
import type { Log, ShopifyAdmin } from "../../../app/ports.ts";
import { sessionsIn } from "../../fakes/sessions.ts";
import { projectToml, startAdmin } from "../../sandbox/admin/server.ts";
import type { RunningAdmin } from "../../sandbox/admin/server.ts";

/** The adapter over real HTTP, against the sandbox's admin: the true schema, true tokens, and faults put before it on demand. */

export const STORE = "one";
export const SHOP = `${STORE}.myshopify.com`;
/** Another store, without locations. */
export const OTHER = "two";
export const CREDENTIALS = { apiKey: "key-of-the-app", apiSecret: "secret-of-the-app-0123456789" };
const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const QUIET: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };

interface Route {
  adminUrl: string;
  requests: string[];
  instead: ((init: RequestInit | undefined) => Promise<Response>)[];
}

/** Where Shopify's stores are just now. */
let route: Route | null = null;

// Shopify's package takes `fetch` when it is imported, so the way to the admin must be there before.
const nativeFetch = globalThis.fetch;
globalThis.fetch = (input, init) => {
  const url = input instanceof Request ? input.url : String(input);
  const store = /^https:\/\/([a-z0-9-]+\.myshopify\.com)/.exec(url)?.[1];
  if (!store || !route) return nativeFetch(input, init);
  route.requests.push(new URL(url).pathname);
  const instead = route.instead.shift();
  return instead
    ? instead(init)
    : nativeFetch(url.replace(`https://${store}`, `${route.adminUrl}/shops/${store}`), init);
};
const { createShopifyApp } = await import("../../../app/adapters/shopify/app.ts");
const { createShopifyAdmin } = await import("../../../app/adapters/shopify/admin.ts");

export interface ShopifyWorld {
  admin: RunningAdmin;
  app: ReturnType<typeof createShopifyApp>;
  shopify: ShopifyAdmin;
  sessions: Map<string, Session>;
  /** What the adapter slept, in order. */
  sleptMs: number[];
  /** Errors that it logged. */
  alarms: Record<string, unknown>[];
  /** What it set timers for ends at once, as when nothing answers for so long. */
  hurry(isHurried?: boolean): void;
  /** Requests to Shopify, by path. */
  requests: string[];
  /** Answers given instead of the admin's, the next ones first. */
  instead: ((init: RequestInit | undefined) => Promise<Response>)[];
  /** A request of an owner's page, with a session token. */
  visit(headers?: Record<string, string>, store?: string): Promise<Request>;
  /** As an owner's page does: exchanges a session token. */
  signIn(headers?: Record<string, string>, store?: string): Promise<{ session: Session }>;
  stop(): Promise<void>;
}

export async function startShopifyWorld(
  locations: { name: string; isActive?: boolean; address1?: string }[],
): Promise<ShopifyWorld> {
  const admin = await startAdmin({
    tomlText: projectToml(),
    credentials: CREDENTIALS,
    appUrl: "http://127.0.0.1:9",
    stores: [
      {
        handle: STORE,
        name: "Tienda Uno",
        locations: locations.map(({ name, isActive, address1 }) => ({
          name,
          ...(isActive === undefined ? {} : { isActive }),
          address: {
            countryCode: "MX",
            provinceCode: "JAL",
            city: "Guadalajara",
            zip: "44100",
            address1: address1 ?? "Calle 1",
          },
        })),
      },
      { handle: OTHER, name: "Tienda Dos", locations: [] },
    ],
  });
  const world: Route = { adminUrl: admin.url, requests: [], instead: [] };
  route = world;
  const sessions = new Map<string, Session>();
  const sleptMs: number[] = [];
  const alarms: Record<string, unknown>[] = [];
  let hurried = false;
  const clock = {
    nowMs: () => Date.now(),
    monotonicMs: () => performance.now(),
    machineMs: () => Date.now(),
    turn: async () => undefined,
    sleep: async (ms: number) => void sleptMs.push(ms),
    after(_ms: number, call: () => void) {
      const timer = hurried ? setImmediate(call) : undefined;
      return () => clearImmediate(timer);
    },
  };
  const app = createShopifyApp({
    ...CREDENTIALS,
    appUrl: "https://app.example",
    scopes: ["read_locations"],
    sessionStorage: storageIn(sessions),
    clock,
    log: { ...QUIET, error: (fields, message) => void alarms.push({ ...fields, message }) },
    afterAuth: async () => undefined,
  });
  const visit = async (headers: Record<string, string> = {}, store = STORE) => {
    const answer = await nativeFetch(`${admin.url}/sandbox/shops/${store}/session-token`, { method: "POST" });
    const { token } = (await answer.json()) as { token: string };
    return new Request("https://app.example/app", {
      headers: { Authorization: `Bearer ${token}`, "User-Agent": BROWSER, ...headers },
    });
  };
  return {
    ...world,
    admin,
    app,
    sessions,
    sleptMs,
    alarms,
    hurry: (isHurried = true) => void (hurried = isHurried),
    shopify: createShopifyAdmin({ clientFor: app.clientFor, clock, apiKey: "key" }),
    visit,
    signIn: async (headers, store) => app.authenticate.admin(await visit(headers, store)),
    async stop() {
      route = null;
      await admin.stop();
    },
  };
}

function storageIn(sessions: Map<string, Session>): SessionStorage & RenewableSessions {
  return {
    ...sessionsIn(sessions),
    storeSession: async (session) => Boolean(sessions.set(session.id, session)),
    deleteSession: async (id) => sessions.delete(id),
    deleteSessions: async (ids) => ids.every((id) => sessions.delete(id)),
    findSessionsByShop: async (shop) => [...sessions.values()].filter((session) => session.shop === shop),
  };
}
