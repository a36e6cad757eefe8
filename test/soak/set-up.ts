import { until } from "../sandbox/play/until.ts";
import * as pages from "./pages.ts";
import { confirmNewOnes } from "./people/owners.ts";
import type { SoakShop, SoakWorld } from "./world.ts";

/** Each shop as its owner sets it up, with nothing failing yet: connected, its contact said once, every location confirmed and mapped. */

const PATIENCE_MS = 240_000;

export async function setUp(world: SoakWorld): Promise<void> {
  for (const shop of world.shops) {
    const opened = await shop.visitor.open("/app");
    if (opened.status !== 200) throw new Error(`${shop.name}: the frame answered ${opened.status}`);
    await connect(shop);
    await say(shop);
  }
  for (const shop of world.shops) await mapAll(world, shop);
  for (const shop of world.shops)
    await until({
      what: `The templates of ${shop.name}`,
      read: async () => (await pages.originRows(shop)).filter(({ syncedAtMs }) => syncedAtMs !== null).length,
      holds: (synced) => synced >= shop.locations,
      withinMs: PATIENCE_MS,
    });
}

async function connect(shop: SoakShop): Promise<void> {
  const { clientId, clientSecret, scope } = shop;
  const stated = { environment: "production" as const, clientId, clientSecret, scope, redirectUri: null };
  const { outcome } = await pages.askSettings(shop, { intent: "connect", ...stated });
  if (outcome.kind !== "connected") throw new Error(`${shop.name} was not connected: ${JSON.stringify(outcome)}`);
}

async function say(shop: SoakShop): Promise<void> {
  const { revision, settings } = await pages.settings(shop);
  const contact = {
    name: "Marisol Cervantes",
    company: shop.name,
    email: "envios@bodegas.example",
    phone: null,
    reference: "Portón de madera",
    rfc: null,
  };
  // Carriers' answers cost calls: the smallest shop asks after each change, the others when a button is pressed.
  const verifyAfterChange = shop.application === 2;
  const policies = { ...settings.policies, carriers: ["fedex"], verifyAfterChange };
  const { outcome } = await pages.askSettings(shop, {
    intent: "save",
    revision,
    settings: { ...settings, contact, policies },
  });
  if (outcome.kind !== "saved") throw new Error(`${shop.name}: ${JSON.stringify(outcome)}`);
}

async function mapAll(world: SoakWorld, shop: SoakShop): Promise<void> {
  await until({
    what: `The locations of ${shop.name}`,
    read: async () => (await pages.review(shop)).rows.length,
    holds: (rows) => rows >= shop.locations,
    withinMs: PATIENCE_MS,
  });
  await confirmNewOnes(world, shop);
}
