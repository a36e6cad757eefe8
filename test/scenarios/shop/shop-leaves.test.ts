import { describe, expect, test } from "vitest";
import type { ConnectionRecord } from "../../../app/domain/records.ts";
import { Secret } from "../../../app/domain/secret.ts";
import { connectAccount } from "../../../app/account/connect-account.ts";
import { openOnVisit } from "../../../app/shop/open-on-visit.ts";
import { readShell } from "../../../app/pages/read-shell.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { refreshOrigin } from "../../../app/origins/refresh-origin.ts";
import { requestVerification } from "../../../app/verification/request-verification.ts";
import { welcomeShop } from "../../../app/shop/welcome-shop.ts";
import { claimWorkItem } from "../../../app/runs/claim.ts";
import { connectionRecord, SHOP } from "../../fakes/records.ts";
import { PROMPT } from "../../fakes/shipping/network.ts";
import { createWorld, shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { IS_WHOLE } from "../../whole.ts";

/**
 * What an uninstall erases, and what everything that only looks like one does not.
 *
 * Long, because whatever erases a shop's secrets stands beside everything that must not.
 */

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

let hooks = 0;
const told = (world: World) =>
  receiveWebhook(world.services, {
    shop: SHOP,
    topic: "app/uninstalled",
    webhookId: `uninstalled-${(hooks += 1)}`,
    payload: { myshopify_domain: SHOP },
  });

async function installed() {
  const world = await createWorld();
  const key = await world.addLocation(1);
  let worker = world.start();
  await world.runFor();
  const end = () => world.clock.runWhile(worker.stop());
  /** So much time passes while the app is not running. */
  const off = async (ms: number) => {
    await end();
    await world.runFor(ms);
    worker = world.start();
  };
  return { world, key, end, off };
}

const connectionOf = async ({ store }: World) => (await store.connections.find({ shop: SHOP, current: true }))!;
const shopOf = async ({ store }: World) => (await store.shops.find({ shop: SHOP }))!;
const KEPT = { state: "active", version: 1 } as const;
const FORGOTTEN = { state: "disconnected", clientSecret: null, accessToken: null, refreshToken: null } as const;

async function expectKept(world: World): Promise<void> {
  const connection = await connectionOf(world);
  expect(connection).toMatchObject(KEPT);
  expect(connection.clientSecret?.reveal()).toBe("client-secret-1");
  expect((await shopOf(world)).uninstalledAtMs).toBeNull();
  expect(world.store.forgotten).toEqual([]);
  expect(world.calls).not.toContain("revoke");
}

/** A change in Shopify, and its webhook. */
async function change({ shopify, services }: World, name: string): Promise<void> {
  shopify.put(SHOP, shopifyLocation(1, { name }));
  const payload = { id: 1 };
  await receiveWebhook(services, { shop: SHOP, topic: "locations/update", webhookId: `name ${name}`, payload });
}

const view = async (world: World) => (await readShell(world.services, { shop: SHOP }))!.shopify;

test("a passing refusal that the look after it no longer meets holds nothing back", async () => {
  const { world, key, end } = await installed();
  const well = world.shopify.trouble;
  world.shopify.uninstall(SHOP);
  await change(world, "Centro");
  let asked = 0;
  world.shopify.trouble = () => ({ delayMs: 0, fails: (asked += 1) > 1 });
  await world.runFor(5_000);
  expect(await world.workItem("location", key)).toMatchObject({
    state: "blocked",
    reason: { code: "shopify_refused" },
  });
  expect(await shopOf(world)).toMatchObject({ access: "open" });
  world.shopify.install(SHOP);
  world.shopify.trouble = well;
  await world.runFor(5 * MINUTE_MS);
  expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
  expect(await world.workItem("location", key)).toMatchObject({ state: "active", reason: null });
  await end();
});

describe("a received app/uninstalled", () => {
  test("confirmed twice, a minute apart, revokes and forgets, and keeps details and links", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(55_000);
    await expectKept(world);
    await world.runFor(30_000);
    expect(await connectionOf(world)).toMatchObject({ ...FORGOTTEN, version: 2 });
    expect((await shopOf(world)).uninstalledAtMs).not.toBeNull();
    expect(world.store.forgotten).toEqual([SHOP]);
    expect(world.calls).toContain("revoke");
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    expect(await world.store.details.count({ shop: SHOP })).toBe(1);
    const calls = world.calls.length;
    await world.runFor(DAY_MS);
    expect(world.calls.length).toBe(calls);
    await end();
  });

  test("leaves the session alone that a returning owner brings, however late its process goes on", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    const { connections } = world.store;
    const { list } = connections;
    const stopped = Promise.withResolvers<void>();
    connections.list = async (where, options) => {
      if (where.state === "disconnected") await stopped.promise;
      return list(where, options);
    };
    await world.runFor(90_000);
    expect((await shopOf(world)).uninstalledAtMs).not.toBeNull();
    expect(world.store.forgotten).toEqual([SHOP]);
    world.shopify.install(SHOP);
    await welcomeShop(world.services, { shop: SHOP });
    stopped.resolve();
    await world.runFor(MINUTE_MS);
    expect(world.store.forgotten).toEqual([SHOP]);
    await end();
  });

  test("that nothing confirms yet lets no page read from the service either", async () => {
    const { world, key, end } = await installed();
    world.shopify.holdSession(SHOP, false);
    await told(world);
    await world.runFor(MINUTE_MS);
    const calls = world.calls.length;
    const looks = [
      refreshAddressBook(world.services, { shop: SHOP, force: true }),
      refreshOrigin(world.services, { shop: SHOP, locationId: key, force: true }),
    ];
    for (const look of looks) expect(await world.clock.runWhile(look)).toBe("unreachable");
    expect(world.calls.length).toBe(calls);
    await end();
  });

  test("is not confirmed by a refusal from before it was told", async () => {
    const { world, end } = await installed();
    const refusedAtMs = world.clock.nowMs();
    await world.store.shops.update({ shop: SHOP }, { access: "refused", accessSinceMs: refusedAtMs, refusedAtMs });
    await world.runFor(90_000);
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(30_000);
    await expectKept(world);
    await world.runFor(60_000);
    expect(await connectionOf(world)).toMatchObject(FORGOTTEN);
    await end();
  });

  test("is not confirmed by a refusal from before it was told that this process met itself", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await change(world, "Centro");
    await world.runFor(90_000);
    expect(await shopOf(world)).toMatchObject({ access: "refused", uninstallToldAtMs: null });
    await told(world);
    await world.runFor(30_000);
    await expectKept(world);
    await world.runFor(60_000);
    expect(await connectionOf(world)).toMatchObject(FORGOTTEN);
    await end();
  });

  test("forgets nothing where the owner comes back after the second refusal, before anything follows from it", async () => {
    const { world, end } = await installed();
    const { services, store } = world;
    const { standing } = services.shopify;
    const { transaction } = store;
    let questions = 0;
    let noted = 0;
    services.shopify.standing = async (shop) => {
      const answer = await standing(shop);
      questions += 1;
      return answer;
    };
    store.transaction = async (shop, work) => {
      if (questions === 2 && noted++ === 1) {
        world.shopify.install(SHOP);
        await welcomeShop(services, { shop: SHOP });
      }
      return transaction(shop, work);
    };
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(2 * MINUTE_MS);
    expect(noted).toBeGreaterThan(1);
    await expectKept(world);
    expect(await view(world)).toBeNull();
    await end();
  });

  test("finds a refusal forgotten that came before Shopify answered a reading of ours", async () => {
    const { world, end } = await installed();
    const nobodys = world.shopify.trouble;
    world.shopify.trouble = () => ({ delayMs: 20_000, fails: false });
    await change(world, "Centro");
    await world.runFor(5_000);
    const nowMs = world.clock.nowMs();
    const refused = { access: "refused", accessSinceMs: nowMs, refusedAtMs: nowMs } as const;
    await world.store.shops.update({ shop: SHOP }, refused);
    expect(await shopOf(world)).toMatchObject({ refusedAtMs: nowMs });
    await world.runFor(20_000);
    expect(await shopOf(world)).toMatchObject({ refusedAtMs: null });
    world.shopify.trouble = nobodys;
    await end();
  });

  test("lets nothing wait that was asked for meanwhile, once the shop is back", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(10_000);
    const { templateId } = (await world.store.links.find({ shop: SHOP }))!;
    await requestVerification(world.services, { shop: SHOP, templateId, carriers: ["fedex"] });
    await world.runFor(2 * MINUTE_MS);
    expect(await connectionOf(world)).toMatchObject(FORGOTTEN);
    world.shopify.install(SHOP);
    await welcomeShop(world.services, { shop: SHOP });
    const stated = {
      environment: "test",
      clientId: "client-1",
      clientSecret: "new",
      scope: null,
      redirectUri: null,
    } as const;
    await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
    await world.runFor(MINUTE_MS);
    expect(await world.store.verifications.count({ shop: SHOP, outcome: "wanted" })).toBe(0);
    expect(world.calls).toContain("verify");
    await end();
  });

  test("forgets the secrets of connections that were set aside, too", async () => {
    const { world, end } = await installed();
    const aside: ConnectionRecord = connectionRecord({
      id: "aside",
      clientId: "client-2",
      environment: "production",
      state: "aside",
      current: false,
      accessToken: new Secret("a"),
    });
    await world.store.connections.insert(aside);
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(90_000);
    expect(await world.store.connections.find({ id: "aside" })).toMatchObject({ ...FORGOTTEN, version: 2 });
    await end();
  });

  test("stops all sending at once; what changed meanwhile goes when Shopify says that it was late", async () => {
    const { world, key, end } = await installed();
    world.shopify.trouble = () => ({ delayMs: 0, fails: true });
    await told(world);
    await change(world, "Centro");
    const calls = world.calls.length;
    await world.runFor(HOUR_MS);
    expect(world.calls.length).toBe(calls);
    expect(await world.workItem("location", key)).toMatchObject({
      state: "active",
      reason: { code: "uninstall_told" },
    });
    expect(await view(world)).toMatchObject({ why: "uninstall_told" });
    await expectKept(world);

    world.shopify.trouble = () => ({ delayMs: 0, fails: false });
    await world.runFor(HOUR_MS);
    expect(await view(world)).toBeNull();
    expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
    await expectKept(world);
    await end();
  });

  test("that comes late, after a reinstall, finds at once what Shopify did not tell while the shop was gone", async () => {
    const { world, key, end } = await installed();
    world.shopify.uninstall(SHOP);
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Centro" }));
    world.shopify.install(SHOP);
    await told(world);
    await world.runFor(10_000);
    expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
    await expectKept(world);
    await end();
  });

  test.each(["no session", "a frozen shop", "no answer"])(
    "that meets %s is shown, keeps everything for 30 days, and then forgets",
    async (what) => {
      const { world, end, off } = await installed();
      if (what === "no session") world.shopify.holdSession(SHOP, false);
      if (what === "a frozen shop") world.shopify.freeze(SHOP, true);
      if (what === "no answer") world.shopify.trouble = () => ({ delayMs: 0, fails: true });
      await told(world);
      await world.runFor(HOUR_MS);
      const asked = world.shopify.calls.standing;
      const asks = () => world.shopify.calls.standing - asked;
      // The days count, however many of them the app was running: all of them, or the last three.
      const runs = what === "no session";
      if (!runs) await off(27 * DAY_MS);
      await world.runFor((runs ? 29 : 2) * DAY_MS + 22 * HOUR_MS);
      await expectKept(world);
      expect(await view(world)).toMatchObject({ why: "uninstall_told" });
      expect(asks()).toBeGreaterThan(runs ? 170 : 10);
      expect(asks()).toBeLessThan(runs ? 200 : 25);
      await world.runFor(30 * HOUR_MS);
      expect(await connectionOf(world)).toMatchObject(FORGOTTEN);
      expect((await shopOf(world)).uninstalledAtMs).not.toBeNull();
      expect(world.store.forgotten).toEqual([SHOP]);
      expect(await world.store.details.count({ shop: SHOP })).toBe(1);
      await end();
    },
  );

  test("is forgotten with a new session, and so is a refusal before it", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(50_000);
    world.shopify.install(SHOP);
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
    expect(await view(world)).toBeNull();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(50_000);
    await expectKept(world);
    await end();
  });

  test("is confirmed by refusals a minute apart on the row, whichever process heard them", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(10_000);
    const { refusedAtMs } = await shopOf(world);
    expect(refusedAtMs).not.toBeNull();
    await end();
    const next = world.start();
    await world.runFor(30_000);
    await expectKept(world);
    expect((await shopOf(world)).refusedAtMs).toBe(refusedAtMs);
    // The new process asked at once, and asks again a minute later.
    await world.runFor(60_000);
    expect(await connectionOf(world)).toMatchObject(FORGOTTEN);
    await world.clock.runWhile(next.stop());
  });

  async function reconnect(world: World): Promise<void> {
    const secret = { clientId: "client-1", clientSecret: "again", scope: null, redirectUri: null };
    const stated = { environment: "test" as const, ...secret };
    await world.clock.runWhile(connectAccount(world.services, { shop: SHOP, stated }));
  }

  test.each([
    ["an answer that took so long that the shop may be back", 20_000, () => Promise.resolve()],
    ["an answer from before the owner connected again", 5_000, reconnect],
    ["an answer from before the owner's new session", 5_000, (world) => welcomeShop(world.services, { shop: SHOP })],
  ] as [string, number, (world: World) => Promise<unknown>][])(
    "is not confirmed by %s",
    async (_title, delayMs, meanwhile) => {
      const { world, end } = await installed();
      world.shopify.uninstall(SHOP);
      await told(world);
      await world.runFor(59_500);
      world.shopify.trouble = () => ({ delayMs, fails: false });
      await world.clock.runFor(2_000);
      world.shopify.install(SHOP);
      world.shopify.trouble = () => ({ delayMs: 0, fails: false });
      await meanwhile(world);
      await world.runFor(2 * MINUTE_MS);
      expect(await connectionOf(world)).toMatchObject({ state: "active" });
      expect((await shopOf(world)).uninstalledAtMs).toBeNull();
      await end();
    },
  );

  test("forgets Shopify's sessions before the service is asked to revoke, so that a new sign-in stays", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(55_000);
    world.outcomeOf = () => ({ arrivesAfterMs: 20, effectAfterMs: null, answer: { kind: "silence" } });
    await world.clock.runFor(10_000);
    expect(world.store.forgotten).toEqual([SHOP]);
    expect((await connectionOf(world)).clientSecret).not.toBeNull();
    await world.runFor(60_000);
    expect(world.store.forgotten).toEqual([SHOP]);
    expect(await connectionOf(world)).toMatchObject(FORGOTTEN);
    await end();
  });

  test("is carried out to its end after a crash in the middle, though no session is left to ask with", async () => {
    const { world, end } = await installed();
    await world.store.shops.update({ shop: SHOP }, { uninstalledAtMs: world.clock.nowMs() });
    await world.store.connections.update({ shop: SHOP }, { state: "disconnected", version: 2 });
    world.shopify.holdSession(SHOP, false);
    await world.requestWork("uninstall", "shop");
    world.services.wake();
    await world.runFor();
    expect(await connectionOf(world)).toMatchObject({ ...FORGOTTEN, version: 2 });
    await end();
  });

  test("and a reinstall: connected again, the old links go on, and nothing is doubled", async () => {
    const { world, end } = await installed();
    world.shopify.uninstall(SHOP);
    await told(world);
    await world.runFor(90_000);
    world.shopify.install(SHOP);
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
    await reconnect(world);
    await world.runFor();
    expect(world.account.templates.size).toBe(1);
    expect(await world.store.links.count({ shop: SHOP })).toBe(1);
    expect((await shopOf(world)).uninstalledAtMs).toBeNull();
    await end();
  });
});

describe("without a webhook", () => {
  test.each([
    ["refuses the token", "shopify_refused", (world: World) => world.shopify.uninstall(SHOP)],
    ["has frozen the shop", "shopify_frozen", (world: World) => world.shopify.freeze(SHOP, true)],
    ["cannot be asked without a session", "shopify_session", (world: World) => world.shopify.holdSession(SHOP, false)],
  ] as const)("Shopify %s: stopped, shown, asked again, never erased", async (_what, why, happen) => {
    const { world, key, end, off } = await installed();
    happen(world);
    await change(world, "Centro");
    await world.runFor(MINUTE_MS);
    expect(await view(world)).toMatchObject({ why });
    const calls = world.calls.length;
    await world.runFor(DAY_MS);
    // No number of days erases it, nor does it hang on how many of them the app was running; a short run has it away for most.
    if (why === "shopify_refused" && IS_WHOLE) await world.runFor(38 * DAY_MS);
    else await off(38 * DAY_MS);
    await world.runFor(DAY_MS);
    expect(world.calls.length).toBe(calls);
    await expectKept(world);
    expect(await view(world)).toMatchObject({ why });

    world.shopify.install(SHOP);
    world.shopify.freeze(SHOP, false);
    world.shopify.holdSession(SHOP, true);
    await world.runFor(16 * MINUTE_MS);
    expect(await view(world)).toBeNull();
    expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
    await expectKept(world);
    await end();
  });

  test("a new session opens the shop at once", async () => {
    const { world, key, end } = await installed();
    world.shopify.uninstall(SHOP);
    await change(world, "Centro");
    await world.runFor(HOUR_MS);
    world.shopify.install(SHOP);
    await world.clock.runWhile(welcomeShop(world.services, { shop: SHOP }));
    await world.runFor(5_000);
    expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
    await end();
  });
});

test.each([true, false])("a visit to a shop that is shut opens it if it brings a new session (%s)", async (brought) => {
  const { world, end } = await installed();
  let asked = 0;
  const newSession = async () => {
    asked += 1;
    return brought;
  };
  await openOnVisit(world.services, { shop: SHOP, newSession });
  expect(asked).toBe(0);
  world.shopify.uninstall(SHOP);
  await change(world, "Centro");
  await world.runFor(MINUTE_MS);
  await openOnVisit(world.services, { shop: SHOP, newSession });
  expect(asked).toBe(1);
  expect((await view(world)) === null).toBe(brought);
  await end();
});

test("what Shopify refused once goes on, though the question whether it lets us in was answered before the run had ended", async () => {
  const { world, key, end } = await installed();
  const { store } = world;
  world.shopify.uninstall(SHOP);
  world.shopify.put(SHOP, shopifyLocation(1, { name: "Centro" }));
  // A process beside the worker runs it, and stands still for some seconds before each of its commits.
  const transaction: typeof store.transaction = async (shop, work) => {
    world.shopify.install(SHOP);
    await world.clock.sleep(3_000);
    return store.transaction(shop, work);
  };
  const slow = { ...world.services, store: { ...store, transaction } };
  const requested = await world.requestWork("location", key);
  const item = (await claimWorkItem(world.services, { workItemId: requested.workItemId, shop: SHOP, owner: "slow" }))!;
  const running = slow.runWorkItem(slow, { item });
  await world.clock.runFor(4_000);
  world.services.wake();
  await world.clock.runWhile(running);
  await world.runFor(MINUTE_MS);
  expect(await world.workItem("location", key)).toMatchObject({ state: "active", reason: null });
  expect(world.templateOf(key)!.alias_name).toMatch(/^Centro /);
  await end();
});

test("a write that was planned before the app/uninstalled came is not sent after it", async () => {
  const { world, end } = await installed();
  await change(world, "Centro");
  const slow = { ...PROMPT, arrivesAfterMs: 3_000 };
  world.outcomeOf = (operation) => (operation === "get" ? slow : { ...slow, arrivesAfterMs: 20 });
  await world.clock.runFor(2_000);
  world.shopify.trouble = () => ({ delayMs: 0, fails: true });
  await told(world);
  await world.runFor(MINUTE_MS);
  expect(world.calls).toContain("get");
  expect(world.calls).not.toContain("update");
  await end();
});
