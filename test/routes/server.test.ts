import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { samplesOf } from "../http/metrics/samples.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import { startSandbox } from "../sandbox/start.ts";
import type { Sandbox } from "../sandbox/start.ts";

/**
 * The built app as a process, over HTTP, with Shopify's own App Bridge address: what it says to whoever asks, framed or not.
 *
 * Long, because all its cases ask one process, which takes seconds to start.
 */

const BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36";
const CDN = "https://cdn.shopify.com/shopifycloud/app-bridge.js";

let sandbox: Sandbox;

beforeAll(async () => {
  sandbox = await startSandbox({ appEnv: { APP_BRIDGE_URL: "", METRICS_PORT: "0" } });
});
afterAll(() => sandbox?.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  fetch(new URL(path, sandbox.app.url), { redirect: "manual", headers: { "User-Agent": BROWSER, ...headers } });

async function control(path: string, body: unknown = {}): Promise<Record<string, string>> {
  const handle = sandbox.stores[0]!.handle;
  const answer = await fetch(`${sandbox.adminUrl}/sandbox/shops/${handle}/${path}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return (await answer.json()) as Record<string, string>;
}

/** A page's address as Shopify's admin puts it into the frame. */
async function framed(path: string): Promise<string> {
  const { url } = await control("frame", { path });
  const token = await control("session-token");
  const framedUrl = new URL(url!);
  framedUrl.searchParams.set("id_token", token.token!);
  return framedUrl.pathname + framedUrl.search;
}

async function post(path: string, body: unknown): Promise<Response> {
  const { token } = await control("session-token");
  return fetch(new URL(path, sandbox.app.url), {
    method: "POST",
    headers: { "User-Agent": BROWSER, Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
}

const NO_STACK = /\bat [\w.<>]+ \(|node_modules|\.tsx?:\d+/;

const logged = () =>
  readFileSync(sandbox.app.logFile, "utf8")
    .split("\n")
    .filter((line) => line.startsWith("{"))
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe("what an operator asks", () => {
  test("/ready says ok of every part, and nobody keeps it", async () => {
    const answer = await get("/ready");
    const parts = { store: "ok", migrations: "ok", lease: "ok", worker: "ok" };
    expect([answer.status, await answer.json()]).toEqual([200, { ready: true, parts }]);
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
  });

  test("/metrics is served on a port of its own alone, and a page that was opened is counted by its route", async () => {
    await (await get(await framed("/app"))).text();
    const { port } = logged().find(({ msg }) => msg === "metrics are served")!;
    const answer = await fetch(`http://127.0.0.1:${Number(port)}/metrics`);
    const samples = samplesOf(await answer.text());
    const shown = [...samples.keys()].filter((series) => series.startsWith("origen_route_seconds_count"));
    expect(shown.join("\n")).toMatch(/route="routes\/app\._index[^"]*",part="loader",outcome="2xx"/);
    expect(samples.get('origen_unhealthy{reason="store"}')).toBe(0);
    expect(samples.get('origen_ready{part="migrations"}')).toBe(1);
    // None of these has been asked for.
    for (const route of ["webhooks", "routes/app.review", "routes/app.address-book.new"])
      expect(samples.get(`origen_route_failures_total{route="${route}"}`), route).toBe(0);
    expect((await fetch(`http://127.0.0.1:${Number(port)}/app`)).status).toBe(404);
    expect((await get("/metrics")).status).not.toBe(200);
  });

  test("what App Bridge measured of a page is counted, and nothing that is no page or no vital", async () => {
    const vital = (more: object) => [{ page: "routes/app.review", name: "LCP", value: 900, ...more }];
    const wrong = [
      vital({ page: "taller-copal" }),
      vital({ name: "shop" }),
      vital({ value: -1 }),
      vital({ value: "1" }),
      {},
    ];
    for (const body of wrong) expect((await post("/app/vitals", body)).status, JSON.stringify(body)).toBe(400);
    expect((await post("/app/vitals", vital({}))).status).toBe(204);
    const { port } = logged().find(({ msg }) => msg === "metrics are served")!;
    const samples = samplesOf(await (await fetch(`http://127.0.0.1:${Number(port)}/metrics`)).text());
    const counted = [...samples].filter(([series]) => series.startsWith("origen_page_vital_seconds_count"));
    expect(counted).toEqual([['origen_page_vital_seconds_count{page="routes/app.review",vital="LCP"}', 1]]);
  });

  test("the lines of one request have its id, which the answer carries", async () => {
    const answer = await get("/app", { "X-Request-Id": "from-our-proxy-1" });
    expect(answer.headers.get("X-Request-Id")).toBe("from-our-proxy-1");
    const odd = await get("/app", { "X-Request-Id": "not an id" });
    expect(odd.headers.get("X-Request-Id")).toMatch(/^[\w-]{36}$/);
    await expect
      .poll(() => logged().filter((line) => line.webRequestId === "from-our-proxy-1").length)
      .toBeGreaterThan(0);
  });
});

describe("a page in the admin's frame", () => {
  test("loads Shopify's own App Bridge first, in the head, and only the admin may frame it", async () => {
    const answer = await get(await framed("/app"));
    const html = await answer.text();
    expect(answer.status).toBe(200);
    const head = html.slice(0, html.indexOf("</head>"));
    const scripts = [...head.matchAll(/<script[^>]*src="([^"]+)"/g)].map((match) => match[1]);
    expect(scripts[0]).toBe(CDN);
    expect(head).toContain(`<meta name="shopify-api-key" content="${sandbox.apiKey}"`);
    const policy = answer.headers.get("Content-Security-Policy")!;
    expect(policy).toContain("frame-ancestors https://taller-copal.myshopify.com https://admin.shopify.com");
    expect(policy).toContain("default-src 'self'");
    expect(answer.headers.get("Cache-Control")).toBe("no-store");
    expect(policy).toMatch(/script-src 'self' https:\/\/cdn\.shopify\.com 'nonce-[\w+/=]+'/);
    expect(policy.match(/frame-ancestors/g)).toHaveLength(1);
    const nonce = /'nonce-([^']+)'/.exec(policy)![1];
    const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)([^>]*)>/g)].map((match) => match[1]);
    for (const attributes of inline) expect(attributes).toContain(`nonce="${nonce}"`);
    expect(answer.headers.get("Link")).toContain(CDN);
  });

  test("speaks the admin's language, else the browser's", async () => {
    const path = await framed("/app/settings");
    const spoken = async (url: string, headers = {}) =>
      /<html lang="([^"]+)"/.exec(await (await get(url, headers)).text())![1];
    expect(await spoken(path)).toBe("es-MX");
    expect(await spoken(path.replace(/locale=[^&]*/, "locale=en-CA"))).toBe("en");
    expect(
      await spoken(path.replace(/locale=[^&]*/, "locale=fr"), { "Accept-Language": "fr, es;q=0.8, en;q=0.5" }),
    ).toBe("es-MX");
  });

  test("that does not exist says so in the app's frame, without a stack", async () => {
    const answer = await get(await framed("/app/origins/99999"));
    const html = await answer.text();
    expect(answer.status).toBe(404);
    expect(html).toContain("Aquí no hay nada");
    expect(html).not.toMatch(NO_STACK);
  });

  test.each([
    ["es", "Aquí no hay nada", "Configuración"],
    ["en", "There is nothing here", "Settings"],
  ])("that nobody knows keeps the app's menu (%s)", async (locale, words, menu) => {
    const path = await framed("/app/nowhere/at-all");
    const answer = await get(path.replace(/locale=[^&]*/, `locale=${locale}`));
    const html = await answer.text();
    expect(answer.status).toBe(404);
    expect(html).toContain(words);
    expect(html).toContain(menu);
    expect(answer.headers.get("Content-Security-Policy")).toContain(
      "frame-ancestors https://taller-copal.myshopify.com",
    );
  });

  test("asks for a new session token when its own is no good", async () => {
    const bounce = await get((await framed("/app")).replace(/id_token=[^&]+/, "id_token=broken"));
    expect(bounce.status).toBe(302);
    expect(bounce.headers.get("Location")).toContain("/auth/session-token");
    const page = await get(bounce.headers.get("Location")!);
    expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors https://taller-copal.myshopify.com");
    const data = await get("/app?_data=routes%2Fapp", { Authorization: "Bearer broken" });
    expect(data.status).toBe(401);
    expect(data.headers.get("X-Shopify-Retry-Invalid-Session-Request")).toBe("1");
  });

  test("whose form comes with an expired session token is told to send it again with a new one", async () => {
    const { token } = await control("session-token", { lifetimeSeconds: -120 });
    const answer = await fetch(new URL("/app/settings?_data=routes%2Fapp.settings", sandbox.app.url), {
      method: "POST",
      headers: { "User-Agent": BROWSER, Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ intent: "introspect" }),
    });
    expect(answer.status).toBe(401);
    expect(answer.headers.get("X-Shopify-Retry-Invalid-Session-Request")).toBe("1");
    expect(await answer.text()).toBe("");
  });
});

describe("a page of Shopify's package", () => {
  test("that leaves the frame runs its own inline script and no other, and only the admin may frame it", async () => {
    const target = "https://admin.shopify.com/store/taller-copal/charges/1";
    const answer = await get(
      `/auth/exit-iframe?shop=taller-copal.myshopify.com&exitIframe=${encodeURIComponent(target)}`,
    );
    expect(answer.status).toBe(200);
    const html = await answer.text();
    const policies = answer.headers.get("Content-Security-Policy")!;
    const nonce = /'nonce-([^']+)'/.exec(policies)![1]!;
    expect(html.match(/<script/g)).toHaveLength(2);
    expect(html.split(`<script nonce="${nonce}"`)).toHaveLength(3);
    expect(html).toContain(JSON.stringify(target));
    expect(policies).toContain("frame-ancestors https://taller-copal.myshopify.com https://admin.shopify.com");
    expect(policies.match(/frame-ancestors/g)).toHaveLength(1);
    expect(policies).not.toContain("script-src 'unsafe-inline'");
  });

  test("is refused a token of another issuer, and the log tells why", async () => {
    const foreign = await control("session-token", { claims: { iss: "https://sucursal-nueva.myshopify.com/admin" } });
    const headers = { Authorization: `Bearer ${foreign.token}` };
    expect((await get("/app?_data=routes%2Fapp", headers)).status).toBe(401);
    // The log is a file that another process writes.
    await expect
      .poll(() => readFileSync(sandbox.app.logFile, "utf8"))
      .toMatch(/"security":"session_token","why":"issuer"/);
  });
});

describe("a page outside the admin", () => {
  test.each(["/", "/auth/login"])("%s says where to go, and nobody may frame it", async (path) => {
    const answer = await get(path, { "Accept-Language": "es-MX" });
    const html = await answer.text();
    expect(answer.status).toBe(200);
    expect(html).toContain("Abre Origen desde tu panel de Shopify");
    expect(html).not.toContain(`src="${CDN}"`);
    expect(answer.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });

  test.each([
    "/app/settings",
    "/app?shop=evil.example",
    "/app?shop=bad%20shop&host=YWRtaW4&embedded=1&id_token=x",
    "/app?shop=taller-copal.myshopify.com&host=zzz&embedded=1",
    "/api/origins",
    "/auth/exit-iframe?exitIframe=https://evil.example",
    "/auth/exit-iframe?exitIframe=/app%20/settings",
    "/auth/exit-iframe?exitIframe=/app&shop=evil.com",
    "/auth/exit-iframe?exitIframe=/app&shop=*",
    "/auth/session-token?shop=evil.com",
    "/auth/session-token?shop=x.myshopify.com;%20script-src%20*",
    "/auth/session-token?shop=x.myshopify.com%0d%0aSet-Cookie:%20a=b",
    "/auth/session-token?shop=taller-copal.myshopify.com&shop=evil.com",
    "/auth/session-token?shop=taller-copal.myshopify.com&shopify-reload=https://evil.example/",
    "/app?shop=taller-copal.myshopify.com&host=YWRtaW4uc2hvcGlmeS5jb20NCngNCg",
  ])("leads there from %s", async (path) => {
    const answer = await get(path);
    expect([answer.status, answer.headers.get("Location")]).toEqual([302, "/auth/login"]);
    expect(answer.headers.get("Content-Security-Policy")).toMatch(
      /frame-ancestors ('none'|https:\/\/taller-copal\.myshopify\.com https:\/\/admin\.shopify\.com)$/,
    );
  });

  test.each([
    ["en", "There is nothing here"],
    ["es-MX", "Aquí no hay nada"],
  ])("that does not exist is not found, in words (%s)", async (language, words) => {
    const answer = await get("/nowhere", { "Accept-Language": language });
    const html = await answer.text();
    expect(answer.status).toBe(404);
    expect(html).toContain(`<html lang="${language}"`);
    expect(html).toContain(words);
    expect(html).not.toMatch(NO_STACK);
    expect(answer.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  });
});

describe("webhooks", () => {
  const deliver = (body: string, over: Record<string, string> = {}) =>
    fetch(new URL("/webhooks", sandbox.app.url), {
      method: "POST",
      body,
      headers: {
        "Content-Type": "application/json",
        "X-Shopify-Hmac-Sha256": createHmac("sha256", sandbox.apiSecret).update(body).digest("base64"),
        "X-Shopify-Topic": "locations/update",
        "X-Shopify-Shop-Domain": "nobody.myshopify.com",
        "X-Shopify-API-Version": "2026-10",
        "X-Shopify-Webhook-Id": "hook-1",
        ...over,
      },
    });

  test("validly signed are taken, also of a shop nobody knows", async () => {
    expect((await deliver('{"id":1}')).status).toBe(200);
    expect((await deliver('{"id":1}', { "X-Shopify-Topic": "app/uninstalled" })).status).toBe(200);
  });

  test("that are malformed get an answer that says why", async () => {
    const told = async (answer: Response) => [answer.status, await answer.text()];
    expect(await told(await deliver("{}", { "X-Shopify-Hmac-Sha256": "AAAA" }))).toEqual([
      401,
      "The signature does not fit the body",
    ]);
    expect(await told(await deliver("no JSON"))).toEqual([400, "The body is not JSON"]);
    expect(await told(await deliver("{}", { "X-Shopify-Topic": "" }))).toEqual([
      400,
      "A header of Shopify's is missing",
    ]);
    expect(await told(await get("/webhooks"))).toEqual([405, "Webhooks are sent here with POST"]);
    const nowhere = await deliver("{}", { "X-Shopify-Shop-Domain": "evil.example/../x" });
    expect(await told(nowhere)).toEqual([400, "X-Shopify-Shop-Domain names no store"]);
  });

  test("that are huge are turned away; one that does not say its length is cut off", async () => {
    const huge = "x".repeat(3 * 1024 * 1024);
    expect((await deliver(huge)).status).toBe(413);
    const unsaid = await fetch(new URL("/webhooks", sandbox.app.url), {
      method: "POST",
      body: new Blob([huge]).stream(),
      duplex: "half",
    } as RequestInit);
    expect(unsaid.status).toBe(413);
    expect((await get("/health")).status).toBe(200);
  });
});

test("a visit after a reinstall opens a shop that was said to be uninstalled, though its old session has not ended", async () => {
  const told = () =>
    readFileSync(sandbox.app.logFile, "utf8").match(/"topic":"app.uninstalled"[^\n]*"outcome":"accepted"/gi) ?? [];
  await get(await framed("/app"));
  const before = told().length;
  await control("uninstall");
  await control("install");
  await expect.poll(() => told().length).toBe(before + 1);
  const answer = await get(await framed("/app"));
  expect(answer.status).toBe(200);
  const html = await answer.text();
  expect(html).toContain("Inicio");
  expect(html).not.toContain("Shopify nos avisó que Origen se desinstaló");
});

describe("input", () => {
  test.each([
    ["no JSON", "{"],
    ["another intent", { intent: "drop" }],
    ["a number too many", { intent: "save", revision: "one" }],
  ])("that is %s is a 400 without a stack", async (_what, body) => {
    const answer = await post("/app/settings?_data=routes%2Fapp.settings", body);
    expect(answer.status).toBe(400);
    expect(await answer.text()).not.toMatch(NO_STACK);
  });
});

describe("connecting", () => {
  const connect = async (clientSecret: string) => {
    const { clientId } = sandboxClient("production", 1);
    const stated = { environment: "production", clientId, clientSecret, scope: null, redirectUri: null };
    const answer = await post("/app/settings?_data=routes%2Fapp.settings", { intent: "connect", ...stated });
    const text = await answer.text();
    expect(answer.status).toBe(200);
    expect(text).not.toMatch(NO_STACK);
    expect(text).not.toContain(clientSecret);
    return (JSON.parse(text) as { outcome: { kind: string } }).outcome;
  };

  test("with a wrong secret says that the credentials are refused", async () => {
    expect(await connect("not-the-secret")).toMatchObject({ kind: "invalid_client" });
  });

  test("while nobody answers there says so", async () => {
    await sandbox.shipping!.goDown();
    expect(await connect(sandboxClient("production", 1).clientSecret)).toMatchObject({
      kind: "unreachable",
      fault: { kind: "transport" },
    });
    await sandbox.shipping!.comeUp();
  });
});

test("no secret leaves: not in loader data, not in an answer, not in the log", async () => {
  await get(await framed("/app"));
  const { clientId, clientSecret } = sandboxClient("production", 1);
  const stated = { environment: "production", clientId, clientSecret, scope: null, redirectUri: null };
  const connected = await post("/app/settings?_data=routes%2Fapp.settings", { intent: "connect", ...stated });
  expect(await connected.json()).toEqual({ intent: "connect", outcome: { kind: "connected" } });
  const path = await framed("/app/settings");
  const html = await (await get(path)).text();
  const log = readFileSync(sandbox.app.logFile, "utf8");
  const idToken = new URL(path, sandbox.app.url).searchParams.get("id_token")!;
  for (const secret of [clientSecret, clientId, idToken, sandbox.apiSecret]) {
    expect(html.includes(secret), secret).toBe(false);
    expect(log.includes(secret), secret).toBe(false);
  }
  expect(log).not.toMatch(/id_token|eyJ/);
  expect(log).toContain('"path":"/app/settings"');
});

test("the icon says its charset, and the log which shop's visit brought a session", async () => {
  const icon = await get("/favicon.svg");
  expect([icon.status, icon.headers.get("Content-Type")]).toEqual([200, "image/svg+xml; charset=utf-8"]);
  await get(await framed("/app"));
  await expect
    .poll(() => readFileSync(sandbox.app.logFile, "utf8"))
    .toMatch(/"shop":"taller-copal.myshopify.com","msg":"a visit brought a session"/);
});

test("who of a shop pressed is noted by the number in their session token, and told as theirs to themselves alone", async () => {
  type Settings = { revision: number; settings: object };
  type Activity = { entries: { kind: string; staffId: string | null; isYours: boolean }[] };
  const as = async (sub: string) => ({
    Authorization: `Bearer ${(await control("session-token", { claims: { sub } })).token}`,
    "Content-Type": "application/json",
  });
  const read = async <T>(path: string, sub: string) => (await (await get(path, await as(sub))).json()) as T;
  const path = "/app/settings?_data=routes%2Fapp.settings";
  const { revision, settings } = await read<Settings>(path, "101");
  const body = JSON.stringify({ intent: "save", revision, settings: { ...settings, language: "en" } });
  const saved = await fetch(new URL(path, sandbox.app.url), {
    method: "POST",
    headers: { "User-Agent": BROWSER, ...(await as("101")) },
    body,
  });
  expect(await saved.json()).toMatchObject({ outcome: { kind: "saved" } });
  const toldTo = async (sub: string) => {
    const { entries } = await read<Activity>("/app/activity?_data=routes%2Fapp.activity", sub);
    return entries.map(({ kind, staffId, isYours }) => [kind, staffId, isYours]);
  };
  expect(await toldTo("101")).toContainEqual(["settings_saved", "101", true]);
  expect(await toldTo("102")).toContainEqual(["settings_saved", "101", false]);
  expect(await toldTo("102")).toContainEqual(["installed", null, false]);
});

test("assets never change under their name; health is quick; a stop is clean", async () => {
  const html = await (await get("/auth/login")).text();
  const asset = /\/assets\/[\w.-]+\.js/.exec(html)![0];
  const answer = await get(asset);
  expect(answer.headers.get("Cache-Control")).toBe("public, max-age=31536000, immutable");
  expect((await get("/assets/none.js")).status).toBe(404);
  const health = await get("/health");
  expect([health.status, await health.json()]).toEqual([200, { status: "ok" }]);
  await sandbox.app.stop();
  expect(readFileSync(sandbox.app.logFile, "utf8")).toContain('"msg":"stopping"');
});
