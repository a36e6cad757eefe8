import { createHmac } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { projectToml } from "../admin/server.ts";
import { CREDENTIALS, SHOP, startFixture, STORE } from "./admin-fixture.ts";
import type { Fixture } from "./admin-fixture.ts";

let sandbox: Fixture;
beforeEach(async () => {
  sandbox = await startFixture();
  sandbox.admin.webhooks.retryDelaysMs = [10, 20];
});
afterEach(() => sandbox.stop());

const locationIds = (): number[] => [...(sandbox.admin.state.shops.get(SHOP)?.locations.keys() ?? [])];
const topics = (): unknown[] => sandbox.app.received.map((one) => one.headers["x-shopify-topic"]).sort();
const change = (id: number | undefined, body: object): Promise<unknown> =>
  sandbox.call(`/sandbox/shops/${STORE}/locations/${id}`, { method: "PATCH", body });

describe("webhooks go out as Shopify's", () => {
  test("signed over the raw body, with Shopify's headers, to the declared uri", async () => {
    await change(locationIds()[0], { address: { zip: "06760" } });
    await sandbox.admin.webhooks.idle();
    const [one] = sandbox.app.received;
    expect(one?.url.pathname).toBe("/webhooks");
    expect(one?.headers).toMatchObject({
      "x-shopify-topic": "locations/update",
      "x-shopify-shop-domain": SHOP,
      "x-shopify-api-version": "2026-10",
      "x-shopify-hmac-sha256": createHmac("sha256", CREDENTIALS.apiSecret)
        .update(one?.body ?? "")
        .digest("base64"),
    });
    expect(JSON.parse(one?.body ?? "{}")).toMatchObject({ id: locationIds()[0], zip: "06760", active: true });
  });

  test("deactivation fires an update besides, deletion carries the id alone", async () => {
    const [id] = locationIds();
    await sandbox.call(`/sandbox/shops/${STORE}/locations/${id}/deactivate`, { method: "POST", body: {} });
    await sandbox.call(`/sandbox/shops/${STORE}/locations/${id}`, { method: "DELETE" });
    await sandbox.admin.webhooks.idle();
    expect(topics()).toEqual(["locations/deactivate", "locations/delete", "locations/update"]);
    const deletion = sandbox.app.received.find((one) => one.headers["x-shopify-topic"] === "locations/delete");
    expect(JSON.parse(deletion?.body ?? "{}")).toEqual({ id });
  });

  test("a topic that the toml leaves out does not arrive", async () => {
    sandbox.admin.deploy(projectToml().replace('"locations/update",', ""));
    await change(locationIds()[0], { name: "Otro nombre" });
    await sandbox.call(`/sandbox/shops/${STORE}/locations`, { method: "POST", body: { name: "Nueva" } });
    await sandbox.admin.webhooks.idle();
    expect(topics()).toEqual(["locations/create"]);
    expect(sandbox.admin.webhooks.deliveries[0]?.outcome).toBe("not subscribed");
  });

  test("a toml without the scope gets no location webhooks, and one with an unknown topic is refused", async () => {
    sandbox.admin.deploy(projectToml().replace('scopes = "read_locations"', 'scopes = ""'));
    await change(locationIds()[0], { name: "Otro nombre" });
    await sandbox.admin.webhooks.idle();
    expect(sandbox.app.received).toEqual([]);
    expect(() => sandbox.admin.deploy(projectToml().replace("locations/update", "locations/moved"))).toThrow(
      "locations/moved",
    );
  });

  test("the uri is the toml's", async () => {
    sandbox.admin.deploy(projectToml().replaceAll('uri = "/webhooks"', 'uri = "/elsewhere?x=1"'));
    await change(locationIds()[0], { name: "Otro nombre" });
    await sandbox.admin.webhooks.idle();
    expect(sandbox.app.received[0]?.url.href).toBe(`${sandbox.app.url}/elsewhere?x=1`);
  });

  test("a refused delivery comes again with the same id and payload, then is given up", async () => {
    sandbox.app.answer = () => ({ status: sandbox.app.received.length < 2 ? 500 : 200 });
    await change(locationIds()[0], { name: "Uno" });
    await sandbox.admin.webhooks.idle();
    const ids = sandbox.app.received.map((one) => one.headers["x-shopify-webhook-id"]);
    expect(ids).toHaveLength(2);
    expect(new Set(ids).size).toBe(1);
    sandbox.app.answer = () => ({ status: 302, headers: { Location: "/" } });
    await change(locationIds()[0], { name: "Dos" });
    await sandbox.admin.webhooks.idle();
    expect(sandbox.app.received).toHaveLength(5);
    expect(sandbox.admin.webhooks.deliveries.map((one) => one.outcome)).toEqual(["delivered", "given up"]);
  });

  test("any webhook can be sent several times, late, forged, or with another body", async () => {
    const post = (body: object): Promise<unknown> =>
      sandbox.call(`/sandbox/shops/${STORE}/webhooks`, { method: "POST", body });
    await post({ topic: "shop/redact", times: 3, delayMs: 20 });
    await post({ topic: "locations/update", payload: { id: 5 }, forged: true });
    await sandbox.admin.webhooks.idle();
    expect(topics()).toEqual(["locations/update", "shop/redact", "shop/redact", "shop/redact"]);
    const forged = sandbox.app.received.find((one) => one.headers["x-shopify-topic"] === "locations/update");
    expect(forged?.body).toBe('{"id":5}');
    const signature = createHmac("sha256", CREDENTIALS.apiSecret).update('{"id":5}').digest("base64");
    expect(forged?.headers["x-shopify-hmac-sha256"]).not.toBe(signature);
  });

  test("uninstalling ends the access first and then says so; granted scopes are announced", async () => {
    await sandbox.call(`/sandbox/shops/${STORE}/scopes`, { method: "POST", body: { scopes: ["read_orders"] } });
    await sandbox.call(`/sandbox/shops/${STORE}/uninstall`, { method: "POST", body: {} });
    await sandbox.admin.webhooks.idle();
    expect(topics()).toEqual(["app/scopes_update", "app/uninstalled"]);
    const scopes = sandbox.app.received.find((one) => one.headers["x-shopify-topic"] === "app/scopes_update");
    expect(JSON.parse(scopes?.body ?? "{}")).toMatchObject({
      previous: ["read_locations"],
      current: ["read_locations", "read_orders"],
    });
  });
});
