import { afterAll, beforeAll, expect, test } from "vitest";
import { freshPostgres, type FreshPostgres } from "../adapters/store/postgresql/fresh-postgres.ts";
import { startProxy, type Proxy } from "../adapters/store/postgresql/proxy.ts";
import { mapShops, type PlayedShop } from "../sandbox/play/mapped-shops.ts";
import { startOneShop } from "../sandbox/play/one-shop.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import type { Sandbox } from "../sandbox/start.ts";
import { IS_WHOLE } from "../whole.ts";
import { eachStepNeedsTheLast } from "./job-stage.ts";

/**
 * The built server on PostgreSQL, two processes of it: what an owner did is there after every way in which they may end. A short run kills
 * one of the two.
 */

const LOCATIONS = ["Centro", "Oriente"];

let database: FreshPostgres;
let proxy: Proxy;
let sandbox: Sandbox;
let shop: PlayedShop;

beforeAll(async () => {
  database = await freshPostgres();
  await database.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
  proxy = await startProxy(database.url);
  ({ sandbox, shop } = await startOneShop(LOCATIONS, {
    databaseUrl: proxy.url,
    processes: 2,
    // A process may end between a write and its answer: the next one waits before it writes there again.
    appEnv: { QUARANTINE_LONGEST_MS: "1000", QUARANTINE_MARGIN_MS: "1000" },
  }));
});
afterAll(async () => {
  proxy?.open();
  await sandbox?.stop();
  await proxy?.close();
  await database?.remove();
});
eachStepNeedsTheLast();

const templates = () => sandbox.shipping!.templates(shop.clientId, "production");
/** All that the owner did stands there, and a change in Shopify goes on to the service. */
async function everythingIsThere(street: string): Promise<void> {
  const settings = await pages.settings(shop);
  expect(settings.settings.contact.name).toBe("Marisol Cervantes");
  const rows = await pages.originRows(shop);
  expect(rows.filter(({ syncedAtMs }) => syncedAtMs !== null)).toHaveLength(LOCATIONS.length);
  const [location] = shop.state.locations.values();
  sandbox.admin.locations.change(shop.state, location!.id, { address: { address1: `${street} 7` } });
  await until({
    what: `The template with ${street}`,
    read: () => JSON.stringify(templates()),
    holds: (found) => found.includes(street),
  });
  expect(templates()).toHaveLength(LOCATIONS.length);
}

test("credentials are saved and each location gets its template", async () => {
  await mapShops([shop]);
  await everythingIsThere("Calle Uno");
});

test.runIf(IS_WHOLE)("after a stop and a start everything is there", async () => {
  await sandbox.app.stop();
  await sandbox.app.start();
  await everythingIsThere("Calle Dos");
});

test.runIf(IS_WHOLE)("after a kill too", async () => {
  await sandbox.app.kill();
  await sandbox.app.start();
  await everythingIsThere("Calle Tres");
});

test("after a kill of one of the two the other goes on, and what a page saved there is seen by both", async () => {
  await sandbox.apps[0]!.kill();
  await everythingIsThere("Calle Cuatro");
  await sandbox.apps[0]!.start();
  await everythingIsThere("Calle Cinco");
});

test.runIf(IS_WHOLE)("processes whose connections are all cut go on by themselves", async () => {
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await until({
    what: "Both processes in health",
    read: async () => Promise.all(sandbox.apps.map(async ({ url }) => (await fetch(`${url}/health`)).status)),
    holds: (answers) => answers.every((status) => status === 200),
  });
  expect(sandbox.app.running()).toBe(true);
  await everythingIsThere("Calle Seis");
});

test.runIf(IS_WHOLE)(
  "while the database is gone webhooks are refused, pages say so and nothing is written; then all goes on",
  async () => {
    const street = "Calle Siete";
    proxy.cut({ shut: true });
    sandbox.admin.webhooks.retryDelaysMs = Array.from({ length: 60 }, () => 1_000);
    const before = JSON.stringify(templates());
    const [location] = shop.state.locations.values();
    sandbox.admin.locations.change(shop.state, location!.id, { address: { address1: `${street} 7` } });
    const delivery = sandbox.admin.webhooks.deliveries.at(-1)!;
    await until({
      what: "A refused webhook",
      read: () => delivery.attempts,
      holds: (attempts) => attempts.some(({ status }) => status === null || status >= 500),
    });
    expect((await shop.visitor.open("/app")).status).toBeGreaterThanOrEqual(500);
    expect(JSON.stringify(templates())).toBe(before);
    proxy.open();
    await until({
      what: "The webhook that came again",
      read: () => delivery.outcome,
      holds: (outcome) => outcome === "delivered",
    });
    await everythingIsThere(street);
  },
);

test.runIf(IS_WHOLE)("at half a second a query pages answer, and a change still reaches the service", async () => {
  proxy.slow(250);
  expect((await shop.visitor.open("/app")).status).toBe(200);
  const street = "Calle Ocho";
  const [location] = shop.state.locations.values();
  sandbox.admin.locations.change(shop.state, location!.id, { address: { address1: `${street} 7` } });
  await until({
    what: `The template with ${street}`,
    read: () => JSON.stringify(templates()),
    holds: (found) => found.includes(street),
  });
  expect(templates()).toHaveLength(LOCATIONS.length);
  proxy.slow(0);
  await everythingIsThere("Calle Nueve");
});
