import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClock } from "../../../app/adapters/machine/clock.ts";
import { createRandom } from "../../../app/adapters/machine/random.ts";
import { createShippingService } from "../../../app/adapters/shipping/service.ts";
import { isAppError } from "../../../app/domain/errors.ts";
import type { ConnectionRef } from "../../../app/ports.ts";
import { GOOD, nameOf } from "./support/operations.ts";
import { INTERACTIVE, keptLog, memoryTokenStore, USER_AGENT } from "./support/world.ts";

/** Who refuses a token request, the service or something on the way, and what follows from it, over true HTTP. */

interface Said {
  status: number;
  body: string;
  headers?: Record<string, string>;
}

const json = (status: number, body: unknown): Said => ({ status, body: JSON.stringify(body) });
const html = (status: number): Said => ({ status, body: "<!DOCTYPE html><html><body>nginx</body></html>" });
const tokenError = (status: number, error: string): Said =>
  json(status, { error, error_description: "Credenciales no reconocidas." });

const ISSUED: Said = json(200, GOOD.token.body);
const INVALID_CLIENT = tokenError(401, "invalid_client");

let server: Server;
const scripts = new Map<string, Record<string, Said>>();
const asked = new Map<string, string[]>();

beforeAll(async () => {
  server = createServer((request, response) => {
    const [, key = "", ...rest] = request.url!.split("/");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const name = nameOf({ method: request.method!, path: `/${rest.join("/")}` });
      const grant = new URLSearchParams(Buffer.concat(chunks).toString()).get("grant_type");
      if (name === "token") asked.set(key, [...(asked.get(key) ?? []), grant!]);
      const said = (name === "token" ? scripts.get(key)![grant!] : null) ?? json(GOOD[name].status, GOOD[name].body);
      response.writeHead(said.status, said.headers).end(said.body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

let scenarios = 0;

/** One connection whose token has just ended, with a refresh token or without. */
function scenario(answers: { refresh?: Said; credentials?: Said }) {
  const key = `s${(scenarios += 1)}`;
  scripts.set(key, {
    ...(answers.refresh ? { refresh_token: answers.refresh } : {}),
    client_credentials: answers.credentials ?? ISSUED,
  });
  const tokens = memoryTokenStore();
  const ref: ConnectionRef = { id: "c", version: 1, shop: "s", environment: "test", clientId: "client" };
  const credentials = { ...ref, clientSecret: "a-long-secret", scope: null, redirectUri: null };
  const refreshToken = answers.refresh ? "a-refresh-token" : null;
  const token = { accessToken: "old", refreshToken, scope: null, obtainedAtMs: 0, expiresAtMs: 1 };
  tokens.rows.set(ref.id, { version: 1, state: "active", credentials, token });
  const service = createShippingService({
    baseUrls: { test: `http://127.0.0.1:${(server.address() as AddressInfo).port}/${key}`, production: null },
    userAgent: USER_AGENT,
    clock: createClock(),
    random: createRandom(),
    log: keptLog(),
    tokens: tokens.store,
    budget: { graceMs: 0, openAtOnce: true },
  });
  return {
    service,
    credentials,
    grants: () => asked.get(key) ?? [],
    closed: () => tokens.counts.invalid > 0,
    read: () =>
      service
        .account(ref)
        .get("t-1", INTERACTIVE)
        .then(
          ({ kind }) => ({ kind, connectionWide: false }),
          (error: unknown) => {
            if (!isAppError(error)) throw error;
            return { kind: error.kind, connectionWide: error.traits.connectionWide };
          },
        ),
  };
}

describe("a refused refresh", () => {
  test.concurrent.each([
    ["invalid_grant", tokenError(400, "invalid_grant")],
    ["invalid_client", INVALID_CLIENT],
    ["a proxy's 401", html(401)],
    ["a proxy's 403", html(403)],
    ["an empty 401", { status: 401, body: "" }],
    ["a message without a code", json(400, { message: "no" })],
    ["a 404", html(404)],
    ["a 500, as for one token that the service stumbles over", json(500, { message: "no" })],
  ])("(%s) concludes nothing: client credentials are tried, once", async (_name, refresh) => {
    const { service, read, grants, closed } = scenario({ refresh });
    expect(await read()).toEqual({ kind: "found", connectionWide: false });
    expect([grants(), closed()]).toEqual([["refresh_token", "client_credentials"], false]);
    await service.close();
  });

  test.concurrent("closes the connection only when the client credentials are refused as invalid too", async () => {
    const { service, read, grants, closed } = scenario({ refresh: INVALID_CLIENT, credentials: INVALID_CLIENT });
    expect(await read()).toMatchObject({ kind: "invalid_client" });
    expect([grants(), closed()]).toEqual([["refresh_token", "client_credentials"], true]);
    await service.close();
  });

  test.concurrent("keeps the connection when something on the way answers the client credentials", async () => {
    const { service, read, closed } = scenario({ refresh: INVALID_CLIENT, credentials: html(401) });
    expect(await read()).toEqual({ kind: "edge_blocked", connectionWide: true });
    expect(closed()).toBe(false);
    await service.close();
  });
});

/** What answers a client-credentials grant, and what the call then fails of; none of it closes the connection. */
const KEPT: [string, Said, string][] = [
  ["a proxy's 401", html(401), "edge_blocked"],
  ["an empty 401", { status: 401, body: "" }, "edge_blocked"],
  ["a gateway's JSON 401", json(401, { message: "Unauthorized" }), "edge_blocked"],
  ["invalid_client without a description", json(401, { error: "invalid_client" }), "edge_blocked"],
  [
    "invalid_client with an empty description",
    json(401, { error: "invalid_client", error_description: "" }),
    "edge_blocked",
  ],
  ["a code that is no text", json(401, { error: { code: "invalid_client" }, error_description: "no" }), "edge_blocked"],
  ["a proxy's 403", html(403), "edge_blocked"],
  ["a JSON 403", json(403, { message: "Forbidden" }), "edge_blocked"],
  ["a 404", html(404), "edge_blocked"],
  ["a redirect", { status: 302, body: "", headers: { location: "/login" } }, "edge_blocked"],
  ["a welcome page", html(200), "edge_blocked"],
  ["a success that holds no token", json(200, {}), "edge_blocked"],
  ["a token error about a token", tokenError(401, "invalid_token"), "unauthorized"],
  ["a token error about the scope", tokenError(400, "invalid_scope"), "unauthorized"],
  ["a token error about the request", tokenError(400, "invalid_request"), "unauthorized"],
  ["a refusal in other words", json(422, { errors: { scope: ["no"] } }), "unauthorized"],
];

describe("a client-credentials grant that is answered by", () => {
  test.concurrent.each(KEPT)("%s keeps the connection, which rests", async (_name, credentials, kind) => {
    const { service, read, grants, closed } = scenario({ credentials });
    expect(await read()).toEqual({ kind, connectionWide: true });
    expect([grants(), closed()]).toEqual([["client_credentials"], false]);
    await service.close();
  });

  test.concurrent.each([
    ["401 and invalid_client", INVALID_CLIENT],
    ["400 and invalid_client", tokenError(400, "invalid_client")],
    ["401 and a code of the service's own", tokenError(401, "CREDENCIALES_INVALIDAS")],
  ])("%s, with a description, closes it after one request", async (_name, credentials) => {
    const { service, read, grants, closed } = scenario({ credentials });
    expect(await read()).toMatchObject({ kind: "invalid_client" });
    expect(await read()).toMatchObject({ kind: "invalid_client" });
    expect([grants(), closed()]).toEqual([["client_credentials"], true]);
    await service.close();
  });
});

test("an answer that only looks like a token is not quoted, nor are a gateway's words taken for the service's", async () => {
  const malformed = json(200, {
    access_token: "not for a header: \u00e9",
    refresh_token: "r-secret",
    expires_in: 7200,
  });
  for (const credentials of [malformed, json(401, { message: "denied by gateway 7" })]) {
    const { service, credentials: typed } = scenario({ credentials });
    const error: unknown = await service.obtainToken(typed, INTERACTIVE).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ kind: "edge_blocked", serviceMessage: null });
    expect(String(error)).not.toMatch(/secret|header|gateway/);
    await service.close();
  }
});

describe("credentials that somebody typed", () => {
  test.concurrent("are refused by the service, or by something on the way: told apart", async () => {
    const ends = [];
    for (const credentials of [
      INVALID_CLIENT,
      tokenError(400, "invalid_scope"),
      html(401),
      json(401, { message: "x" }),
    ]) {
      const { service, credentials: typed } = scenario({ credentials });
      ends.push(
        await service.obtainToken(typed, INTERACTIVE).then(
          ({ kind }) => kind,
          (error: unknown) => (isAppError(error) ? `!${error.kind}` : "?"),
        ),
      );
      await service.close();
    }
    expect(ends).toEqual(["invalid_client", "refused", "!edge_blocked", "!edge_blocked"]);
  });
});
