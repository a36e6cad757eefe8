import { describe, expect, test } from "vitest";
import { connectAccount } from "../../app/use-cases/connect-account.ts";
import { receiveWebhook } from "../../app/use-cases/receive-webhook.ts";
import { ensureWelcomed, welcomeShop } from "../../app/use-cases/welcome-shop.ts";
import { Secret } from "../../app/domain/secret.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

const NEW = "nueva.myshopify.com";
const uninstalled = (world: World, webhookId: string) =>
  receiveWebhook(world.services, { shop: SHOP, topic: "app/uninstalled", webhookId, payload: { id: 1 } });

describe("a shop that comes", () => {
  test("is known once, however often it signs in, and everything of it is looked at", async () => {
    const world = await createWorld();
    await world.clock.runWhile(Promise.all([1, 2, 3].map(() => welcomeShop(world.services, { shop: NEW }))));
    expect(await world.store.shops.count({ shop: NEW })).toBe(1);
    expect(await world.store.activity.count({ shop: NEW, kind: "installed" })).toBe(1);
    expect((await world.target("reconcile", "shop", NEW)).wanted).toBe(1);
  });

  test("is there for each of several requests that come together, and again after it was erased", async () => {
    const world = await createWorld();
    const visit = async () => {
      await ensureWelcomed(world.services, { shop: NEW });
      return (await world.store.shops.find({ shop: NEW }))?.uninstalledAtMs;
    };
    expect(await world.clock.runWhile(Promise.all([visit(), visit(), visit()]))).toEqual([null, null, null]);
    await world.store.eraseShop(NEW);
    expect(await world.clock.runWhile(visit())).toBeNull();
    await world.store.shops.update({ shop: NEW }, { uninstalledAtMs: world.clock.nowMs() });
    expect(await world.clock.runWhile(visit())).toBeNull();
  });

  test("is welcome even while Shopify does not tell its name", async () => {
    const world = await createWorld();
    world.shopify.trouble = () => ({ delayMs: 1, fails: true });
    await world.clock.runWhile(welcomeShop(world.services, { shop: NEW }));
    expect(await world.store.shops.find({ shop: NEW })).toMatchObject({ displayName: null });
  });
});

async function reconnect(world: World): Promise<void> {
  const secret = { clientId: "client-1", clientSecret: "again", scope: null, redirectUri: null };
  const stated = { environment: "test" as const, ...secret };
  await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
}

describe("app/uninstalled", () => {
  async function installed() {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.settle();
    return { world, key, worker };
  }

  test("stops everything, forgets the secrets, and keeps details and links", async () => {
    const { world, worker } = await installed();
    world.shopify.uninstall(SHOP);
    await uninstalled(world, "w");
    await world.settle();
    const connection = (await world.store.connections.find({ shop: SHOP }))!;
    expect(connection).toMatchObject({
      state: "disconnected",
      version: 2,
      clientSecret: null,
      accessToken: null,
      refreshToken: null,
    });
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).not.toBeNull();
    expect(world.store.forgotten).toEqual([SHOP]);
    expect(world.calls).toContain("revoke");
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    expect(await world.store.details.count({ shop: SHOP })).toBe(1);
    const calls = world.calls.length;
    await world.settle(24 * 3_600_000);
    expect(world.calls.length).toBe(calls);
    await world.clock.runWhile(worker.stop());
  });

  test("that comes late, after a reinstall, does nothing", async () => {
    const { world, worker } = await installed();
    await uninstalled(world, "w");
    await world.settle();
    expect((await world.store.connections.find({ shop: SHOP }))!).toMatchObject({ state: "active", version: 1 });
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).toBeNull();
    await world.clock.runWhile(worker.stop());
  });

  test("that comes late finds what Shopify did not tell while the shop was gone", async () => {
    const { world, key, worker } = await installed();
    world.shopify.uninstall(SHOP);
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Centro" }));
    world.shopify.install(SHOP);
    await uninstalled(world, "w");
    await world.settle(90_000);
    expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
    await world.clock.runWhile(worker.stop());
  });

  test.each([
    ["an answer that took so long that the shop may be back", 20_000, () => Promise.resolve()],
    ["an answer from before the owner connected again", 5_000, reconnect],
  ] as const)("is not believed on %s", async (_title, delayMs, meanwhile) => {
    const { world, worker } = await installed();
    world.shopify.uninstall(SHOP);
    world.shopify.trouble = () => ({ delayMs, fails: false });
    await uninstalled(world, "w");
    await world.clock.runFor(1_000);
    world.shopify.install(SHOP);
    world.shopify.trouble = () => ({ delayMs: 0, fails: false });
    await meanwhile(world);
    await world.settle(60_000);
    expect((await world.store.connections.find({ shop: SHOP }))!.state).toBe("active");
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).toBeNull();
    await world.clock.runWhile(worker.stop());
  });

  test("forgets Shopify's sessions before the service is asked to revoke, so that a new sign-in stays", async () => {
    const { world, worker } = await installed();
    world.shopify.uninstall(SHOP);
    world.fateOf = () => ({ arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "silence" } });
    await uninstalled(world, "w");
    await world.clock.runFor(2_000);
    expect(world.store.forgotten).toEqual([SHOP]);
    await world.settle(60_000);
    expect(world.store.forgotten).toEqual([SHOP]);
    await world.clock.runWhile(worker.stop());
  });

  test("and a reinstall: connected again, the old links go on, and nothing is doubled", async () => {
    const { world, worker } = await installed();
    world.shopify.uninstall(SHOP);
    await uninstalled(world, "w");
    await world.settle();
    world.shopify.install(SHOP);
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
    await world.store.connections.update(
      { shop: SHOP },
      { state: "active", version: 3, clientSecret: new Secret("again") },
    );
    await world.raise("reconcile", "shop");
    world.services.wake();
    await world.settle();
    expect(world.account.templates.size).toBe(1);
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).toBeNull();
    await world.clock.runWhile(worker.stop());
  });

  test("noticed without a webhook, when Shopify refuses the shop's token", async () => {
    const { world, key, worker } = await installed();
    world.shopify.uninstall(SHOP);
    await world.raise("location", key);
    world.services.wake();
    await world.settle();
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).not.toBeNull();
    await world.clock.runWhile(worker.stop());
  });
});

test("a shop that Shopify froze is looked at again when it has thawed, though nothing says so", async () => {
  const world = await createWorld();
  const worker = world.start();
  await world.settle();
  const key = await world.addLocation(1);
  world.shopify.freeze(SHOP, true);
  await world.raise("location", key);
  await world.raise("reconcile", "shop");
  world.services.wake();
  await world.settle(24 * 3_600_000);
  expect(await world.target("location", key)).toMatchObject({ state: "blocked", reason: { code: "shopify_frozen" } });
  expect((await world.store.connections.find({ shop: SHOP }))!).toMatchObject({ state: "active", version: 1 });
  world.shopify.freeze(SHOP, false);
  await world.settle(20 * 60_000);
  expect(world.templateOf(key)).toBeDefined();
  await world.clock.runWhile(worker.stop());
});

test("activity is kept ninety days, receipts a week", async () => {
  const world = await createWorld();
  const worker = world.start();
  await world.settle();
  await receiveWebhook(world.services, { shop: SHOP, topic: "customers/redact", webhookId: "w", payload: {} });
  const oldest = world.clock.nowMs();
  await world.settle(8 * 24 * 3_600_000);
  expect(await world.store.receipts.count({ shop: SHOP })).toBe(0);
  expect(await world.store.activity.count({ shop: SHOP, atMs: { lte: oldest } })).toBeGreaterThan(0);
  await world.settle(83 * 24 * 3_600_000);
  expect(await world.store.activity.count({ shop: SHOP, atMs: { lte: oldest } })).toBe(0);
  await world.clock.runWhile(worker.stop());
});
