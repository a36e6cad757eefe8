import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { buildSchema, parse, validate } from "graphql";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { API_VERSION as APP_VERSION } from "../../../app/adapters/shopify/app.ts";
import { API_VERSION, ORDER_LOCATIONS, readOrder } from "../../../extensions/order-origin/src/order.ts";
import shouldRender from "../../../extensions/order-origin/src/should-render.ts";
import { gid, ORDER_ID, orderReply, part } from "./stage.ts";

const SCHEMA = new URL("../../sandbox/admin/shopify-admin-2026-10.graphql.gz", import.meta.url);

/** Fields of these would need the customer's data, which the app never asks for. */
const CUSTOMERS = /customer|email|phone|shippingAddress|billingAddress|destination/i;

let asked: { url: string; body: { variables: Record<string, unknown> } }[] = [];
let replies: unknown[] = [];

beforeEach(() => {
  asked = [];
  vi.stubGlobal("shopify", { data: { selected: [{ id: ORDER_ID }] } });
  vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
    asked.push({ url, body: JSON.parse(String(init.body)) as never });
    const reply = replies.shift();
    if (reply instanceof Error) throw reply;
    return Response.json(reply);
  });
});

afterEach(() => vi.unstubAllGlobals());

describe("what Shopify is asked", () => {
  test("is valid in its true schema, in the app's one version", () => {
    const schema = buildSchema(gunzipSync(readFileSync(SCHEMA)).toString("utf8"));
    expect(validate(schema, parse(ORDER_LOCATIONS))).toEqual([]);
    expect(API_VERSION).toBe(APP_VERSION);
  });

  test("is nothing of the customer", () => {
    expect(ORDER_LOCATIONS).not.toMatch(CUSTOMERS);
  });

  test("goes through the direct API, page by page", async () => {
    const first = orderReply([part(1)]);
    first.data.order.fulfillmentOrders.pageInfo = { hasNextPage: true, endCursor: "abc" as never };
    replies = [first, orderReply([part(2)])];
    expect(await readOrder(ORDER_ID)).toEqual({
      places: [
        { locationId: gid(1), name: "Bodega 1", address: "Tonalá 1, Roma Norte, Cuauhtémoc, 06700", kept: null },
        { locationId: gid(2), name: "Bodega 2", address: "Tonalá 2, Roma Norte, Cuauhtémoc, 06700", kept: null },
      ],
    });
    expect(asked.map(({ url }) => url)).toEqual(Array(2).fill(`shopify:admin/api/${API_VERSION}/graphql.json`));
    expect(asked.map(({ body }) => body.variables.after)).toEqual([null, "abc"]);
  });

  test("may fail in ways that can be tried again", async () => {
    replies = [
      { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] },
      new TypeError("Failed to fetch"),
    ];
    expect(await readOrder(ORDER_ID)).toEqual({ problem: "shopify" });
    expect(await readOrder(ORDER_ID)).toEqual({ problem: "shopify" });
  });
});

describe("the action's place in the menu", () => {
  test("is there when something leaves from a location, and when it can say why nobody knows", async () => {
    replies = [orderReply([part(1)]), { data: { order: null } }, orderReply([])];
    expect(await shouldRender()).toEqual({ display: true });
    expect(await shouldRender()).toEqual({ display: true });
    expect(await shouldRender()).toEqual({ display: false });
  });
});
