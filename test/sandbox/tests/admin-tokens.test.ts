import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { CREDENTIALS, SHOP, startFixture, STORE } from "./admin-fixture.ts";
import type { Answer, Fixture } from "./admin-fixture.ts";

let sandbox: Fixture;
beforeEach(async () => {
  sandbox = await startFixture();
});
afterEach(() => sandbox.stop());

const refresh = (token: unknown): Promise<Answer> =>
  sandbox.call(`/shops/${SHOP}/admin/oauth/access_token`, {
    method: "POST",
    body: {
      client_id: CREDENTIALS.apiKey,
      client_secret: CREDENTIALS.apiSecret,
      grant_type: "refresh_token",
      refresh_token: token,
    },
  });

describe("the token endpoint answers as Shopify's", () => {
  test("a session token becomes an offline token that expires, with a refresh token", async () => {
    const { status, body } = await sandbox.exchange();
    expect(status).toBe(200);
    expect(body).toMatchObject({ scope: "read_locations", expires_in: 3600, refresh_token_expires_in: 7_776_000 });
    expect(body.access_token).toMatch(/^shpat_/);
  });

  const refused: [string, Record<string, unknown>][] = [
    ["expired", { lifetimeSeconds: -1 }],
    ["of another app", { claims: { aud: "another" } }],
    ["of another store", { claims: { dest: "https://casa-jacaranda.myshopify.com" } }],
    ["not valid yet", { claims: { nbf: Math.floor(Date.now() / 1000) + 600 } }],
  ];
  test.each(refused)("a session token that is %s is refused", async (_case, options) => {
    const answer = await sandbox.exchange({ subject_token: await sandbox.sessionToken(options) });
    expect(answer).toMatchObject({ status: 400, body: { error: "invalid_subject_token" } });
  });

  test("a forged signature, wrong credentials and a non-expiring token are refused", async () => {
    const token = await sandbox.sessionToken();
    const forged = await sandbox.exchange({ subject_token: `${token.slice(0, -4)}AAAA` });
    const stranger = await sandbox.exchange({ client_secret: "wrong" });
    const lasting = await sandbox.exchange({ expiring: "0" });
    expect([forged.body.error, stranger.status, lasting.body.error]).toEqual([
      "invalid_subject_token",
      401,
      "invalid_request",
    ]);
  });

  test("a refresh token can be tried again until its replacement is used", async () => {
    const first = (await sandbox.exchange()).body.refresh_token;
    const second = (await refresh(first)).body.refresh_token;
    const again = await refresh(first);
    expect(again.status).toBe(200);
    expect((await refresh(second)).status).toBe(200);
    expect(await refresh(first)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
  });

  test("tokens die with the installation and are not revived by the next", async () => {
    const { body } = await sandbox.exchange();
    const post = (path: string): Promise<Answer> =>
      sandbox.call(`/sandbox/shops/${STORE}/${path}`, { method: "POST", body: {} });
    await post("uninstall");
    expect((await sandbox.exchange()).status).toBe(400);
    await post("install");
    expect((await refresh(body.refresh_token)).body.error).toBe("invalid_grant");
    const shop = sandbox.admin.state.shops.get(SHOP);
    expect(shop && sandbox.admin.tokens.isValid(shop, String(body.access_token))).toBe(false);
  });
});
