import { expect, test } from "vitest";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { welcomeShop } from "../../../app/shop/welcome-shop.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { SHOP } from "../../fakes/records.ts";
import { createWorld } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";

/**
 * A shop leaves and comes back, and Shopify tells of it early, late, twice, out of order and not at all, with faults in between. Whatever the
 * order is, secrets and rows go only while the shop is away, and they do go once Shopify says so.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

const PAYLOADS = {
  "app/uninstalled": { myshopify_domain: SHOP },
  "shop/redact": { shop_id: 1, shop_domain: SHOP },
};

function story(world: World) {
  let hooks = 0;
  const say = (topic: keyof typeof PAYLOADS, webhookId = `hook-${(hooks += 1)}`) =>
    receiveWebhook(world.services, { shop: SHOP, topic, webhookId, payload: PAYLOADS[topic] });
  const secret = { clientId: "client-1", clientSecret: "again", scope: null, redirectUri: null };
  const acts = {
    uninstall: () => world.shopify.uninstall(SHOP),
    async install() {
      world.shopify.install(SHOP);
      await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
      const stated = { environment: "test" as const, ...secret };
      await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
    },
    told: () => say("app/uninstalled"),
    toldTwice: async () => {
      await say("app/uninstalled", "twice");
      await say("app/uninstalled", "twice");
    },
    redact: () => say("shop/redact"),
    redactTwice: async () => {
      await say("shop/redact");
      await say("shop/redact");
    },
    fault: () => void (world.shopify.trouble = () => ({ delayMs: 100, fails: true })),
    slow: () => void (world.shopify.trouble = () => ({ delayMs: 20_000, fails: false })),
    well: () => void (world.shopify.trouble = () => ({ delayMs: 0, fails: false })),
  };
  return acts;
}

const kept = async ({ store }: World) => {
  const connection = await store.connections.find({ shop: SHOP, current: true });
  return {
    rows: (await store.shops.count({ shop: SHOP })) > 0,
    secret: connection?.clientSecret != null,
    sessions: store.forgotten.length,
  };
};

test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))("story %d", async (seed) => {
  const random = createSeededRandom(seed);
  const world = await createWorld({ seed });
  await world.addLocation(1);
  const worker = world.start();
  await world.runFor();
  const acts = story(world);
  const told: string[] = [];
  for (let step = 0; step < 14; step += 1) {
    const name = random.pick(Object.keys(acts) as (keyof typeof acts)[]);
    await acts[name]();
    told.push(name);
    const before = await kept(world);
    await world.runFor(random.pick([500, 20_000, 50_000, 3 * MINUTE_MS, HOUR_MS, 30 * HOUR_MS]));
    const after = await kept(world);
    if (world.shopify.isInstalled(SHOP)) expect({ told, ...after }).toEqual({ told, ...before });
  }
  await acts.well();
  const back = random.chance(0.5);
  if (back) await acts.install();
  else acts.uninstall();
  await acts.told();
  if (!back) await acts.redact();
  await world.runFor(30 * HOUR_MS);
  const after = await kept(world);
  if (back) expect({ told, ...after }).toMatchObject({ rows: true, secret: true });
  else expect({ told, ...after }).toMatchObject({ rows: false });
  if (back) {
    const shop = (await world.store.shops.find({ shop: SHOP }))!;
    expect({ told, ...shop }).toMatchObject({ uninstalledAtMs: null, uninstallToldAtMs: null, redactToldAtMs: null });
  }
  expect(world.account.duplicates()).toBe(0);
  await world.clock.runWhile(worker.stop());
});
