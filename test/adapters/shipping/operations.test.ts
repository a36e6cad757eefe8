import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { ConnectionRef } from "../../../app/ports.ts";
import { DELETE, DRAFT, INTERACTIVE, startWorld, USER_AGENT, WRITE, type World } from "./support/world.ts";

/**
 * The nine operations against the stand-in over true HTTP: what stands on the wire, byte by byte, and what comes back.
 *
 * Long, because it holds one clause of docs/shipping-interface.md after another, for all nine operations.
 */

let world: World;

beforeAll(async () => {
  world = await startWorld();
});
afterAll(() => world.stop());

const ALWAYS = {
  accept: "application/json",
  "accept-encoding": "identity",
  "user-agent": USER_AGENT,
  connection: "keep-alive",
};
const ID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

function connected(n: number) {
  const ref = world.connect(n);
  return { ref, account: world.service.account(ref) };
}

/** The last request of a connection, its headers sorted out: no name may come twice. */
function lastOf(ref: ConnectionRef) {
  const request = world.sentFor(ref).at(-1)!;
  const pairs = Array.from({ length: request.rawHeaders.length / 2 }, (_, index) =>
    request.rawHeaders.slice(2 * index, 2 * index + 2),
  );
  const headers = Object.fromEntries(pairs.map(([name, value]) => [name!.toLowerCase(), value]));
  expect(Object.keys(headers)).toHaveLength(pairs.length);
  expect(headers["x-request-id"]).toMatch(ID);
  const { host, "x-request-id": requestId, "content-length": length, ...rest } = headers;
  expect(host).toBe(new URL(world.standIn.url).host);
  expect(Number(length ?? 0)).toBe(Buffer.byteLength(request.body));
  return { line: `${request.method} ${request.url}`, headers: rest, body: request.body, requestId };
}

function bearer(ref: ConnectionRef): { authorization: string } {
  return { authorization: `Bearer ${world.tokens.rows.get(ref.id)!.token!.accessToken}` };
}

describe("resources", () => {
  test.concurrent(
    "a probe asks for one row of the list, or for a token by client credentials, which is kept",
    async () => {
      const { ref, account } = connected(40);
      await account.probe("list", INTERACTIVE);
      expect(lastOf(ref)).toMatchObject({ line: "GET /test/api/v1/address_templates?page=1&per_page=1", body: "" });
      const before = bearer(ref);
      await account.probe("token", INTERACTIVE);
      expect(world.sentFor(ref).at(-1)!.body).toContain("grant_type=client_credentials");
      expect(bearer(ref)).not.toEqual(before);
      await account.probe("list", INTERACTIVE);
      expect(lastOf(ref).headers).toMatchObject(bearer(ref));
    },
  );

  test.concurrent("a probe is tried once, whatever it asks for", async () => {
    const { ref, account } = connected(41);
    await account.probe("list", INTERACTIVE);
    const before = world.sentFor(ref).length;
    world.standIn.faults.set({ kind: "reset", clientId: ref.clientId, operations: ["list", "get", "token"] });
    for (const what of ["list", "none", "token"] as const)
      await expect(account.probe(what, INTERACTIVE)).rejects.toMatchObject({ kind: "transport" });
    expect(world.sentFor(ref)).toHaveLength(before + 3);
  });

  test.concurrent("a probe of an id that no template has is answered by 404, and by nothing else", async () => {
    const { ref, account } = connected(42);
    await account.probe("none", INTERACTIVE);
    expect(lastOf(ref).line).toBe("GET /test/api/v1/address_templates/00000000-0000-0000-0000-000000000000");
    for (const status of [200, 403, 422, 502]) {
      world.standIn.faults.set({ kind: "html", status, next: 1, clientId: ref.clientId, operations: ["get"] });
      await expect(account.probe("none", INTERACTIVE)).rejects.toMatchObject({ name: "AppError" });
    }
  });

  test.concurrent("4.1 list asks for a page of 20 and reads data and meta", async () => {
    const { ref, account } = connected(1);
    const { id } = world.standIn.createTemplate(ref.clientId, { ...DRAFT });
    const page = await account.listPage({ ...INTERACTIVE, page: 1 });
    expect(lastOf(ref)).toMatchObject({
      line: "GET /test/api/v1/address_templates?page=1&per_page=20",
      headers: { ...ALWAYS, ...bearer(ref) },
      body: "",
    });
    expect(Object.keys(lastOf(ref).headers).sort()).toEqual([...Object.keys(ALWAYS), "authorization"].sort());
    expect(page).toMatchObject({
      page: 1,
      totalPages: 1,
      totalCount: 1,
      templates: [{ id, alias_name: DRAFT.alias_name }],
    });
  });

  test.concurrent("4.2 get reads one template, or says that there is none", async () => {
    const { ref, account } = connected(2);
    const { id } = world.standIn.createTemplate(ref.clientId, { ...DRAFT });
    const found = await account.get(id, INTERACTIVE);
    expect(lastOf(ref)).toMatchObject({ line: `GET /test/api/v1/address_templates/${id}`, body: "" });
    expect(found).toMatchObject({ kind: "found", value: { id, address: { street1: "Calle 5 de Mayo", rfc: null } } });
    expect(await account.get("11111111-2222-3333-4444-555555555555", INTERACTIVE)).toMatchObject({ kind: "not_found" });
  });

  test.concurrent("4.3 create sends the draft as given and reads the 201", async () => {
    const { ref, account } = connected(3);
    const written = await account.create(DRAFT, WRITE);
    const { line, headers, body } = lastOf(ref);
    expect(line).toBe("POST /test/api/v1/address_templates");
    expect(headers).toEqual({ ...ALWAYS, ...bearer(ref), "content-type": "application/json" });
    expect(body).toBe(JSON.stringify({ address_template: DRAFT }));
    expect(written).toMatchObject({
      kind: "written",
      value: { alias_name: DRAFT.alias_name, address: { company: null } },
    });
  });

  test.concurrent(
    "4.3 text of any kind arrives as it was given, and null, absent and empty stay three things",
    async () => {
      const { ref, account } = connected(4);
      const reference = `"\\/\b\t\u0000 é ñ 🚪 \u2060 ${"x".repeat(10_000)}`;
      const address_attributes = { ...DRAFT.address_attributes, reference, company: null, apartment_number: "" };
      const written = await account.create({ ...DRAFT, address_attributes }, WRITE);
      const sent = JSON.parse(lastOf(ref).body).address_template.address_attributes;
      expect(sent).toEqual(address_attributes);
      expect("rfc" in sent).toBe(false);
      expect(sent).toMatchObject({ company: null, apartment_number: "" });
      expect(written).toMatchObject({ value: { address: { reference } } });
    },
  );

  test.concurrent("4.4 update sends only the fields that are named", async () => {
    const { ref, account } = connected(5);
    const { id } = world.standIn.createTemplate(ref.clientId, { ...DRAFT });
    const patch = { address_attributes: { phone: "5555536267", company: null } };
    const written = await account.update(id, patch, WRITE);
    const { line, headers, body } = lastOf(ref);
    expect(line).toBe(`PATCH /test/api/v1/address_templates/${id}`);
    expect(headers["content-type"]).toBe("application/json");
    expect(body).toBe(JSON.stringify({ address_template: patch }));
    expect(written).toMatchObject({
      value: { alias_name: DRAFT.alias_name, address: { phone: "5555536267", street_number: "10" } },
    });
  });

  test.concurrent("4.4 update of a template that is gone is not_found", async () => {
    const { account } = connected(6);
    expect(await account.update("gone", { alias_name: "x" }, WRITE)).toMatchObject({ kind: "not_found" });
  });

  test.concurrent("4.5 delete sends no body, reads none, and is not_found the second time", async () => {
    const { ref, account } = connected(7);
    const { id } = world.standIn.createTemplate(ref.clientId, { ...DRAFT });
    expect(await account.delete(id, DELETE)).toMatchObject({ kind: "written", value: null });
    const { line, headers, body } = lastOf(ref);
    expect({ line, body }).toEqual({ line: `DELETE /test/api/v1/address_templates/${id}`, body: "" });
    expect(headers["content-type"]).toBeUndefined();
    expect(await account.delete(id, DELETE)).toMatchObject({ kind: "not_found" });
  });

  test.concurrent("4.6 verify names the carriers and reads the 202", async () => {
    const { ref, account } = connected(8);
    const { id } = world.standIn.createTemplate(ref.clientId, { ...DRAFT });
    const asked = await account.verifyByCarriers(id, ["fedex", "dhl"], INTERACTIVE);
    const { line, body } = lastOf(ref);
    expect(line).toBe(`POST /test/api/v1/address_templates/${id}/verify_by_carriers`);
    expect(body).toBe('{"carriers":["fedex","dhl"]}');
    expect(asked).toMatchObject({
      kind: "written",
      value: { verified_carriers: [{ carrier_name: "fedex" }, { carrier_name: "dhl" }] },
    });
  });

  test.concurrent("4.6 a carrier that does not verify is a refusal that names its code", async () => {
    const { ref, account } = connected(9);
    const { id } = world.standIn.createTemplate(ref.clientId, { ...DRAFT });
    expect(await account.verifyByCarriers(id, ["ampm"], INTERACTIVE)).toMatchObject({
      kind: "refused",
      problem: { status: 422, code: "CARRIER_VERIFICATION_NOT_ENABLED" },
    });
  });

  test.concurrent("an id that could mean another path is not found, and nothing is sent", async () => {
    const { ref, account } = connected(10);
    for (const id of ["", ".", ".."]) {
      expect(await account.delete(id, DELETE)).toMatchObject({ kind: "not_found" });
      expect(await account.get(id, INTERACTIVE)).toMatchObject({ kind: "not_found" });
    }
    expect(world.sentFor(ref)).toEqual([]);
    expect(await account.get("a/../b?c#d", INTERACTIVE)).toMatchObject({ kind: "not_found" });
    expect(lastOf(ref).line).toBe("GET /test/api/v1/address_templates/a%2F..%2Fb%3Fc%23d");
  });
});

describe("tokens", () => {
  const issued = (n: number, over = {}) => ({ ...world.tokens.rows.get(world.connect(n).id)!.credentials!, ...over });

  test.concurrent("4.7 a token is asked for with client_credentials, scope and redirect_uri, as a form", async () => {
    const redirectUri = "https://origen.example/oauth/callback";
    const credentials = issued(11, { scope: "read write", redirectUri });
    const outcome = await world.service.obtainToken(credentials, INTERACTIVE);
    const { line, headers, body } = lastOf(world.connect(11));
    expect(line).toBe("POST /test/api/v1/oauth/token");
    expect(headers).toEqual({ ...ALWAYS, "content-type": "application/x-www-form-urlencoded" });
    expect(body).toBe(
      "grant_type=client_credentials&client_id=test-client-11&client_secret=test-secret-11" +
        "&redirect_uri=https%3A%2F%2Forigen.example%2Foauth%2Fcallback&scope=read+write",
    );
    expect(outcome).toMatchObject({ kind: "issued", token: { scope: "read write", refreshToken: null } });
    if (outcome.kind !== "issued") return;
    expect(outcome.token.expiresAtMs - outcome.token.obtainedAtMs).toBe(7_200_000);
    expect(Math.abs(outcome.token.obtainedAtMs - Date.now())).toBeLessThan(5_000);
  });

  test.concurrent("4.7 wrong and missing credentials are invalid_client, with the service's words", async () => {
    const wrong = await world.service.obtainToken(issued(12, { clientSecret: "no" }), INTERACTIVE);
    expect(wrong).toMatchObject({
      kind: "invalid_client",
      serviceMessage: expect.stringMatching(/\S/),
      retryAtMs: null,
    });
    const missing = await world.service.obtainToken(issued(12, { clientSecret: "" }), INTERACTIVE);
    expect(missing).toMatchObject({ kind: "invalid_client", retryAtMs: null });
    expect(world.standIn.report().answersByStatus).toMatchObject({ 400: expect.any(Number), 401: expect.any(Number) });
  });

  test.concurrent("4.7 a scope or a redirect URI that is refused keeps its own words", async () => {
    expect(await world.service.obtainToken(issued(13, { scope: "nonsense" }), INTERACTIVE)).toMatchObject({
      kind: "refused",
      problem: { status: 400, code: "invalid_scope" },
    });
    expect(
      await world.service.obtainToken(issued(13, { redirectUri: "https://else.example" }), INTERACTIVE),
    ).toMatchObject({
      kind: "refused",
      problem: { code: "invalid_redirect_uri" },
    });
  });

  test.concurrent("4.8 revoke gives back both tokens, the refresh token first", async () => {
    const { ref, account } = connected(14);
    await account.listPage({ ...INTERACTIVE, page: 1 });
    const accessToken = world.tokens.rows.get(ref.id)!.token!.accessToken;
    const credentials = issued(14);
    expect(await world.service.revoke({ credentials, accessToken, refreshToken: "r 1" }, INTERACTIVE)).toBe(true);
    const revokes = world.sentFor(ref).filter(({ url }) => url.endsWith("/oauth/revoke"));
    expect(revokes.map(({ method, body }) => `${method} ${body}`)).toEqual([
      "POST client_id=test-client-14&client_secret=test-secret-14&token=r+1&token_type_hint=refresh_token",
      `POST client_id=test-client-14&client_secret=test-secret-14&token=${accessToken}&token_type_hint=access_token`,
    ]);
  });

  test.concurrent("4.8 a revoke that the service refuses is false", async () => {
    const credentials = issued(15, { clientSecret: "no" });
    expect(await world.service.revoke({ credentials, accessToken: "t", refreshToken: null }, INTERACTIVE)).toBe(false);
  });

  test.concurrent("4.9 introspect tells whether the connection's token is active, and null without one", async () => {
    const { ref, account } = connected(16);
    expect(await world.service.introspect(ref, INTERACTIVE)).toBeNull();
    await account.listPage({ ...INTERACTIVE, page: 1 });
    const { accessToken, expiresAtMs } = world.tokens.rows.get(ref.id)!.token!;
    const active = await world.service.introspect(ref, INTERACTIVE);
    expect(active).toMatchObject({ active: true, scope: "default", requestId: expect.stringMatching(ID) });
    expect(Math.abs(active!.expiresAtMs! - expiresAtMs)).toBeLessThan(5_000);
    expect(lastOf(ref).body).toBe(
      `client_id=test-client-16&client_secret=test-secret-16&token=${accessToken}&token_type_hint=access_token`,
    );
    world.standIn.revokeTokens(ref.clientId);
    expect(await world.service.introspect(ref, INTERACTIVE)).toMatchObject({
      active: false,
      scope: null,
      expiresAtMs: null,
    });
  });

  test.concurrent("each environment has its own address and its own credentials", async () => {
    const other = issued(17, {
      environment: "production",
      clientId: "production-client-17",
      clientSecret: "production-secret-17",
    });
    expect(await world.service.obtainToken(other, INTERACTIVE)).toMatchObject({ kind: "issued" });
    const mixed = issued(17, { environment: "production" });
    expect(await world.service.obtainToken(mixed, INTERACTIVE)).toMatchObject({ kind: "invalid_client" });
  });
});
