import { describe, expect, test } from "vitest";
import { decideRedaction } from "../../app/shop/decide-redaction.ts";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { welcomeShop } from "../../app/shop/welcome-shop.ts";
import { SHOP, shopRecord } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";
import { IS_WHOLE } from "../whole.ts";

/**
 * `shop/redact`: what erases a shop for good, and what must not.
 *
 * Long, because what erases a shop for good stands beside everything that must not.
 */

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const OTHER = "two.myshopify.com";

let hooks = 0;
const say = (world: World, topic: string, payload: object) =>
  receiveWebhook(world.services, { shop: SHOP, topic, webhookId: `hook-${(hooks += 1)}`, payload });
const redact = (world: World) => say(world, "shop/redact", { shop_id: 1, shop_domain: SHOP });
const told = (world: World) => say(world, "app/uninstalled", { myshopify_domain: SHOP });

interface Logged {
  alarm?: string;
  shop?: string;
  daysLeft?: number;
}

async function installed() {
  const world = await createWorld();
  const alarms: Logged[] = [];
  world.services.log = {
    ...world.services.log,
    error: (fields: Logged) => void (fields.alarm === "shop_redact" && alarms.push(fields)),
  };
  await world.store.shops.insert(shopRecord({ shop: OTHER }));
  await world.addLocation(1);
  const worker = world.start();
  await world.runFor();
  return { world, alarms, end: () => world.clock.runWhile(worker.stop()) };
}

/** The shop has left, as was confirmed, two days ago. */
async function departed() {
  const stage = await installed();
  stage.world.shopify.uninstall(SHOP);
  await told(stage.world);
  await stage.world.runFor(2 * DAY_MS);
  expect((await stage.world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).not.toBeNull();
  return stage;
}

const isErased = async ({ store }: World) => (await store.shops.count({ shop: SHOP })) === 0;

async function expectErased(world: World): Promise<void> {
  const { store } = world;
  expect(await isErased(world)).toBe(true);
  const own = { shop: SHOP };
  const left = await Promise.all([
    store.connections.count(own),
    store.details.count(own),
    store.links.count(own),
    store.workItems.count(own),
    store.activity.count(own),
    store.receipts.count(own),
  ]);
  expect(left).toEqual([0, 0, 0, 0, 0, 0]);
  expect(await store.shops.count({ shop: OTHER })).toBe(1);
}

async function expectInstalled(world: World): Promise<void> {
  expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ redactToldAtMs: null, uninstalledAtMs: null });
  expect(await world.store.connections.find({ shop: SHOP })).toMatchObject({ state: "active", version: 1 });
  expect(await world.store.details.count({ shop: SHOP })).toBe(1);
}

describe("shop/redact of a shop that has left", () => {
  test("is not confirmed by a refusal from before it came", async () => {
    const { world, end } = await installed();
    const refusedAtMs = world.clock.nowMs();
    await world.store.shops.update({ shop: SHOP }, { access: "refused", accessSinceMs: refusedAtMs, refusedAtMs });
    await world.runFor(90_000);
    world.shopify.uninstall(SHOP);
    await redact(world);
    await world.runFor(30_000);
    expect(await isErased(world)).toBe(false);
    await world.runFor(90_000);
    await expectErased(world);
    await end();
  });

  test("nor by one that a run met before, where nobody told that it was uninstalled", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await say(world, "locations/update", { id: 1 });
    await world.runFor(10 * 60_000);
    expect((await world.store.shops.find({ shop: SHOP }))!.access).toBe("refused");
    await redact(world);
    await world.runFor(30_000);
    expect(await isErased(world)).toBe(false);
    await world.runFor(90_000);
    await expectErased(world);
    await end();
  });

  test.each(["Shopify does not answer", "the shop is frozen"])(
    "while %s: waits, tells the operator every day, and erases it once Shopify says that it is gone",
    async (why) => {
      const { world, alarms, end } = await departed();
      const { shopify } = world;
      const trouble = (on: boolean) => {
        if (why === "the shop is frozen") shopify.freeze(SHOP, on);
        else shopify.trouble = () => ({ delayMs: 0, fails: on });
      };
      trouble(true);
      await redact(world);
      await world.runFor(DAY_MS - HOUR_MS);
      expect(alarms).toEqual([]);
      await world.runFor(2 * DAY_MS + 6 * HOUR_MS);
      expect(alarms.map(({ daysLeft }) => daysLeft)).toEqual([29, 28, 27]);
      expect(await isErased(world)).toBe(false);
      expect(await world.workItem("redact", "shop")).toMatchObject({ state: "active" });
      trouble(false);
      await world.runFor(4 * HOUR_MS + 60_000);
      await expectErased(world);
      await end();
    },
  );

  test("while Shopify does not answer, a person may decide to erase it", async () => {
    const { world, end } = await departed();
    world.shopify.trouble = () => ({ delayMs: 0, fails: true });
    await redact(world);
    await world.runFor(60_000);
    expect(await isErased(world)).toBe(false);
    await decideRedaction(world.services, { shop: SHOP, decision: "erase" });
    world.services.wake();
    await world.runFor(60_000);
    await expectErased(world);
    await end();
  });

  test("erases everything of it, and nothing of another", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(2 * DAY_MS);
    // Its sessions went when it left: there is nothing to ask Shopify with.
    world.shopify.holdSession(SHOP, false);
    expect(await redact(world)).toBe("accepted");
    await world.runFor(5_000);
    await expectErased(world);
    expect(await redact(world)).toBe("unknown_shop");
    await end();
  });

  test("that nobody told us of: once Shopify has refused twice, a minute apart, after the tokens were revoked", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await redact(world);
    await world.runFor(55_000);
    expect(await isErased(world)).toBe(false);
    await world.runFor(10_000);
    await expectErased(world);
    expect(world.calls).toContain("revoke");
    await end();
  });

  test("is not forgotten while the process is down", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(2 * DAY_MS);
    await end();
    await redact(world);
    expect(await isErased(world)).toBe(false);
    const next = world.start();
    await world.runFor(60_000);
    await expectErased(world);
    await world.clock.runWhile(next.stop());
  });
});

describe("shop/redact of a shop that is installed", () => {
  test.each(["too early or not meant", "repeated after a reinstall", "late, after a reinstall"])(
    "%s, erases nothing, and that is noted",
    async (when) => {
      const { world, end } = await installed();
      if (when !== "too early or not meant") {
        world.shopify.uninstall(SHOP);
        await told(world);
        await world.runFor(90_000);
        world.shopify.install(SHOP);
        await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
        await world.store.connections.update({ shop: SHOP }, { state: "active", version: 1 });
      }
      for (let turn = 0; turn < (when.startsWith("repeated") ? 3 : 1); turn += 1) {
        await redact(world);
        await world.runFor(2 * 60_000);
      }
      await expectInstalled(world);
      expect(await world.store.activity.count({ shop: SHOP, kind: "redact_kept" })).toBeGreaterThan(0);
      // Played to the end of the thirty days once in a short run.
      await world.runFor((IS_WHOLE || when.startsWith("late") ? 40 : 2) * DAY_MS);
      await expectInstalled(world);
      await end();
    },
  );

  test("that comes while a returning owner's first page is still opening leaves the shop and its new session", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(3 * 60_000);
    expect((await world.store.shops.find({ shop: SHOP }))!.uninstalledAtMs).not.toBeNull();
    world.shopify.install(SHOP);
    await redact(world);
    await world.runFor(10_000);
    expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ redactToldAtMs: null });
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
    await world.runFor(10_000);
    expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ redactToldAtMs: null, uninstalledAtMs: null });
    expect(await world.store.details.count({ shop: SHOP })).toBe(1);
    await end();
  });

  test("again between the confirmed uninstall and the erasing is not erased", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(2 * DAY_MS);
    const { eraseShop } = world.store;
    let back = false;
    world.services.store.eraseShop = async (shop, only) => {
      world.shopify.install(SHOP);
      if (!back) await welcomeShop(world.services, { shop });
      back = true;
      return eraseShop(shop, only);
    };
    await redact(world);
    await world.runFor(2 * 60_000);
    expect(back).toBe(true);
    expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ uninstalledAtMs: null, redactToldAtMs: null });
    expect(await world.store.details.count({ shop: SHOP })).toBe(1);
    await end();
  });
});

describe("shop/redact while Shopify says neither", () => {
  async function unclear() {
    const stage = await installed();
    stage.world.shopify.holdSession(SHOP, false);
    await redact(stage.world);
    await stage.world.runFor(1_000);
    return stage;
  }

  test("keeps asking, tells the operator every day, and never erases by itself", async () => {
    const { world, alarms, end } = await unclear();
    await world.runFor(23 * HOUR_MS);
    expect(alarms).toEqual([]);
    await world.runFor(39 * DAY_MS + 6 * HOUR_MS);
    expect(alarms).toHaveLength(40);
    expect(alarms[0]).toMatchObject({ shop: SHOP, daysLeft: 29 });
    expect(alarms.at(-1)).toMatchObject({ daysLeft: 0 });
    expect(await isErased(world)).toBe(false);
    expect(await world.workItem("redact", "shop")).toMatchObject({ state: "active" });
    await end();
  });

  test("goes on by itself as soon as Shopify says it", async () => {
    const { world, end } = await unclear();
    await world.runFor(2 * DAY_MS);
    world.shopify.holdSession(SHOP, true);
    world.shopify.uninstall(SHOP);
    await world.runFor(4 * HOUR_MS + 2 * 60_000);
    await expectErased(world);
    await end();
  });

  test.each([
    ["erase", true],
    ["keep", false],
  ] as const)("a person may decide: %s", async (redactDecision, erased) => {
    const { world, alarms, end } = await unclear();
    await world.runFor(2 * DAY_MS);
    await world.store.shops.update({ shop: SHOP }, { redactDecision });
    await world.requestWork("redact", "shop");
    world.services.wake();
    await world.runFor(60_000);
    expect(await isErased(world)).toBe(erased);
    if (!erased) {
      expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({
        redactToldAtMs: null,
        redactDecision: null,
      });
      const told = alarms.length;
      world.shopify.holdSession(SHOP, true);
      await world.runFor(2 * DAY_MS);
      expect(alarms).toHaveLength(told);
      await expectInstalled(world);
    }
    await end();
  });

  test("and lets us in after all, a person's word to erase counts for nothing", async () => {
    const { world, end } = await unclear();
    world.shopify.holdSession(SHOP, true);
    await world.store.shops.update({ shop: SHOP }, { redactDecision: "erase" });
    await world.requestWork("redact", "shop");
    world.services.wake();
    await world.runFor(60_000);
    await expectInstalled(world);
    await end();
  });
});
