import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Session } from "@shopify/shopify-api";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { createShopifyAdmin } from "../../../app/adapters/shopify/admin.ts";
import { offlineClients } from "../../../app/adapters/shopify/offline-client.ts";
import type { Log, ShopifyAdmin } from "../../../app/ports.ts";
import { SHOP } from "../../fakes/records.ts";
import { sessionsIn } from "../../fakes/sessions.ts";
import { shopifyLocation } from "../../fakes/world.ts";

/**
 * The adapter over real HTTP against a server that answers what a test tells it: what each answer proves, and what it costs.
 *
 * Long, because each answer is a case, and only side by side do they show that no odd answer was left out.
 */

const ID = `offline_${SHOP}`;
const HOUR_MS = 3_600_000;

interface Said {
  status: number;
  body: string;
  type?: string;
}

const json = (status: number, body: unknown): Said => ({
  status,
  body: JSON.stringify(body),
  type: "application/json",
});
const html = (status: number): Said => ({ status, body: "<html><h1>Blocked</h1></html>", type: "text/html" });
const refusal = (error: string, status = 400) => json(status, { error, error_description: "words" });
const OK = json(200, { data: { currentAppInstallation: { accessScopes: [{ handle: "read_locations" }] } } });
const REFUSED = json(401, { errors: "[API] Invalid API key or access token" });
const issued = (over: Record<string, unknown> = {}) =>
  json(200, {
    access_token: "shpat_new",
    refresh_token: "shprt_new",
    expires_in: 3_600,
    scope: "read_locations",
    ...over,
  });

let shopify: ShopifyAdmin;
let sessions: Map<string, Session>;
let logged: Record<string, unknown>[];
let nowMs: number;
let api: (token: string) => Said;
let token: () => Said | Promise<Said>;
let calls: { path: string; body: Record<string, unknown> }[];
let close: () => Promise<void>;

beforeEach(async () => {
  [calls, logged, nowMs, sessions] = [[], [], 1_800_000_000_000, new Map()];
  api = () => OK;
  token = () => refusal("invalid_grant");
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (chunk: Buffer) => (text += chunk.toString()));
    const answer = async () => {
      const path = request.url!;
      calls.push({ path, body: JSON.parse(text) as Record<string, unknown> });
      const isRenewal = path.endsWith("/access_token");
      const said = isRenewal ? await token() : api(String(request.headers["x-shopify-access-token"]));
      response.writeHead(said.status, { "Content-Type": said.type ?? "text/plain" }).end(said.body);
    };
    request.on("end", () => void answer());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  close = () => new Promise((resolve) => server.close(() => resolve()));
  const log: Log = {
    info: () => undefined,
    warn: () => undefined,
    error: (fields, message) => void logged.push({ ...fields, message }),
  };
  const clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    machineMs: () => nowMs,
    turn: async () => undefined,
    sleep: async () => undefined,
    after: () => () => undefined,
  };
  const clientFor = offlineClients({
    fetch: (url, init) => fetch(url.replace(`https://${SHOP}`, `http://127.0.0.1:${port}`), init),
    apiKey: "key",
    apiSecret: "secret",
    apiVersion: "2026-10",
    storage: sessionsIn(sessions),
    clock,
    log,
  });
  shopify = createShopifyAdmin({ clientFor, clock, apiKey: "key" });
});
afterEach(() => close());

function signedIn(over: Partial<Session> = {}): void {
  const session = new Session({
    id: ID,
    shop: SHOP,
    state: "",
    isOnline: false,
    scope: "read_locations",
    accessToken: "shpat_old",
    expires: new Date(nowMs + HOUR_MS),
    refreshToken: "shprt_old",
    ...over,
  });
  sessions.set(ID, session);
}

const read = () => shopify.grantedScopes(SHOP);
/** What says, without errors, that a location is gone. */
const NO_LOCATION = { location: null };

describe("what an answer proves", () => {
  const odd: [string, Said][] = [
    ["400", json(400, { errors: "Bad Request" })],
    ["403, an edge's page", html(403)],
    ["403, JSON", json(403, { errors: "Non-expiring access tokens are no longer accepted" })],
    ["404", json(404, { errors: "Not Found" })],
    ["406", html(406)],
    ["430", html(430)],
    ["429", json(429, { errors: "Too Many Requests" })],
    ["500", html(500)],
    ["503", json(503, {})],
    ["520", { status: 520, body: "error code: 520" }],
    ["a redirect", { status: 302, body: "" }],
    ["200, an edge's page", html(200)],
    ["200, no data", json(200, { data: null })],
    ["200, null", json(200, null)],
    ["200, nothing", { status: 200, body: "" }],
    ["200, errors that are no list", json(200, { data: NO_LOCATION, errors: "Internal" })],
    ["200, an error without words", json(200, { data: NO_LOCATION, errors: [{ extensions: { code: "OTHER" } }] })],
    [
      "200, an error whose code is a number",
      json(200, { data: NO_LOCATION, errors: [{ message: "x", extensions: { code: 5 } }] }),
    ],
    [
      "200, an error without extensions",
      json(200, { data: NO_LOCATION, errors: [{ message: "x", extensions: null }] }),
    ],
  ];
  test.each(odd)("%s proves nothing: Shopify is unavailable, the session stays", async (_what, said) => {
    signedIn();
    api = () => said;
    expect(await shopify.standing(SHOP)).toMatchObject({ kind: "unclear", why: "unavailable" });
    await expect(read()).rejects.toMatchObject({ kind: "shopify_unavailable", effect: "none" });
    await expect(shopify.location(SHOP, "gid://shopify/Location/1")).rejects.toMatchObject({
      kind: "shopify_unavailable",
    });
    expect(sessions.get(ID)!.refreshToken).toBe("shprt_old");
    expect(calls.some(({ path }) => path.endsWith("/access_token"))).toBe(false);
  });

  const { locationId, shopifyAtMs: _never, ...shown } = shopifyLocation(1);
  const located = (updatedAt: unknown) => json(200, { data: { location: { id: locationId, ...shown, updatedAt } } });
  test.each(["2026-11-28T10:00:00Z", "2026-11-28T04:00:00-06:00", "2026-11-28T10:00:00.000Z"])(
    "a location that changed at %s is read with that time",
    async (updatedAt) => {
      signedIn();
      api = () => located(updatedAt);
      const found = await shopify.location(SHOP, locationId);
      expect(found).toEqual({ ...shown, locationId, shopifyAtMs: Date.UTC(2026, 10, 28, 10) });
    },
  );

  test.each([[undefined], [null], ["yesterday"], [1_795_860_000]])(
    "a location that changed at %s proves nothing: how new the answer is cannot be told",
    async (updatedAt) => {
      signedIn();
      api = () => located(updatedAt);
      await expect(shopify.location(SHOP, locationId)).rejects.toMatchObject({ kind: "shopify_unavailable" });
    },
  );

  test.each([
    ["402", json(402, { errors: "Payment Required" })],
    ["423", json(423, { errors: "Locked" })],
    ["SHOP_INACTIVE", json(200, { errors: [{ message: "inactive", extensions: { code: "SHOP_INACTIVE" } }] })],
  ])("%s is a shop that is frozen or locked", async (_what, said) => {
    signedIn();
    api = () => said;
    expect(await shopify.standing(SHOP)).toEqual({ kind: "frozen" });
    await expect(read()).rejects.toMatchObject({ kind: "shopify_frozen" });
  });

  test("a missing scope is a refusal, and the app is installed for all that", async () => {
    signedIn();
    api = () => json(200, { errors: [{ message: "Access denied", extensions: { code: "ACCESS_DENIED" } }] });
    await expect(read()).rejects.toMatchObject({ kind: "shopify_refused" });
    expect((await shopify.standing(SHOP)).kind).toBe("unclear");
  });

  const renewals: [string, Said, object, string][] = [
    ["invalid_grant", refusal("invalid_grant"), { kind: "refused" }, "shopify_refused"],
    ["invalid_grant with 401", refusal("invalid_grant", 401), { kind: "refused" }, "shopify_refused"],
    [
      "a refresh token that is not active",
      refusal("invalid_request", 401),
      { kind: "unclear", why: "no_session" },
      "shopify_session",
    ],
    ["invalid_client", refusal("invalid_client", 401), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["402", html(402), { kind: "frozen" }, "shopify_frozen"],
    ["400 without words", json(400, {}), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["401, HTML", html(401), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["403, HTML", html(403), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["430", html(430), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["520", html(520), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["a 500 that says invalid_grant", refusal("invalid_grant", 500), { kind: "unclear" }, "shopify_unavailable"],
    ["200 without a token", json(200, {}), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
    ["200, an edge's page", html(200), { kind: "unclear", why: "unavailable" }, "shopify_unavailable"],
  ];
  test.each(renewals)("401, and the renewal answered with %s", async (_what, said, standing, kind) => {
    signedIn();
    api = () => REFUSED;
    token = () => said;
    expect(await shopify.standing(SHOP)).toMatchObject(standing);
    await expect(read()).rejects.toMatchObject({ kind });
    expect(sessions.get(ID)).toMatchObject({ accessToken: "shpat_old", refreshToken: "shprt_old" });
  });

  test("401 without a refresh token is a refusal", async () => {
    signedIn({ refreshToken: undefined, expires: undefined });
    api = () => REFUSED;
    expect(await shopify.standing(SHOP)).toEqual({ kind: "refused" });
    expect(calls).toHaveLength(1);
  });

  test("401 to a token that Shopify has just given proves nothing", async () => {
    signedIn();
    api = () => REFUSED;
    token = () => issued();
    expect(await shopify.standing(SHOP)).toMatchObject({ kind: "unclear", why: "unavailable" });
    expect(sessions.get(ID)).toMatchObject({ accessToken: "shpat_new", refreshToken: "shprt_new" });
  });

  test.each([
    ["whose token ends soon", () => signedIn({ expires: new Date(nowMs + 60_000) })],
    ["whose token got a 401", () => signedIn()],
  ])("a renewal of a session %s takes no newer session's place", async (_what, signIn) => {
    signIn();
    api = (accessToken) => (accessToken === "shpat_newer" ? OK : REFUSED);
    token = () => {
      // The owner installed the app again while the answer was on its way: what it holds ended with the installation before.
      signedIn({ accessToken: "shpat_newer", refreshToken: "shprt_newer" });
      return issued();
    };
    expect(await read()).toEqual(["read_locations"]);
    expect(sessions.get(ID)).toMatchObject({ accessToken: "shpat_newer", refreshToken: "shprt_newer" });
  });

  test("a renewal brings no session back that was forgotten meanwhile", async () => {
    signedIn();
    api = () => REFUSED;
    token = () => {
      sessions.delete(ID);
      return issued();
    };
    await expect(read()).rejects.toMatchObject({ kind: "shopify_session" });
    expect(sessions.size).toBe(0);
  });

  test("a refusal of the old session proves nothing when a page has exchanged a newer one meanwhile", async () => {
    signedIn();
    api = () => REFUSED;
    token = () => {
      signedIn({ accessToken: "shpat_newer", refreshToken: "shprt_newer" });
      return refusal("invalid_grant");
    };
    expect(await shopify.standing(SHOP)).toMatchObject({ kind: "unclear" });
    signedIn({ refreshToken: undefined });
    api = () => {
      signedIn({ accessToken: "shpat_newer", refreshToken: undefined });
      return REFUSED;
    };
    expect(await shopify.standing(SHOP)).toMatchObject({ kind: "unclear" });
  });
});

describe("a renewal", () => {
  test("that is refused while the stored token still works harms nothing", async () => {
    signedIn({ expires: new Date(nowMs + 60_000) });
    token = () => refusal("invalid_grant");
    expect(await shopify.standing(SHOP)).toEqual({ kind: "installed" });
    expect(await read()).toEqual(["read_locations"]);
  });

  test("is kept by our clock, and what its answer leaves out stays", async () => {
    signedIn({ expires: new Date(nowMs - 1) });
    api = (held) => (held === "shpat_new" ? OK : REFUSED);
    token = () => json(200, { access_token: "shpat_new" });
    expect(await read()).toEqual(["read_locations"]);
    expect(sessions.get(ID)).toMatchObject({
      accessToken: "shpat_new",
      refreshToken: "shprt_old",
      scope: "read_locations",
    });
    expect(sessions.get(ID)!.expires).toEqual(new Date(nowMs + HOUR_MS));
  });

  test("is one for callers that come together", async () => {
    signedIn({ expires: new Date(nowMs - 1) });
    api = (held) => (held === "shpat_new" ? OK : REFUSED);
    token = () => issued();
    await Promise.all([read(), read(), read()]);
    signedIn();
    await Promise.all([read(), read(), read()]);
    const spent = calls.filter(({ path }) => path.endsWith("/access_token")).map(({ body }) => body.refresh_token);
    expect(spent).toEqual(["shprt_old", "shprt_old"]);
  });

  test("that was refused to an earlier question confirms nothing of a later one: it is asked for again", async () => {
    signedIn();
    api = () => REFUSED;
    const first = Promise.withResolvers<Said>();
    const renewals = () => calls.filter(({ path }) => path.endsWith("/access_token")).length;
    token = () => (renewals() === 1 ? first.promise : refusal("invalid_request", 401));
    const asked = shopify.standing(SHOP);
    await vi.waitFor(() => expect(renewals()).toBe(1));
    nowMs += 60_000;
    const later = shopify.standing(SHOP);
    await vi.waitFor(() => expect(calls).toHaveLength(3));
    first.resolve(refusal("invalid_grant"));
    expect(await asked).toEqual({ kind: "refused" });
    expect(await later).toMatchObject({ kind: "unclear", why: "no_session" });
    expect(renewals()).toBe(2);
  });

  test("refused for the app's own credentials is an alarm, not too often, without a secret in it", async () => {
    signedIn();
    api = () => REFUSED;
    token = () => refusal("invalid_client", 401);
    for (let turn = 0; turn < 5; turn += 1) await shopify.standing(SHOP);
    expect(logged).toMatchObject([{ alarm: "shopify_api_secret", shop: SHOP, said: "invalid_client" }]);
    expect(JSON.stringify(logged)).not.toMatch(/shpat|shprt|"secret"/);
    nowMs += 11 * 60_000;
    await shopify.standing(SHOP);
    expect(logged).toHaveLength(2);
  });
});

test("a token goes to a store of Shopify's, or nowhere", async () => {
  const stray = "evil.example";
  sessions.set(`offline_${stray}`, new Session({ id: "x", shop: stray, state: "", isOnline: false, accessToken: "t" }));
  await expect(shopify.grantedScopes(stray)).rejects.toMatchObject({ kind: "internal" });
  expect(calls).toEqual([]);
});
