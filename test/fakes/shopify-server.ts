import { Session } from "@shopify/shopify-api";
import { createShopifyAdmin } from "../../app/adapters/shopify/admin.ts";
import type { Fetch } from "../../app/adapters/shopify/http.ts";
import { offlineClients } from "../../app/adapters/shopify/offline-client.ts";
import type { RenewableSessions } from "../../app/adapters/shopify/offline-client.ts";
import type { Clock, HeardDates, Log, ShopifyAdmin, ShopifyLocation } from "../../app/ports.ts";
import type { FakeShopify } from "./shopify.ts";
import { createOfflineTokens } from "./shopify-tokens.ts";

/** Shopify's server, on any clock. It speaks HTTP to the app's real adapter, and its tokens expire. */

export interface ShopifyCall {
  shop: string;
  /** The operation's name, or `refresh` at the token endpoint. */
  operation: string;
  locationId: string | null;
  /** When Shopify read its state for the answer, which comes later. */
  lookedAtMs: number;
}

/** What becomes of one call. */
export interface ShopifyOutcome {
  delayMs: number;
  answer: "true" | "silence" | "reset" | { status: number; body: string };
}

export interface ShopifyAnswer {
  status: number;
  body: string;
  /** The one location that the answer shows; null says that there is none. */
  location?: ShopifyLocation | null;
}

export interface ShopifyServerOptions {
  state: FakeShopify;
  clock: Pick<Clock, "nowMs" | "sleep">;
  newId: () => string;
  livesSeconds: number;
  outcomeOf: (call: ShopifyCall) => ShopifyOutcome;
  /** Whether answers lack the location now, though it is there. */
  isUnseen?: (shop: string, locationId: string) => boolean;
  /** Called with every answer as it comes back; `outcome` is `true` where nothing disturbed the call. */
  answered?: (call: ShopifyCall, answer: ShopifyAnswer, outcome: ShopifyOutcome) => void;
}

export interface ShopifyServer {
  fetch: Fetch;
  install(shop: string): void;
  uninstall(shop: string): void;
  /** The session that Shopify gives in exchange for a page's session token. */
  signIn(shop: string): Session;
}

export const APP = { apiKey: "key", apiSecret: "secret-of-the-app" };

const UNAUTHORIZED = { errors: "[API] Invalid API key or access token (unrecognized login or wrong password)" };
const INVALID_CLIENT = {
  error: "invalid_client",
  error_description: "The client credentials are not those of the app.",
};
const INVALID_GRANT = { error: "invalid_grant", error_description: "The refresh token is unknown or has ended." };
const NOT_PAID = { errors: "Unavailable Shop" };

export function createShopifyServer(options: ShopifyServerOptions): ShopifyServer {
  const { state, clock, newId, livesSeconds, outcomeOf, isUnseen = () => false } = options;
  const tokens = createOfflineTokens({ clock, newId, livesSeconds });

  const seen = (shop: string) => state.shown(shop).filter(({ locationId }) => !isUnseen(shop, locationId));

  /** Shopify reads its state when it looks, not when its answer arrives. */
  const look = (call: ShopifyCall, asked: Asked): ShopifyAnswer => {
    const { shop, operation } = call;
    if (operation === "refresh") {
      if (asked.apiKey !== APP.apiKey || asked.apiSecret !== APP.apiSecret) return said(401, INVALID_CLIENT);
      const renewed = state.isInstalled(shop) ? tokens.renew(shop, asked.refreshToken) : null;
      return renewed ? said(200, renewed) : said(400, INVALID_GRANT);
    }
    if (!tokens.admits(shop, asked.accessToken)) return said(401, UNAUTHORIZED);
    if (state.isFrozen(shop)) return said(402, NOT_PAID);
    if (operation === "OrigenTellFlow") return said(200, { data: tellFlow(state, shop, asked.variables) });
    if (operation !== "OrigenLocation") return said(200, { data: dataOf(seen(shop), call, asked.page) });
    const location = seen(shop).find(({ locationId }) => locationId === call.locationId) ?? null;
    return { ...said(200, { data: { location: location && wireOf(location) } }), location };
  };

  const fetch: Fetch = async (url, init) => {
    const { call, asked } = read(url, init, clock.nowMs());
    const outcome = outcomeOf(call);
    const looked = look(call, asked);
    if (outcome.answer === "silence") return new Promise(() => undefined);
    await clock.sleep(outcome.delayMs);
    if (outcome.answer === "reset") throw new TypeError("fetch failed");
    const answer = outcome.answer === "true" ? looked : outcome.answer;
    options.answered?.(call, answer, outcome);
    return responseOf(answer, clock.nowMs());
  };

  return {
    fetch,
    install: (shop) => state.install(shop),
    uninstall(shop) {
      state.uninstall(shop);
      tokens.end(shop);
    },
    signIn: (shop) => new Session(tokens.issue(shop)),
  };
}

interface Asked {
  accessToken: string;
  refreshToken: string;
  /** Of whoever asks for a token. */
  apiKey: unknown;
  apiSecret: unknown;
  page: Page;
  variables: Record<string, unknown>;
}

interface Page {
  first?: number;
  /** The cursor, which is the id of the last location that the client has. */
  after?: string | null;
}

function read(url: string, { headers, body }: RequestInit, lookedAtMs: number): { call: ShopifyCall; asked: Asked } {
  const { hostname: shop, pathname } = new URL(url);
  const said = JSON.parse(String(body)) as Record<string, unknown>;
  if (pathname.endsWith("/access_token")) {
    const { client_id: apiKey, client_secret: apiSecret } = said;
    const asked = {
      accessToken: "",
      refreshToken: String(said["refresh_token"]),
      apiKey,
      apiSecret,
      page: {},
      variables: {},
    };
    return { call: { shop, operation: "refresh", locationId: null, lookedAtMs }, asked };
  }
  const operation = /(?:query|mutation) (\w+)/.exec(String(said["query"]))?.[1] ?? "";
  const variables = (said["variables"] ?? {}) as Asked["variables"];
  const { id = null, ...page } = variables as { id?: string } & Page;
  const accessToken = (headers as Record<string, string>)["X-Shopify-Access-Token"] ?? "";
  return {
    call: { shop, operation, locationId: id, lookedAtMs },
    asked: { accessToken, refreshToken: "", apiKey: null, apiSecret: null, page, variables },
  };
}

function tellFlow(state: FakeShopify, shop: string, { handle, payload }: Asked["variables"]): object {
  const fields = payload as Record<string, string>;
  const answer = state.takeEvent({ shop, trigger: String(handle), id: fields["Event ID"] ?? "", fields });
  return { flowTriggerReceive: { userErrors: answer.kind === "refused" ? [{ message: answer.message }] : [] } };
}

function dataOf(locations: ShopifyLocation[], { operation }: ShopifyCall, page: Page): object {
  switch (operation) {
    case "OrigenLocations":
      return { locations: pageOf(locations, page) };
    case "OrigenShop":
      return { shop: { ianaTimezone: "America/Mexico_City", contactEmail: "" } };
    case "OrigenGrantedScopes":
      return { currentAppInstallation: { accessScopes: [{ handle: "read_locations" }] } };
  }
  throw new Error(`Shopify's server does not know the query ${operation}`);
}

/** Pages go by id, so a location that disappears meanwhile removes nothing from later pages. */
function pageOf(locations: ShopifyLocation[], { first = 0, after = null }: Page) {
  const sorted = locations.toSorted((a, b) => compare(a.locationId, b.locationId));
  const behind = sorted.filter(({ locationId }) => after === null || compare(locationId, after) > 0);
  const nodes = behind.slice(0, first).map(wireOf);
  return { nodes, pageInfo: { hasNextPage: behind.length > nodes.length, endCursor: nodes.at(-1)?.id ?? null } };
}

/** Shopify's ids are numbers: a longer one is greater. */
function compare(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : Number(a > b));
}

function wireOf({ locationId, shopifyAtMs, ...location }: ShopifyLocation) {
  return { id: locationId, ...location, updatedAt: new Date(shopifyAtMs).toISOString() };
}

function said(status: number, body: object): ShopifyAnswer {
  return { status, body: JSON.stringify(body) };
}

/** As much of a `Response` as the adapter and the contract read. */
function responseOf({ status, body }: ShopifyAnswer, nowMs: number): Response {
  const headers = new Map([["date", new Date(nowMs).toUTCString()]]);
  const stream = streamOf(Buffer.from(body));
  return { status, ok: status < 300, headers, body: stream, text: async () => body } as unknown as Response;
}

/** A true stream waits for turns of the loop, which a virtual clock does not have. */
function streamOf(value: Uint8Array): Pick<ReadableStream<Uint8Array>, "getReader"> {
  const left = [value];
  const read = async () => {
    const chunk = left.shift();
    return chunk ? { done: false, value: chunk } : { done: true, value: undefined };
  };
  return { getReader: () => ({ read }) } as unknown as Pick<ReadableStream<Uint8Array>, "getReader">;
}

/** The app's true adapter over it. */
export function shopifyOver({
  fetch,
  ...given
}: {
  fetch: Fetch;
  storage: RenewableSessions;
  clock: Clock;
  dates?: HeardDates;
  log: Log;
}): ShopifyAdmin {
  const apiVersion = "2026-10";
  return createShopifyAdmin({
    clientFor: offlineClients({ fetch, ...APP, apiVersion, ...given }),
    clock: given.clock,
    apiKey: APP.apiKey,
  });
}
