import { expect, test } from "vitest";
import type { StandIn } from "./stand-in.ts";
import { ask, BOOK, credentials, made, tokenOf } from "./ask.ts";

/** docs/shipping-interface.md, 4.7 to 4.9, and 5. */

const TOKEN = "POST /oauth/token";
const REVOKE = "POST /oauth/revoke";
const INTROSPECT = "POST /oauth/introspect";
const TOKEN_ERROR = { error: expect.any(String), error_description: expect.any(String) };

export function tokensContract(now: () => StandIn): void {
  const grant = () => ({ grant_type: "client_credentials", ...credentials(now().clients[0]) });

  test.each(["form", "body"] as const)("a token has the stated fields; asked as %s", async (how) => {
    const { status, json } = await ask(now(), TOKEN, { [how]: grant() });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      access_token: expect.any(String),
      token_type: "Bearer",
      expires_in: expect.any(Number),
      scope: expect.any(String),
      created_at: expect.any(Number),
    });
    expect(Number.isInteger(json.expires_in)).toBe(true);
    expect((await ask(now(), `GET ${BOOK}`, { token: json.access_token })).status).toBe(200);
  });

  test.each(["client_id", "client_secret"])("without %s it is 400 and a token error", async (name) => {
    const form: Record<string, string> = grant();
    delete form[name];
    expect(await ask(now(), TOKEN, { form })).toMatchObject({ status: 400, json: TOKEN_ERROR });
  });

  test.each(["client_id", "client_secret"])("with a wrong %s it is 401 and a token error", async (name) => {
    const form = { ...grant(), [name]: "wrong" };
    expect(await ask(now(), TOKEN, { form })).toMatchObject({ status: 401, json: TOKEN_ERROR });
  });

  test("credentials of one environment are wrong on the other, and so is its token", async () => {
    const environment = "production";
    expect(await ask(now(), TOKEN, { form: grant(), environment })).toMatchObject({ status: 401, json: TOKEN_ERROR });
    const token = await tokenOf(now());
    expect((await ask(now(), `GET ${BOOK}`, { token, environment })).status).toBe(401);
  });

  test("a grant that the interface does not name is refused", async () => {
    const answer = await ask(now(), TOKEN, { form: { ...grant(), grant_type: "password" } });
    expect(answer).toMatchObject({ status: 400, json: TOKEN_ERROR });
  });

  test("a refresh token gives a token once, to its own client alone", async () => {
    const { refresh_token } = (await ask(now(), TOKEN, { form: grant() })).json;
    const refresh = { grant_type: "refresh_token", refresh_token };
    const stranger = await ask(now(), TOKEN, { form: { ...refresh, ...credentials(now().clients[1]) } });
    expect(stranger).toMatchObject({ status: expect.any(Number), json: TOKEN_ERROR });
    const own = { ...refresh, ...credentials(now().clients[0]) };
    const renewed = await ask(now(), TOKEN, { form: own });
    expect(renewed.status).toBe(200);
    expect((await ask(now(), `GET ${BOOK}`, { token: renewed.json.access_token })).status).toBe(200);
    expect(await ask(now(), TOKEN, { form: own })).toMatchObject({ json: TOKEN_ERROR });
  });

  test.each(["", "nobody-gave-this"])(
    "a resource asked for with the token '%s' is 401 and has no effect",
    async (token) => {
      expect((await ask(now(), `GET ${BOOK}`, { token })).status).toBe(401);
      expect((await ask(now(), `DELETE ${BOOK}/${await made(now(), await tokenOf(now()))}`, { token })).status).toBe(
        401,
      );
      expect((await ask(now(), `GET ${BOOK}`, { token: await tokenOf(now()) })).json.meta.total_count).toBe(1);
    },
  );

  test("a token that has ended is 401; another one of the client goes on", async () => {
    const token = await tokenOf(now());
    now().endTokens(now().clients[0]);
    expect((await ask(now(), `GET ${BOOK}`, { token })).status).toBe(401);
    expect((await ask(now(), `GET ${BOOK}`, { token: await tokenOf(now()) })).status).toBe(200);
  });

  test("a token that was revoked is 401, and inactive", async () => {
    const token = await tokenOf(now());
    const form = { ...credentials(now().clients[0]), token, token_type_hint: "access_token" };
    expect(await ask(now(), INTROSPECT, { form })).toMatchObject({ status: 200, json: { active: true } });
    expect(await ask(now(), REVOKE, { form })).toMatchObject({ status: 200, json: {} });
    expect((await ask(now(), `GET ${BOOK}`, { token })).status).toBe(401);
    expect((await ask(now(), INTROSPECT, { form })).json).toMatchObject({ active: false });
    expect((await ask(now(), REVOKE, { form })).status).toBe(200);
  });

  test("who may not revoke a token is 403 and a token error, and the token goes on", async () => {
    const token = await tokenOf(now());
    const [own, other] = now().clients;
    for (const who of [{ ...credentials(own), client_secret: "wrong" }, credentials(other)])
      expect(await ask(now(), REVOKE, { form: { ...who, token } })).toMatchObject({ status: 403, json: TOKEN_ERROR });
    expect((await ask(now(), `GET ${BOOK}`, { token })).status).toBe(200);
  });

  test("another client's token is inactive to whoever asks", async () => {
    const token = await tokenOf(now());
    const form = { ...credentials(now().clients[1]), token };
    expect(await ask(now(), INTROSPECT, { form })).toMatchObject({ status: 200, json: { active: false } });
  });

  test("every request counts as its client's, those for tokens too", async () => {
    const [own, other] = now().clients;
    const token = await tokenOf(now());
    await ask(now(), `GET ${BOOK}`, { token });
    await ask(now(), `GET ${BOOK}/nothing`, { token });
    expect([now().arrivals(own), now().arrivals(other)]).toEqual([3, 0]);
  });
}
