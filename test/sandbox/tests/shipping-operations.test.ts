import { afterEach, describe, expect, test } from "vitest";
import { NO_ADDRESS } from "../../../app/domain/address/address.ts";
import type { Parsed } from "./shipping-caller.ts";
import { BOOK, TOKEN, call, created, credentials, start, stopAll, template, token, until } from "./shipping-caller.ts";
import { ADDRESS } from "../../contracts/shipping/ask.ts";

/**
 * The shipping service's stand-in, clause by clause of docs/shipping-interface.md.
 *
 * Long, because it holds every operation's clause, in the document's order.
 */

afterEach(stopAll);

const FORM = "application/x-www-form-urlencoded";

describe("4.7 token", () => {
  const grant = { grant_type: "client_credentials", ...credentials() };

  test("is issued for both encodings, with exactly the fields of 2.5", async () => {
    const service = await start();
    for (const sent of [{ form: grant }, { body: grant }]) {
      const { status, json } = await call(service, TOKEN, sent);
      expect(status).toBe(200);
      expect(json).toEqual({
        access_token: expect.stringMatching(/^[0-9a-f]{32}$/),
        token_type: "Bearer",
        expires_in: 7200,
        scope: "default",
        created_at: expect.any(Number),
      });
    }
  });

  test("missing credentials are a 400, wrong ones a 401, in words of Spanish", async () => {
    const service = await start();
    const missing = await call(service, TOKEN, { form: { grant_type: "client_credentials" } });
    expect(missing).toMatchObject({
      status: 400,
      json: { error: "invalid_request", error_description: expect.stringContaining("Faltan") },
    });
    for (const [name, value] of [
      ["client_secret", "no"],
      ["client_id", "nobody"],
    ] as const) {
      const answer = await call(service, TOKEN, { form: { ...grant, [name]: value } });
      expect(answer.status).toBe(401);
      expect(answer.json).toEqual({ error: "invalid_client", error_description: expect.stringContaining("cliente") });
    }
  });

  test("credentials of one environment are invalid_client on the other", async () => {
    const service = await start();
    const answer = await call(service, "POST /production/api/v1/oauth/token", { form: grant });
    expect([answer.status, answer.json.error]).toEqual([401, "invalid_client"]);
    const live = { grant_type: "client_credentials", ...credentials(1, "production") };
    expect((await call(service, "POST /production/api/v1/oauth/token", { form: live })).status).toBe(200);
    expect((await call(service, TOKEN, { form: live })).status).toBe(401);
  });

  test("scope words are granted or refused; another redirect_uri is refused", async () => {
    const service = await start();
    expect((await call(service, TOKEN, { form: { ...grant, scope: "read  write" } })).json.scope).toBe("read write");
    expect((await call(service, TOKEN, { form: { ...grant, scope: "admin" } })).json.error).toBe("invalid_scope");
    const stored = service.clients()[0]!.redirectUri!;
    expect((await call(service, TOKEN, { form: { ...grant, redirect_uri: stored } })).status).toBe(200);
    const other = await call(service, TOKEN, { form: { ...grant, redirect_uri: "https://other.example" } });
    expect([other.status, other.json.error]).toEqual([400, "invalid_redirect_uri"]);
  });

  test("an unknown grant and an unreadable body are 400", async () => {
    const service = await start();
    expect((await call(service, TOKEN, { form: { ...grant, grant_type: "password" } })).json.error).toBe(
      "unsupported_grant_type",
    );
    expect((await call(service, TOKEN, { form: credentials() })).json.error).toBe("invalid_request");
    expect((await call(service, TOKEN, { body: "{" })).status).toBe(400);
    expect((await call(service, TOKEN, { form: grant, headers: { "content-type": "text/plain" } })).status).toBe(400);
  });

  test("a refresh token, where given, works once", async () => {
    const service = await start({ refreshTokens: true });
    const { refresh_token } = (await call(service, TOKEN, { form: grant })).json;
    const refresh = { grant_type: "refresh_token", refresh_token, ...credentials() };
    const second = await call(service, TOKEN, { form: refresh });
    expect(second.status).toBe(200);
    expect(second.json.refresh_token).not.toBe(refresh_token);
    expect((await call(service, TOKEN, { form: refresh })).json.error).toBe("invalid_grant");
    const another = { ...refresh, refresh_token: second.json.refresh_token, ...credentials(2) };
    expect((await call(service, TOKEN, { form: another })).json.error).toBe("invalid_grant");
  });
});

describe("4.8 revoke and 4.9 introspect", () => {
  test("a revoked token stops working and is inactive; both encodings", async () => {
    const service = await start();
    for (const encode of [(form: Record<string, string>) => ({ form }), (body: Record<string, string>) => ({ body })]) {
      const bearer = await token(service);
      const about = { ...credentials(), token: bearer, token_type_hint: "access_token" };
      const active = await call(service, "POST /test/api/v1/oauth/introspect", encode(about));
      expect(active.json).toEqual({
        active: true,
        scope: "default",
        client_id: "test-client-1",
        token_type: "Bearer",
        exp: expect.any(Number),
        iat: expect.any(Number),
      });
      const revoked = await call(service, "POST /test/api/v1/oauth/revoke", encode(about));
      expect([revoked.status, revoked.json]).toEqual([200, {}]);
      expect((await call(service, "POST /test/api/v1/oauth/introspect", encode(about))).json).toEqual({
        active: false,
      });
      expect((await call(service, `GET ${BOOK}`, { token: bearer })).status).toBe(401);
    }
  });

  test("a stranger may neither revoke (403) nor introspect (401), nor touch another client's token", async () => {
    const service = await start();
    const about = { ...credentials(), client_secret: "no", token: await token(service) };
    const refused = await call(service, "POST /test/api/v1/oauth/revoke", { form: about });
    expect(refused.status).toBe(403);
    expect(Object.keys(refused.json)).toEqual(["error", "error_description"]);
    expect((await call(service, "POST /test/api/v1/oauth/introspect", { form: about })).status).toBe(401);
    const foreign = { ...about, ...credentials(2) };
    expect((await call(service, "POST /test/api/v1/oauth/revoke", { form: foreign })).status).toBe(403);
    expect((await call(service, "POST /test/api/v1/oauth/introspect", { form: foreign })).json).toEqual({
      active: false,
    });
  });
});

describe("4.1 list", () => {
  test("pages of 20 with meta, in order of creation", async () => {
    const service = await start();
    const bearer = await token(service);
    for (let n = 1; n <= 45; n++)
      service.createTemplate("test-client-1", {
        alias_name: `T${n}`,
        address_type: "from",
        address_attributes: ADDRESS,
      });
    const pages = [1, 2, 3].map((page) => call(service, `GET ${BOOK}?page=${page}`, { token: bearer }));
    const answers = (await Promise.all(pages)).map((answer) => answer.json);
    expect(answers.flatMap(({ data }) => data.map((one: Parsed) => one.alias_name))).toEqual(
      Array.from({ length: 45 }, (_, n) => `T${n + 1}`),
    );
    expect(answers[0].meta).toEqual({
      total_count: 45,
      per_page: 20,
      current_page: 1,
      total_pages: 3,
      next_page: 2,
      prev_page: null,
    });
    expect(answers[2].meta).toMatchObject({ current_page: 3, next_page: null, prev_page: 2 });
    const small = await call(service, `GET ${BOOK}?page=2&per_page=7`, { token: bearer });
    expect(small.json.data.map((one: Parsed) => one.alias_name)).toEqual([
      "T8",
      "T9",
      "T10",
      "T11",
      "T12",
      "T13",
      "T14",
    ]);
    expect((await call(service, `GET ${BOOK}?page=9`, { token: bearer })).json.data).toEqual([]);
  });

  test("per_page over 20 is capped or rejected, as chosen", async () => {
    const service = await start();
    const bearer = await token(service);
    expect((await call(service, `GET ${BOOK}?per_page=21`, { token: bearer })).json.meta.per_page).toBe(20);
    service.configure({ perPageOver: "reject" });
    expect([400, 422]).toContain((await call(service, `GET ${BOOK}?per_page=21`, { token: bearer })).status);
    expect([400, 422]).toContain((await call(service, `GET ${BOOK}?page=0`, { token: bearer })).status);
  });

  test("an account sees its own templates; clients may share an account", async () => {
    const service = await start();
    service.addClient({ environment: "test", clientId: "new-id", clientSecret: "s", account: "test:test-client-1" });
    await created(service, await token(service, 1), "Mine");
    expect((await call(service, `GET ${BOOK}`, { token: await token(service, 2) })).json.data).toEqual([]);
    const shared = await call(service, TOKEN, {
      body: { grant_type: "client_credentials", client_id: "new-id", client_secret: "s" },
    });
    expect((await call(service, `GET ${BOOK}`, { token: shared.json.access_token })).json.data).toHaveLength(1);
  });
});

describe("4.2 to 4.5 one template", () => {
  test("create answers 201 with what was sent, and get shows the same", async () => {
    const service = await start({ unknownFields: false });
    const bearer = await token(service);
    const long = "ñ".repeat(10_000);
    const made = await call(service, `POST ${BOOK}`, {
      token: bearer,
      body: template("Bodega “norte” \u2060", { reference: long, company: null, rfc: "" }),
    });
    expect(made.status).toBe(201);
    const { id, ...rest } = made.json.data;
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/);
    const address = {
      ...NO_ADDRESS,
      ...ADDRESS,
      reference: long,
      rfc: "",
      tax_id_number: null,
      tax_id_type: null,
    };
    expect(rest).toEqual({
      alias_name: "Bodega “norte” \u2060",
      address_type: "from",
      default: false,
      address,
      verified_carriers: [],
    });
    expect((await call(service, `GET ${BOOK}/${id}`, { token: bearer })).json).toEqual(made.json);
  });

  test("update changes the fields it names and no other; null, absent and empty are three things", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    const change = { alias_name: "B", address_attributes: { street_number: null, company: "" } };
    const { status, json } = await call(service, `PATCH ${BOOK}/${id}`, {
      token: bearer,
      body: { id, address_template: change },
    });
    expect(status).toBe(200);
    expect(json.data).toMatchObject({
      id,
      alias_name: "B",
      address_type: "from",
      address: { ...ADDRESS, street_number: null, company: "" },
    });
  });

  test("delete removes it for good; get, update, verify and a second delete are 404", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    expect((await call(service, `DELETE ${BOOK}/${id}`, { token: bearer })).status).toBe(200);
    const body = { address_template: { alias_name: "B" }, carriers: ["fedex"] };
    for (const line of [`GET ${BOOK}/${id}`, `DELETE ${BOOK}/${id}`])
      expect((await call(service, line, { token: bearer })).status).toBe(404);
    for (const line of [`PATCH ${BOOK}/${id}`, `POST ${BOOK}/${id}/verify_by_carriers`]) {
      expect((await call(service, line, { token: bearer, body })).status).toBe(404);
    }
  });

  test("another account's template is not found", async () => {
    const service = await start();
    const id = await created(service, await token(service, 1), "A");
    expect((await call(service, `GET ${BOOK}/${id}`, { token: await token(service, 2) })).status).toBe(404);
  });

  test("what Mexico requires is required, on create and on update", async () => {
    const service = await start({ validationShape: "errors-template-field" });
    const bearer = await token(service);
    const required = [
      "name",
      "street1",
      "postal_code",
      "area_level1",
      "area_level2",
      "area_level3",
      "country_code",
      "phone",
      "email",
      "reference",
    ];
    for (const field of required) {
      const answer = await call(service, `POST ${BOOK}`, {
        token: bearer,
        body: template("A", { [field]: undefined }),
      });
      if (field === "country_code") expect(answer.json.errors.address_template.country_code).toBeDefined();
      else expect(Object.keys(answer.json.errors.address_template)).toEqual([field]);
    }
    const id = await created(service, bearer, "A");
    const blank = { address_template: { address_attributes: { area_level3: "  " } } };
    expect(
      (await call(service, `PATCH ${BOOK}/${id}`, { token: bearer, body: blank })).json.errors.address_template,
    ).toEqual({ area_level3: ["no puede estar en blanco"] });
    const abroad = template("B", { country_code: "US", area_level3: undefined, reference: undefined });
    expect((await call(service, `POST ${BOOK}`, { token: bearer, body: abroad })).status).toBe(201);
    const unnamed = await call(service, `POST ${BOOK}`, {
      token: bearer,
      body: { address_template: { address_attributes: ADDRESS } },
    });
    expect(Object.keys(unnamed.json.errors.address_template)).toEqual(["alias_name", "address_type"]);
  });

  test("a body that is not the JSON asked for is refused", async () => {
    const service = await start();
    const bearer = await token(service);
    expect((await call(service, `POST ${BOOK}`, { token: bearer, body: "{" })).status).toBe(400);
    expect(
      (await call(service, `POST ${BOOK}`, { token: bearer, form: { a: "b" }, headers: { "content-type": FORM } }))
        .status,
    ).toBe(415);
    expect([400, 422]).toContain((await call(service, `POST ${BOOK}`, { token: bearer, body: {} })).status);
  });
});

describe("4.6 verify by carriers", () => {
  const verification = { stepMs: [40, 80] as [number, number], refusedShare: 0, otherShare: 0 };

  test("answers 202 with the template; the words move on to a verdict", async () => {
    // Long enough that whoever asks sees each step.
    const stepMs: [number, number] = [400, 800];
    const service = await start({ verification: { ...verification, stepMs, verdicts: { dhl: "rejected" } } });
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    const line = `POST ${BOOK}/${id}/verify_by_carriers`;
    const asked = await call(service, line, {
      token: bearer,
      body: { address_template_id: id, carriers: ["fedex", "dhl"] },
    });
    expect(asked.status).toBe(202);
    expect(asked.json.data.verified_carriers).toMatchObject([
      { carrier_name: "fedex", status: "pending_to_send", update_state: null, verification_id: null },
      { carrier_name: "dhl", status: "pending_to_send" },
    ]);
    const seen = new Set<string>();
    await until(async () => {
      const { json } = await call(service, `GET ${BOOK}/${id}`, { token: bearer });
      const words = json.data.verified_carriers.map((entry: Parsed) => entry.status);
      words.forEach((word: string) => seen.add(word));
      return words[1] === "rejected" && ["verified", "approved"].includes(words[0]);
    });
    expect(seen).toContain("process");
  });

  test("a carrier without verification refuses the whole call", async () => {
    const service = await start();
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    const line = `POST ${BOOK}/${id}/verify_by_carriers`;
    const answer = await call(service, line, { token: bearer, body: { carriers: ["fedex", "ampm"] } });
    expect([answer.status, answer.json]).toEqual([422, { error: "CARRIER_VERIFICATION_NOT_ENABLED" }]);
    expect((await call(service, `GET ${BOOK}/${id}`, { token: bearer })).json.data.verified_carriers).toEqual([]);
    expect([400, 422]).toContain((await call(service, line, { token: bearer, body: { carriers: [] } })).status);
    expect([400, 422]).toContain((await call(service, line, { token: bearer, body: {} })).status);
  });

  test("asking again starts anew, or leaves a verdict as it is", async () => {
    const service = await start({ verification: { ...verification, stepMs: [0, 0] } });
    const bearer = await token(service);
    const id = await created(service, bearer, "A");
    const line = `POST ${BOOK}/${id}/verify_by_carriers`;
    const ask = async () =>
      (await call(service, line, { token: bearer, body: { carriers: ["fedex"] } })).json.data.verified_carriers[0];
    await ask();
    service.setVerdict({ templateId: id, carrier: "fedex", status: "verified", verificationId: "V-1" });
    service.configure({ verification: { repeat: "keep" } });
    expect(await ask()).toMatchObject({ status: "verified", verification_id: "V-1" });
    service.configure({ verification: { repeat: "restart", stepMs: [5000, 5000] } });
    expect(await ask()).toMatchObject({ status: "pending_to_send", verification_id: "V-1" });
  });
});

describe("a bearer token", () => {
  test("missing, unknown, expired or revoked behind the client's back is a 401", async () => {
    const service = await start({ tokenLifetimeSeconds: 0.05 });
    expect((await call(service, `GET ${BOOK}`)).status).toBe(401);
    expect((await call(service, `GET ${BOOK}`, { token: "nonsense" })).status).toBe(401);
    const short = await token(service);
    await until(async () => (await call(service, `GET ${BOOK}`, { token: short })).status === 401);
    service.configure({ tokenLifetimeSeconds: 60 });
    const bearer = await token(service);
    expect((await call(service, `GET ${BOOK}`, { token: bearer })).status).toBe(200);
    expect(service.revokeTokens("test-client-1")).toBe(1);
    expect((await call(service, `GET ${BOOK}`, { token: bearer })).status).toBe(401);
  });

  test("of one environment is unknown to the other; one for reading does not write", async () => {
    const service = await start();
    const bearer = await token(service, 1, { scope: "read" });
    expect((await call(service, "GET /production/api/v1/address_templates", { token: bearer })).status).toBe(401);
    expect((await call(service, `GET ${BOOK}`, { token: bearer })).status).toBe(200);
    expect((await call(service, `POST ${BOOK}`, { token: bearer, body: template("A") })).status).toBe(403);
  });
});
