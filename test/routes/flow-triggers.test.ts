import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "smol-toml";
import { describe, expect, test } from "vitest";
import { flowPayload } from "../../app/adapters/shopify/flow-payload.ts";
import { FLOW_TRIGGERS } from "../../app/domain/flow/triggers.ts";
import { flowEventRecord, SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { act } from "./posting.ts";
import type { Answer, Route } from "./posting.ts";

/** The lifecycle callback by which Shopify Flow says which stores use the app's triggers. */

const load = () => import("../../app/routes/flow.triggers/route.ts");

const SAID = {
  flow_trigger_definition_id: "origin-ready",
  has_enabled_flow: true,
  shop_id: 1,
  shopify_domain: SHOP,
  timestamp: "2026-11-24T16:44:10.999Z",
};

async function send(world: World, said: object = {}, secret = "the app's secret"): Promise<Answer> {
  const body = JSON.stringify({ ...SAID, ...said });
  const headers = { "X-Shopify-Hmac-Sha256": createHmac("sha256", secret).update(body).digest("base64") };
  return act((await load()) as unknown as Route, { services: world.services, headers, body });
}

const flowOf = async (world: World) => (await world.store.shops.find({ shop: SHOP }))!.flow;

describe("a word of Flow about a trigger", () => {
  test.each(["origin-ready", "Origin ready"])("is noted for its store, by handle or name (%s)", async (called) => {
    const world = await createWorld();
    expect(await send(world, { flow_trigger_definition_id: called })).toMatchObject({ status: 200 });
    expect(await flowOf(world)).toEqual({ "origin-ready": { isUsed: true, toldMs: Date.parse(SAID.timestamp) } });
    expect(await send(world, { has_enabled_flow: false })).toMatchObject({ status: 200 });
    // The same time: nobody knows which was first, and a copy of an old word changes nothing.
    expect((await flowOf(world))["origin-ready"]!.isUsed).toBe(true);
    expect(await send(world, { has_enabled_flow: false, timestamp: "2026-11-24T16:44:11Z" })).toMatchObject({
      status: 200,
    });
    expect((await flowOf(world))["origin-ready"]!.isUsed).toBe(false);
  });

  test("that Shopify has not signed, of no time, of no trigger of ours or of a store without the app is refused", async () => {
    const world = await createWorld();
    expect(await send(world, {}, "another")).toMatchObject({ status: 401 });
    expect(await send(world, { timestamp: "yesterday" })).toMatchObject({ status: 400 });
    expect(await send(world, { flow_trigger_definition_id: "another" })).toMatchObject({ status: 404 });
    expect(await send(world, { shopify_domain: "two.myshopify.com" })).toMatchObject({ status: 404 });
    await world.store.shops.update({ shop: SHOP }, { uninstalledAtMs: 1 });
    expect(await send(world)).toMatchObject({ status: 404 });
    expect(await flowOf(world)).toEqual({});
  });
});

interface Toml {
  extensions: { name: string; handle: string; type: string; url?: string }[];
  settings?: { fields: { key: string }[] };
}

const tomlOf = (name: string) =>
  parse(
    readFileSync(join(import.meta.dirname, `../../extensions/${name}/shopify.extension.toml`), "utf8"),
  ) as unknown as Toml;

test.each(Object.entries(FLOW_TRIGGERS))("the extension of %s declares what an event has", (handle, name) => {
  const { extensions, settings } = tomlOf(`flow-${handle}`);
  expect(extensions).toMatchObject([{ handle, name, type: "flow_trigger" }]);
  const payload = flowPayload(flowEventRecord(), "key");
  expect(settings!.fields.map(({ key }) => key).toSorted()).toEqual(Object.keys(payload).toSorted());
  expect(payload.Page).toBe("https://admin.shopify.com/store/one/apps/key/app/origins/1");
});

test("the callback is where Flow is told that it is", () => {
  expect(tomlOf("flow-lifecycle").extensions).toMatchObject([{ url: "/flow/triggers" }]);
});
