import { projectToml, startAdmin } from "../admin/server.ts";
import type { AdminOptions, RunningAdmin } from "../admin/server.ts";
import { storesOf } from "../data/stores.ts";
import { startSmallApp } from "./small-app.ts";
import type { SmallApp } from "./small-app.ts";

export const CREDENTIALS = { apiKey: "key-of-the-app", apiSecret: "secret-of-the-app-0123456789" };
export const STORE = "taller-copal";
export const SHOP = `${STORE}.myshopify.com`;

export interface Fixture {
  admin: RunningAdmin;
  app: SmallApp;
  stop(): Promise<void>;
  /** Calls the admin with JSON; answers status and parsed body. */
  call(path: string, options?: { method?: string; body?: unknown; headers?: Record<string, string> }): Promise<Answer>;
  sessionToken(options?: Record<string, unknown>): Promise<string>;
  exchange(overrides?: Record<string, unknown>): Promise<Answer>;
  graphql(query: string, variables?: Record<string, unknown>): Promise<GraphqlBody>;
}

export interface Answer {
  status: number;
  body: Record<string, unknown>;
}

export interface GraphqlBody {
  data?: Record<string, never> | null;
  errors?: { message: string; path?: unknown; extensions?: Record<string, unknown> }[];
  extensions?: Record<string, Record<string, unknown>>;
}

/** The admin with the project's toml and a small app behind it. */
export async function startFixture(options: Partial<AdminOptions> = {}): Promise<Fixture> {
  const app = await startSmallApp();
  const admin = await startAdmin({
    tomlText: projectToml(),
    credentials: CREDENTIALS,
    stores: storesOf(2),
    appUrl: app.url,
    ...options,
  });
  const call: Fixture["call"] = async (path, { method = "GET", body, headers = {} } = {}) => {
    const response = await fetch(admin.url + path, {
      method,
      headers: { "Content-Type": "application/json", ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  };
  const sessionToken: Fixture["sessionToken"] = async (claims = {}) => {
    const { body } = await call(`/sandbox/shops/${STORE}/session-token`, { method: "POST", body: claims });
    return String(body.token);
  };
  const exchange: Fixture["exchange"] = async (overrides = {}) =>
    call(`/shops/${SHOP}/admin/oauth/access_token`, {
      method: "POST",
      body: {
        client_id: CREDENTIALS.apiKey,
        client_secret: CREDENTIALS.apiSecret,
        grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
        subject_token: overrides.subject_token ?? (await sessionToken()),
        subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
        requested_token_type: "urn:shopify:params:oauth:token-type:offline-access-token",
        expiring: "1",
        ...overrides,
      },
    });
  return {
    admin,
    app,
    call,
    sessionToken,
    exchange,
    async graphql(query, variables = {}) {
      const token = String((await exchange()).body.access_token);
      const path = `/shops/${SHOP}/admin/api/2026-10/graphql.json`;
      const { body } = await call(path, {
        method: "POST",
        body: { query, variables },
        headers: { "X-Shopify-Access-Token": token },
      });
      return body as GraphqlBody;
    },
    async stop() {
      await admin.stop();
      await app.stop();
    },
  };
}
