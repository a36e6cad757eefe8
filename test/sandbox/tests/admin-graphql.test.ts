import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startFixture, STORE } from "./admin-fixture.ts";
import type { Fixture } from "./admin-fixture.ts";

let sandbox: Fixture;
beforeEach(async () => {
  sandbox = await startFixture();
});
afterEach(() => sandbox.stop());

const ORDERS = `{ orders(first: 3) { nodes { name fulfillmentOrders(first: 2) { nodes { status assignedLocation { name location { id } } } } } } }`;
const ORDER_SCOPES = ["read_orders", "read_merchant_managed_fulfillment_orders"];
const codes = (body: { errors?: { extensions?: Record<string, unknown> }[] }): unknown[] =>
  (body.errors ?? []).map((one) => one.extensions?.code);
const grant = (scopes: string[]): Promise<unknown> =>
  sandbox.call(`/sandbox/shops/${STORE}/scopes`, { method: "POST", body: { scopes } });

describe("the Admin API answers as Shopify's", () => {
  test("locations come in pages whose cursor survives a deletion", async () => {
    const query = `query ($after: String) { locations(first: 2, after: $after, includeInactive: true, includeLegacy: true, sortKey: ID) {
      nodes { legacyResourceId } pageInfo { hasNextPage endCursor } } }`;
    const seen: string[] = [];
    let after: string | null = null;
    do {
      const { data, errors } = await sandbox.graphql(query, { after });
      expect(errors).toBeUndefined();
      const page = data?.locations as unknown as {
        nodes: { legacyResourceId: string }[];
        pageInfo: { hasNextPage: boolean; endCursor: string };
      };
      seen.push(...page.nodes.map((node) => node.legacyResourceId));
      if (seen.length === 2) await sandbox.call(`/sandbox/shops/${STORE}/locations/${seen[1]}`, { method: "DELETE" });
      after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null;
    } while (after);
    expect(new Set(seen).size).toBe(6);
  });

  test("inactive locations and fulfilment services' come only when asked for", async () => {
    const [first] = [...(sandbox.admin.state.shops.get(`${STORE}.myshopify.com`)?.locations.keys() ?? [])];
    await sandbox.call(`/sandbox/shops/${STORE}/locations/${first}/deactivate`, { method: "POST", body: {} });
    const { data } = await sandbox.graphql(
      `{ few: locations(first: 50) { nodes { id } } all: locations(first: 50, includeInactive: true, includeLegacy: true) { nodes { id } } }`,
    );
    const counts = Object.fromEntries(
      Object.entries(data ?? {}).map(([key, page]) => [key, (page as { nodes: [] }).nodes.length]),
    );
    expect(counts).toEqual({ few: 4, all: 6 });
  });

  test("a field without its scope is ACCESS_DENIED and names the scope", async () => {
    const { errors, data } = await sandbox.graphql(ORDERS);
    expect(data).toBeNull();
    expect(errors?.[0]).toMatchObject({
      message: "Access denied for orders field. Required access: `read_orders` access scope.",
      path: ["orders"],
      extensions: { code: "ACCESS_DENIED", requiredAccess: "`read_orders` access scope." },
    });
  });

  test("a toml without read_locations closes the locations", async () => {
    sandbox.admin.state.config.scopes = [];
    expect(codes(await sandbox.graphql(`{ locations(first: 1) { nodes { id } } }`))).toEqual(["ACCESS_DENIED"]);
  });

  test("granted optional scopes open the orders, and customer data stays closed", async () => {
    await grant(ORDER_SCOPES);
    const open = await sandbox.graphql(ORDERS);
    expect(open.errors).toBeUndefined();
    expect(JSON.stringify(open.data)).toContain("gid://shopify/Location/");
    expect(codes(await sandbox.graphql(`{ orders(first: 1) { nodes { email } } }`))).toEqual(["ACCESS_DENIED"]);
  });

  test("orders need the protected-data approval too, and reach back sixty days", async () => {
    await grant(ORDER_SCOPES);
    const names = await sandbox.graphql(`{ orders(first: 50) { nodes { name } } }`);
    expect(JSON.stringify(names.data)).not.toContain("#1001");
    await sandbox.call("/sandbox/settings", { method: "PUT", body: { protectedDataApproved: false } });
    const { errors } = await sandbox.graphql(ORDERS);
    expect(errors?.[0]?.message).toMatch(/^This app is not approved to access the Order object\./);
  });

  test("a query over 1,000 points is refused before it runs", async () => {
    const { errors, data } = await sandbox.graphql(
      `{ locations(first: 250) { nodes { id address { zip } fulfillmentService { id } a: address { city } } } }`,
    );
    expect(data).toBeUndefined();
    expect(errors?.[0]).toMatchObject({ extensions: { code: "MAX_COST_EXCEEDED", maxCost: 1000, cost: 1002 } });
  });

  test("a page's size counts when it comes in a variable", async () => {
    const query = `query ($n: Int = 250) { locations(first: $n) { nodes { address { zip } a: address { zip } b: address { zip } c: address { zip } } } }`;
    expect(codes(await sandbox.graphql(query))).toEqual(["MAX_COST_EXCEEDED"]);
    expect(codes(await sandbox.graphql(query, { n: 5 }))).toEqual([]);
  });

  test("an emptied bucket answers THROTTLED with what is left", async () => {
    sandbox.admin.throttle.maximum = 60;
    sandbox.admin.throttle.restorePerSecond = 0;
    const query = `{ locations(first: 50) { nodes { id } } }`;
    const first = await sandbox.graphql(query);
    expect(first.extensions?.cost).toMatchObject({ requestedQueryCost: 52 });
    sandbox.admin.throttle.take(`${STORE}.myshopify.com`, 30);
    const second = await sandbox.graphql(query);
    expect(codes(second)).toEqual(["THROTTLED"]);
    expect(second.extensions?.cost?.throttleStatus).toMatchObject({ maximumAvailable: 60 });
  });

  test("a field the schema has not is an error, one the sandbox has not is another", async () => {
    expect((await sandbox.graphql(`{ shop { nonsense } }`)).errors?.[0]?.message).toMatch(/Cannot query field/);
    expect(codes(await sandbox.graphql(`{ products(first: 1) { nodes { id } } }`))).toEqual(["NOT_IN_SANDBOX"]);
  });

  test("connections want a size", async () => {
    expect(codes(await sandbox.graphql(`{ locations { nodes { id } } }`))).toEqual(["BAD_REQUEST"]);
  });

  test("an unknown version, a wrong token and another store's token are refused", async () => {
    const token = String((await sandbox.exchange()).body.access_token);
    const ask = (shop: string, version: string, access: string): Promise<{ status: number }> =>
      sandbox.call(`/shops/${shop}/admin/api/${version}/graphql.json`, {
        method: "POST",
        body: { query: "{ shop { name } }" },
        headers: { "X-Shopify-Access-Token": access },
      });
    const answers = await Promise.all([
      ask(`${STORE}.myshopify.com`, "2026-10", token),
      ask(`${STORE}.myshopify.com`, "2031-01", token),
      ask(`${STORE}.myshopify.com`, "2026-10", "shpat_wrong"),
      ask("casa-jacaranda.myshopify.com", "2026-10", token),
    ]);
    expect(answers.map((answer) => answer.status)).toEqual([200, 404, 401, 401]);
  });
});
