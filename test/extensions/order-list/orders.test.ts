import { readFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { buildSchema, parse, validate } from "graphql";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MOST_ORDERS, ORDERS_LOCATIONS, readOrders } from "../../../extensions/order-list/src/orders.ts";
import shouldRender from "../../../extensions/order-list/src/should-render.ts";
import { requestedCost } from "../../sandbox/admin/graphql/cost.ts";
import { orderReply, part } from "../order-origin/stage.ts";
import { denied, listReply, orderId, partsOf } from "./orders-stage.ts";
import type { Asked } from "./orders-stage.ts";

/** What Shopify is asked of the selected orders, and what is made of its answers. */

const SCHEMA = new URL("../../sandbox/admin/shopify-admin-2026-10.graphql.gz", import.meta.url);

/** Fields of these would need the customer's data, which the app never asks for. */
const CUSTOMERS = /customer|email|phone|shippingAddress|billingAddress|destination/i;

let asked: Asked[] = [];
let answer: (question: Asked) => unknown = () => ({});

function select(ids: string[]): void {
  vi.stubGlobal("shopify", { data: { selected: ids.map((id) => ({ id })) } });
}

beforeEach(() => {
  asked = [];
  vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
    const question = JSON.parse(String(init.body)) as Asked;
    asked.push(question);
    const said = answer(question);
    return typeof said === "string" ? new Response(said) : Response.json(said);
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const many = (count: number) => Array.from({ length: count }, (_one, at) => orderId(at));
const read = (ids: string[]) => {
  select(ids);
  return readOrders(ids);
};

describe("what Shopify is asked", () => {
  test("is valid in its true schema, costs at most 1,000 points a page, and is nothing of the customer", async () => {
    const schema = buildSchema(gunzipSync(readFileSync(SCHEMA)).toString("utf8"));
    const document = parse(ORDERS_LOCATIONS);
    expect(validate(schema, document)).toEqual([]);
    expect(ORDERS_LOCATIONS).not.toMatch(CUSTOMERS);
    // Each order has more parts than the first page tells.
    answer = ({ query, variables }) =>
      query.includes("nodes(ids")
        ? listReply(variables.ids, (id) => partsOf(id, variables.parts, variables.parts < 7))
        : orderReply([part(1)]);
    await read(many(120));
    const costs = asked.map(({ variables }) => requestedCost({ schema, document, variables: { ...variables } }));
    expect(Math.max(...costs)).toBeLessThanOrEqual(1_000);
    expect(Math.max(...costs)).toBeGreaterThan(890);
  });

  test("is one query a page of fifty", async () => {
    answer = ({ variables }) => listReply(variables.ids, (id) => partsOf(id, 1));
    await read(many(250));
    expect(asked.map(({ variables }) => variables.ids.length)).toEqual([50, 50, 50, 50, 50]);
  });

  test("is asked again once the store has its points back", async () => {
    vi.useFakeTimers();
    const throttleStatus = { currentlyAvailable: 700, restoreRate: 100 };
    answer = ({ variables }) =>
      asked.length === 1
        ? {
            errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }],
            extensions: { cost: { requestedQueryCost: 900, throttleStatus } },
          }
        : listReply(variables.ids, (id) => partsOf(id, 1));
    const reading = read(many(3));
    await vi.advanceTimersByTimeAsync(1_900);
    expect(asked).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(200);
    expect(await reading).toMatchObject({ places: [{ orders: 3 }] });
  });

  test("is given up where the points never come back", async () => {
    vi.useFakeTimers();
    answer = () => ({ errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] });
    const reading = read(many(3));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await reading).toEqual({ problem: "shopify" });
    expect(asked.length).toBeLessThan(10);
  });
});

describe("what is made of the answers", () => {
  test("is each location once, with how many orders leave from it, most first", async () => {
    const parts = [[part(1)], [part(1), part(2), part(2)], [part(2, { status: "CANCELLED" }), part(1)]];
    answer = ({ variables }) => listReply(variables.ids, (id) => ({ nodes: parts[Number(id.at(-1))]! }));
    const reading = await read(many(3));
    expect(reading).toMatchObject({
      places: [
        { name: "Bodega 1", orders: 3 },
        { name: "Bodega 2", orders: 1 },
      ],
      without: 0,
      unreadable: 0,
      beyond: 0,
    });
  });

  test("says apart orders without a location, and orders that may not be read", async () => {
    answer = ({ variables }) =>
      listReply(variables.ids, (id) => (id.endsWith("0") ? null : { nodes: id.endsWith("1") ? [] : [part(7)] }));
    expect(await read(many(10))).toMatchObject({ places: [{ orders: 8 }], without: 1, unreadable: 1 });
  });

  test("has a location that Shopify deleted by its name", async () => {
    answer = ({ variables }) => listReply(variables.ids, () => ({ nodes: [part(4, { deleted: true })] }));
    expect(await read(many(2))).toMatchObject({ places: [{ locationId: null, name: "Bodega 4", orders: 2 }] });
  });

  test("has all parts of an order with more than a page", async () => {
    answer = ({ query, variables }) => {
      if (!query.includes("nodes(ids")) return orderReply(Array.from({ length: 60 }, (_one, at) => part(at + 1)));
      return listReply(variables.ids, (id) =>
        id.endsWith("0")
          ? partsOf(id, variables.parts, true)
          : partsOf(id, Math.min(12, variables.parts), variables.parts < 12),
      );
    };
    const reading = await read(many(2));
    expect((reading as { places: unknown[] }).places).toHaveLength(60);
    expect(reading).toMatchObject({ without: 0, unreadable: 0 });
  });

  test("is the first orders of a selection that is too large, and how many are beyond", async () => {
    answer = ({ variables }) => listReply(variables.ids, (id) => partsOf(id, 1));
    expect(await read(many(MOST_ORDERS + 7))).toMatchObject({ places: [{ orders: MOST_ORDERS }], beyond: 7 });
  });

  test.each([
    ["scope", "Access denied for order field. Required access: `read_orders`"],
    ["protected", "This app is not approved to access the Order object."],
  ])(
    "is the one reason (%s) where no order may be read, by whichever way Shopify says it",
    async (problem, message) => {
      answer = ({ query, variables }) =>
        query.includes("nodes(ids") ? listReply(variables.ids, () => null) : denied(message);
      expect(await read(many(3))).toEqual({ problem });
      answer = () => denied(message);
      expect(await read(many(3))).toEqual({ problem });
    },
  );

  test("is that all are too old where each of them is", async () => {
    answer = ({ query, variables }) =>
      query.includes("nodes(ids") ? listReply(variables.ids, () => null) : { data: { order: null } };
    expect(await read(many(3))).toEqual({ places: [], without: 0, unreadable: 3, beyond: 0, unanswered: 0 });
  });

  test("is not that nothing ships from here where Shopify answers only for an order of which nothing does", async () => {
    const elsewhere = [part(1, { status: "CANCELLED" })];
    answer = ({ query }) =>
      query.includes("nodes(ids") ? { errors: [{ message: "Internal error" }] } : orderReply(elsewhere);
    expect(await read(many(3))).toEqual({ problem: "shopify" });
  });

  test.each([
    ["refuses", () => ({ errors: [{ message: "Internal error" }], data: null })],
    ["does not answer", () => "no JSON"],
  ])("goes on where Shopify %s one page, and says how many orders it left out", async (_what, fails) => {
    answer = ({ variables }) =>
      variables.ids[0] === orderId(50) ? fails() : listReply(variables.ids, (id) => partsOf(id, 1));
    expect(await read(many(130))).toEqual({
      places: [expect.objectContaining({ orders: 80 })],
      without: 0,
      unreadable: 0,
      unanswered: 50,
      beyond: 0,
    });
  });

  test("asks one by one for the long orders of a page that Shopify refuses", async () => {
    answer = ({ query, variables }) => {
      if (!query.includes("nodes(ids")) return orderReply([part(1), part(2)]);
      return variables.parts > 5
        ? { errors: [{ message: "Internal error" }] }
        : listReply(variables.ids, (id) => partsOf(id, 5, true));
    };
    expect(await read(many(3))).toMatchObject({
      places: [{ orders: 3 }, { orders: 3 }],
      unanswered: 0,
    });
  });

  test("has no answer missing of a long order that nothing ships of any more", async () => {
    answer = ({ query, variables }) => {
      if (!query.includes("nodes(ids")) return orderReply([part(1, { status: "CANCELLED" })]);
      return variables.parts > 5
        ? { errors: [{ message: "Internal error" }] }
        : listReply(variables.ids, (id) => partsOf(id, id === orderId(0) ? 5 : 1, id === orderId(0)));
    };
    expect(await read(many(3))).toMatchObject({ places: [{ orders: 2 }], without: 1, unanswered: 0 });
  });

  test("counts no order by some of its parts where Shopify does not tell the others", async () => {
    answer = ({ query, variables }) => {
      const isPage = query.includes("nodes(ids") && variables.parts === 5;
      if (!isPage) return { errors: [{ message: "Internal error" }] };
      return listReply(variables.ids, (id) => partsOf(id, id === orderId(0) ? 5 : 1, id === orderId(0)));
    };
    expect(await read(many(3))).toMatchObject({ places: [{ orders: 2 }], unanswered: 1 });
  });

  test("asks no more where Shopify's points do not come back, and says how many orders it left out", async () => {
    vi.useFakeTimers();
    answer = ({ variables }) =>
      asked.length === 1
        ? listReply(variables.ids, (id) => partsOf(id, 1))
        : { errors: [{ message: "Throttled", extensions: { code: "THROTTLED" } }] };
    const reading = read(many(250));
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await reading).toMatchObject({ places: [{ orders: 50 }], unanswered: 200 });
    expect(asked.length).toBeLessThan(10);
  });

  test("is a failure that can be tried again where Shopify does not answer", async () => {
    answer = () => {
      throw new TypeError("Failed to fetch");
    };
    expect(await read(many(3))).toEqual({ problem: "shopify" });
  });
});

test("the action is offered for a selection of orders, and asks nobody for that", async () => {
  select(many(2));
  expect(await shouldRender()).toEqual({ display: true });
  select([]);
  expect(await shouldRender()).toEqual({ display: false });
  expect(asked).toEqual([]);
});
