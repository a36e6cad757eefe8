import type { Session } from "@shopify/shopify-api";
import { expect, test } from "vitest";
import { readHome } from "../../app/pages/read-home.ts";
import { readShell } from "../../app/pages/read-shell.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { welcomeShop } from "../../app/shop/welcome-shop.ts";
import { SHOP } from "../fakes/records.ts";
import { sessionsIn } from "../fakes/sessions.ts";
import { createShopifyServer, shopifyOver } from "../fakes/shopify-server.ts";
import type { ShopifyOutcome } from "../fakes/shopify-server.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";

/** The whole app over the true adapter, while Shopify's server answers oddly: a shop's credentials outlive all of it. */

const HOUR_MS = 3_600_000;
const TRUE: ShopifyOutcome = { delayMs: 20, answer: "true" };

async function connected() {
  const world = await createWorld();
  const sessions = new Map<string, Session>();
  let outcome: (operation: string) => ShopifyOutcome = () => TRUE;
  const server = createShopifyServer({
    state: world.shopify,
    clock: world.clock,
    newId: () => world.services.random.id(),
    livesSeconds: 3_600,
    outcomeOf: ({ operation }) => outcome(operation),
  });
  const { clock, log } = world.services;
  world.services.shopify = shopifyOver({ fetch: server.fetch, storage: sessionsIn(sessions), clock, log });
  const signIn = async () => {
    const session = server.signIn(SHOP);
    sessions.set(session.id, session);
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
  };
  await signIn();
  const key = await world.addLocation(1);
  const worker = world.start();
  await world.runFor();
  return {
    world,
    key,
    server,
    sessions,
    signIn,
    meet: (next: typeof outcome) => void (outcome = next),
    end: () => world.clock.runWhile(worker.stop()),
  };
}

type Stage = Awaited<ReturnType<typeof connected>>;

async function expectConnected({ world, sessions }: Stage): Promise<void> {
  const connection = (await world.store.connections.find({ shop: SHOP }))!;
  expect(connection).toMatchObject({ state: "active", version: 1 });
  expect(connection.clientSecret?.reveal()).toBe("client-secret-1");
  expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).toBeNull();
  expect(world.store.forgotten).toEqual([]);
  expect(sessions.size).toBe(1);
}

const change = ({ world }: Stage, name: string) => {
  world.shopify.put(SHOP, shopifyLocation(1, { name }));
  const hook = { topic: "locations/update", webhookId: name, payload: { id: 1 } };
  return receiveWebhook(world.services, { shop: SHOP, ...hook });
};

const HTML = "<html>blocked</html>";
const UNAUTHORIZED = { status: 401, body: JSON.stringify({ errors: "[API] Invalid API key or access token" }) };
const refusal = (error: string, status = 400) => ({ status, body: JSON.stringify({ error, error_description: "" }) });
const graphql = (answer: ShopifyOutcome["answer"]) => () => ({ ...TRUE, answer });
const both = (call: ShopifyOutcome["answer"], refresh: ShopifyOutcome["answer"]) => (operation: string) => ({
  ...TRUE,
  answer: operation === "refresh" ? refresh : call,
});

const ODD: [string, (operation: string) => ShopifyOutcome][] = [
  ["400", graphql({ status: 400, body: "{}" })],
  ["403, HTML", graphql({ status: 403, body: HTML })],
  ["404", graphql({ status: 404, body: '{"errors":"Not Found"}' })],
  ["406", graphql({ status: 406, body: HTML })],
  ["430", graphql({ status: 430, body: HTML })],
  ["500", graphql({ status: 500, body: HTML })],
  ["503", graphql({ status: 503, body: "" })],
  ["200, HTML", graphql({ status: 200, body: HTML })],
  ["402", graphql({ status: 402, body: "{}" })],
  ["423", graphql({ status: 423, body: "{}" })],
  ["401, and 403 to the refresh", both(UNAUTHORIZED, { status: 403, body: HTML })],
  ["401, and invalid_client to the refresh", both(UNAUTHORIZED, refusal("invalid_client", 401))],
  ["401, and invalid_request to the refresh", both(UNAUTHORIZED, refusal("invalid_request", 401))],
  ["401, and invalid_grant to the refresh", both(UNAUTHORIZED, refusal("invalid_grant"))],
  ["a reset", graphql("reset")],
  ["silence", graphql("silence")],
];

test.each(ODD)("five seconds of %s during a location's webhook cost nothing but time", async (_what, outcome) => {
  const stage = await connected();
  const { world, key, meet, end } = stage;
  meet(outcome);
  await change(stage, "Centro");
  await world.runFor(5_000);
  meet(() => TRUE);
  await world.runFor(20 * 60_000);
  await expectConnected(stage);
  expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
  expect((await readShell(world.services, { shop: SHOP }))!.shopify).toBeNull();
  await end();
});

test.each(ODD)("days of %s keep everything too, and all goes on by itself", async (_what, outcome) => {
  const stage = await connected();
  const { world, key, meet, end } = stage;
  meet(outcome);
  await change(stage, "Centro");
  await world.runFor(2 * 24 * HOUR_MS);
  await expectConnected(stage);
  meet(() => TRUE);
  await world.runFor(30 * 60_000);
  await expectConnected(stage);
  expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
  await end();
});

test.each([
  ["its own cursor again", "c-1"],
  ["no cursor", null],
])(
  "a list of locations whose page says that there are more, and gives %s, is told and asked seldom",
  async (_what, endCursor) => {
    const stage = await connected();
    const { world, key, meet, end } = stage;
    const locations = { nodes: [], pageInfo: { hasNextPage: true, endCursor } };
    const body = JSON.stringify({ data: { locations } });
    let pages = 0;
    meet((operation) => {
      if (operation !== "OrigenLocations") return TRUE;
      pages += 1;
      return { ...TRUE, answer: { status: 200, body } };
    });
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await change(stage, "Centro");
    await world.runFor(15 * 60_000);
    expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
    expect((await readHome(world.services, { shop: SHOP }))!.troubles).toMatchObject([
      { trouble: "locations", failure: { code: "shopify_unavailable" } },
    ]);
    expect(pages).toBeLessThanOrEqual(100);
    meet(() => TRUE);
    await world.runFor(20 * 60_000);
    expect((await readHome(world.services, { shop: SHOP }))!.troubles).toEqual([]);
    await expectConnected(stage);
    await end();
  },
);

test("an hour with a wrong API secret loses nothing, alarms the operator, and ends with the right one", async () => {
  const stage = await connected();
  const { world, key, meet, end } = stage;
  const alarms: Record<string, unknown>[] = [];
  world.services.log.error = (fields: Record<string, unknown>) => void alarms.push(fields);
  meet((operation) => ({ ...TRUE, answer: operation === "refresh" ? refusal("invalid_client", 401) : "true" }));
  await world.runFor(HOUR_MS);
  await change(stage, "Centro");
  await world.runFor(HOUR_MS);
  await expectConnected(stage);
  expect(world.templateOf(key)!.alias_name).not.toMatch(/^Centro /);
  expect(alarms.filter(({ alarm }) => alarm === "shopify_api_secret").length).toBeGreaterThan(0);
  meet(() => TRUE);
  await world.runFor(20 * 60_000);
  await expectConnected(stage);
  expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
  await end();
});

test("an uninstall is known by its webhook and two refusals, and a new sign-in begins again", async () => {
  const stage = await connected();
  const { world, server, signIn, end } = stage;
  server.uninstall(SHOP);
  const hook = { topic: "app/uninstalled", webhookId: "w", payload: { myshopify_domain: SHOP } };
  await receiveWebhook(world.services, { shop: SHOP, ...hook });
  await world.runFor(55_000);
  expect((await world.store.connections.find({ shop: SHOP }))!.clientSecret).not.toBeNull();
  await world.runFor(10_000);
  expect((await world.store.connections.find({ shop: SHOP }))!).toMatchObject({
    state: "disconnected",
    clientSecret: null,
  });
  server.install(SHOP);
  await signIn();
  expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).toBeNull();
  await end();
});
