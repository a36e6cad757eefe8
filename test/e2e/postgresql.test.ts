import { afterAll, beforeAll, expect, test } from "vitest";
import { freshPostgres, type FreshPostgres } from "../adapters/store/postgresql/fresh-postgres.ts";
import { mapShops, type PlayedShop } from "../sandbox/play/mapped-shops.ts";
import * as pages from "../sandbox/play/pages.ts";
import { until } from "../sandbox/play/until.ts";
import { createVisitor } from "../sandbox/play/visitor.ts";
import { sandboxClient } from "../sandbox/shipping/options.ts";
import { startSandbox, type Sandbox } from "../sandbox/start.ts";
import { eachStepNeedsTheLast } from "./job-stage.ts";

/** The built server on PostgreSQL, two processes of it: what an owner did is there after every way in which they may end. */

const STORE = "bodegas-norte";
const SHOP = `${STORE}.myshopify.com`;
const LOCATIONS = ["Centro", "Oriente"];

const address = {
  address1: "Avenida Vallarta 100",
  address2: "Americana",
  city: "Guadalajara",
  provinceCode: "JAL",
  countryCode: "MX",
  zip: "44160",
  phone: "+523336150000",
};

let database: FreshPostgres;
let sandbox: Sandbox;
let shop: PlayedShop;

beforeAll(async () => {
  database = await freshPostgres();
  await database.query('DROP SCHEMA "public" CASCADE', 'CREATE SCHEMA "public"');
  const locations = LOCATIONS.map((name) => ({ name, fulfillsOnlineOrders: true, address }));
  sandbox = await startSandbox({
    databaseUrl: database.url,
    processes: 2,
    locale: "en",
    // A process may end between a write and its answer: the next one waits before it writes there again.
    appEnv: { QUARANTINE_LONGEST_MS: "1000", QUARANTINE_MARGIN_MS: "1000" },
    stores: [{ handle: STORE, name: "Bodegas Norte", locations }],
  });
  const { clientId, clientSecret } = sandboxClient("production", 1);
  shop = {
    name: "Bodegas Norte",
    state: sandbox.admin.state.shops.get(SHOP)!,
    visitor: createVisitor({ adminUrl: sandbox.adminUrl, store: STORE }),
    clientId,
    clientSecret,
    scope: null,
    carriers: [],
    verifyAfterChange: false,
  };
});
afterAll(async () => {
  await sandbox?.stop();
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
    withinMs: 60_000,
  });
  expect(templates()).toHaveLength(LOCATIONS.length);
}

test("credentials are saved and each location gets its template", async () => {
  await mapShops([shop]);
  await everythingIsThere("Calle Uno");
});

test("after a stop and a start everything is there", async () => {
  await sandbox.app.stop();
  await sandbox.app.start();
  await everythingIsThere("Calle Dos");
});

test("after a kill too", async () => {
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

test("processes whose connections are all cut go on by themselves", async () => {
  await database.query(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
  );
  await until({
    what: "Both processes in health",
    read: async () => Promise.all(sandbox.apps.map(async ({ url }) => (await fetch(`${url}/health`)).status)),
    holds: (answers) => answers.every((status) => status === 200),
    withinMs: 60_000,
  });
  expect(sandbox.app.running()).toBe(true);
  await everythingIsThere("Calle Seis");
});
