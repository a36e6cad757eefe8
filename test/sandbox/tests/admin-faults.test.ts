import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { AdminFaultRule } from "../admin/faults.ts";
import { CREDENTIALS, SHOP, startFixture } from "./admin-fixture.ts";
import type { Fixture } from "./admin-fixture.ts";

const SHOP_QUERY = "{ shop { name } }";

let sandbox: Fixture;
beforeEach(async () => {
  sandbox = await startFixture();
});
afterEach(() => sandbox.stop());

async function ask(token: unknown, signal?: AbortSignal): Promise<{ status: number; text: string }> {
  const response = await fetch(`${sandbox.admin.url}/shops/${SHOP}/admin/api/2026-10/graphql.json`, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-Shopify-Access-Token": String(token) },
    body: JSON.stringify({ query: SHOP_QUERY }),
    signal: signal ?? null,
  });
  return { status: response.status, text: await response.text() };
}

function refresh(refreshToken: unknown) {
  const { apiKey, apiSecret } = CREDENTIALS;
  return sandbox.call(`/shops/${SHOP}/admin/oauth/access_token`, {
    method: "POST",
    body: {
      client_id: apiKey,
      client_secret: apiSecret,
      grant_type: "refresh_token",
      refresh_token: refreshToken,
    },
  });
}

describe("a Shopify that answers oddly", () => {
  test("says any status, as an edge's page, as JSON or with nothing, where the token is good", async () => {
    const { access_token: token } = (await sandbox.exchange()).body;
    const bodies = [
      ["html", 403, /^<!doctype html>/],
      ["json", 430, /^\{"errors":"HTTP 430"\}$/],
      ["empty", 404, /^$/],
    ] as const;
    for (const [body, status, text] of bodies) {
      sandbox.admin.faults.set({ kind: "status", status, body, next: 1 });
      const answer = await ask(token);
      expect(answer.status).toBe(status);
      expect(answer.text).toMatch(text);
    }
    expect((await ask(token)).status).toBe(200);
    expect(sandbox.admin.faults.struck).toEqual({ status: 3 });
  });

  test("fails in what names one field alone", async () => {
    const { access_token: token } = (await sandbox.exchange()).body;
    sandbox.admin.faults.set([
      { kind: "status", field: "flowTriggerReceive" },
      { kind: "status", field: "shop", next: 1 },
    ]);
    expect([(await ask(token)).status, (await ask(token)).status]).toEqual([503, 200]);
    sandbox.admin.faults.clear();
  });

  test("throttles with HTTP 200, refuses a good refresh token with JSON, and leaves other grants alone", async () => {
    const { access_token: token, refresh_token: refreshToken } = (await sandbox.exchange()).body;
    sandbox.admin.faults.set([{ kind: "throttled", next: 1 }, { kind: "refused-refresh" }]);
    const throttled = await ask(token);
    expect([throttled.status, JSON.parse(throttled.text).errors[0].extensions.code]).toEqual([200, "THROTTLED"]);
    expect(await refresh(refreshToken)).toMatchObject({ status: 400, body: { error: "invalid_grant" } });
    expect((await sandbox.exchange()).status).toBe(200);
    sandbox.admin.faults.clear();
    sandbox.admin.faults.set({ kind: "refused-refresh", error: "invalid_client", next: 1 });
    expect(await refresh(refreshToken)).toMatchObject({ status: 401, body: { error: "invalid_client" } });
    expect((await refresh(refreshToken)).status).toBe(200);
  });

  test("gives no answer, or drops the connection; only in the store and at the place that is named, as often as chance has it", async () => {
    const { access_token: token } = (await sandbox.exchange()).body;
    sandbox.admin.faults.set({ kind: "hang", next: 1 });
    await expect(ask(token, AbortSignal.timeout(100))).rejects.toThrow("timeout");
    sandbox.admin.faults.set({ kind: "reset", next: 1 });
    await expect(ask(token)).rejects.toThrow("fetch failed");
    sandbox.admin.faults.set([
      { kind: "status", shop: "casa-jacaranda.myshopify.com" },
      { kind: "status", on: "token", body: "json" },
      { kind: "status", probability: 0.5 },
    ]);
    sandbox.admin.faults.random = () => 0.6;
    expect((await ask(token)).status).toBe(200);
    sandbox.admin.faults.random = () => 0.4;
    expect((await ask(token)).status).toBe(503);
    expect((await sandbox.exchange()).status).toBe(503);
  });

  test("is steered over HTTP too, and refuses a kind that is none", async () => {
    const rule: AdminFaultRule = { kind: "status", status: 406 };
    const set = await sandbox.call("/sandbox/shopify/faults", { method: "PUT", body: rule });
    expect(set.body).toEqual([rule]);
    const wrong = await sandbox.call("/sandbox/shopify/faults", { method: "PUT", body: { kind: "nonsense" } });
    expect([wrong.status, wrong.body.error]).toEqual([422, expect.stringContaining("kind")]);
    await sandbox.call("/sandbox/shopify/faults", { method: "DELETE" });
    expect(sandbox.admin.faults.list()).toEqual([]);
  });
});

test("what the app was shown of a store is told as it is answered", async () => {
  const shown: unknown[] = [];
  sandbox.admin.settings.onAnswer = ({ shop, data }) => shown.push({ shop, data });
  await sandbox.graphql(SHOP_QUERY);
  expect(shown).toEqual([{ shop: SHOP, data: { shop: { name: "Taller Copal" } } }]);
});

test("a delivery comes as often as the world has it, with one id", async () => {
  sandbox.admin.webhooks.copies = () => 2;
  const shop = sandbox.admin.state.shops.get(SHOP)!;
  sandbox.admin.locations.change(shop, [...shop.locations.keys()][0]!, { name: "Otro nombre" });
  await sandbox.admin.webhooks.idle();
  const ids = sandbox.app.received.map(({ headers }) => headers["x-shopify-webhook-id"]);
  expect(ids).toHaveLength(2);
  expect(new Set(ids).size).toBe(1);
});
