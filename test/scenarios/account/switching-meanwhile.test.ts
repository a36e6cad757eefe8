import { describe, expect, test } from "vitest";
import { readJob } from "../../../app/jobs/read-job.ts";
import { startJob } from "../../../app/jobs/start-job.ts";
import { readSettings } from "../../../app/pages/read-settings.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { welcomeShop } from "../../../app/shop/welcome-shop.ts";
import { createSeededRandom } from "../../fakes/random.ts";
import { locationRecord, SHOP } from "../../fakes/records.ts";
import { shopifyLocation } from "../../fakes/world.ts";
import type { World } from "../../fakes/world.ts";
import { both, connectTo, current, MINUTE_MS, switchTo } from "./both-stage.ts";

/** The other environment is taken up while a bulk action runs, and where the shop has left. */

const ORIGINS = 12;

/** A bulk action for twelve further locations. */
async function startMany(world: World, kind: "sync" | "verify"): Promise<string[]> {
  const locationIds: string[] = [];
  for (let number = 2; number < 2 + ORIGINS; number += 1) {
    locationIds.push(await world.addLocation(number));
    await world.store.locations.insert(locationRecord({ ...shopifyLocation(number), shop: SHOP }));
  }
  if (kind === "verify") {
    for (const environment of ["production", "test"] as const) {
      await switchTo(world, environment);
      for (const key of locationIds) await world.requestWork("location", key);
      world.services.wake();
      await world.runFor(5 * MINUTE_MS);
    }
    expect(await world.store.links.count({ shop: SHOP })).toBe(2 * (1 + ORIGINS));
  }
  world.calls.length = 0;
  const carriers = kind === "verify" ? ["dhl"] : null;
  expect(await startJob(world.services, { shop: SHOP, kind, carriers, locationIds })).toMatchObject({
    kind: "started",
  });
  return locationIds;
}

describe.each([1, 2, 3])("switching while a bulk action runs, story %d", (seed) => {
  test("what is to be saved is saved in the account in use, once, and the other catches up on the way back", async () => {
    const { world, live, end } = await both();
    const random = createSeededRandom(seed);
    const keys = await startMany(world, "sync");
    await world.clock.runFor(random.between(1, 6) * 1_000);
    const made = world.account.templates.size;
    expect(made).toBeLessThan(1 + ORIGINS);
    expect(await switchTo(world, "production")).toEqual({ kind: "switched" });
    await world.runFor(10 * MINUTE_MS);
    // One create may have been under way.
    expect(world.account.templates.size - made).toBeLessThanOrEqual(2);
    expect(live.templates.size).toBe(1 + ORIGINS);
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ state: "done", waiting: 0, failed: 0 });
    const { id } = await current(world);
    expect(await world.store.links.count({ shop: SHOP, connectionId: id, locationId: { in: keys } })).toBe(ORIGINS);
    await switchTo(world, "test");
    await world.runFor(10 * MINUTE_MS);
    expect([world.account.templates.size, live.templates.size]).toEqual([1 + ORIGINS, 1 + ORIGINS]);
    expect([world.account.duplicates(), live.duplicates()]).toEqual([0, 0]);
    await end();
  });

  test("carriers are asked of the account in use alone, and the bulk action ends", async () => {
    const { world, live, end } = await both();
    const random = createSeededRandom(seed);
    await startMany(world, "verify");
    await world.clock.runFor(random.between(1, 5) * 1_000);
    const asked = () =>
      [world.account, live].map(({ templates }) =>
        [...templates.values()].flatMap(({ verified_carriers }) =>
          verified_carriers.map(({ carrier_name }) => carrier_name),
        ),
      );
    const [before] = asked();
    expect(before!.length).toBeLessThan(ORIGINS);
    expect(await switchTo(world, "production")).toEqual({ kind: "switched" });
    await world.runFor(10 * MINUTE_MS);
    // One question may have been under way.
    expect(asked()[0]!.length - before!.length).toBeLessThanOrEqual(2);
    expect(await readJob(world.services, { shop: SHOP })).toMatchObject({ state: "done", waiting: 0 });
    for (const account of [world.account, live]) expect(account.templates.size).toBe(1 + ORIGINS);
    await end();
  });
});

test("after the shop has left no account can be taken up, nobody is asked, and it comes back with new credentials alone", async () => {
  const { world, live, end } = await both();
  const links = await world.store.links.list({ shop: SHOP }, { orderBy: { id: "asc" } });
  world.shopify.uninstall(SHOP);
  const topic = "app/uninstalled";
  await receiveWebhook(world.services, { shop: SHOP, topic, webhookId: "gone", payload: { myshopify_domain: SHOP } });
  await world.runFor(2 * MINUTE_MS);
  world.calls.length = 0;
  expect(await switchTo(world, "production")).toEqual({ kind: "none" });
  world.shopify.install(SHOP);
  await welcomeShop(world.services, { shop: SHOP });
  await world.runFor(MINUTE_MS);
  expect((await readSettings(world.services, { shop: SHOP }))!.frozen).toBeNull();
  expect(await switchTo(world, "production")).toEqual({ kind: "none" });
  expect(world.calls).toEqual([]);
  expect(await connectTo(world, "production")).toEqual({ kind: "connected" });
  // Of the test account no secret is left.
  expect((await readSettings(world.services, { shop: SHOP }))!.frozen).toBeNull();
  expect(await switchTo(world, "test")).toEqual({ kind: "none" });
  expect(await connectTo(world, "test")).toEqual({ kind: "connected" });
  expect(await switchTo(world, "production")).toEqual({ kind: "switched" });
  await world.runFor(3 * MINUTE_MS);
  expect(await world.store.links.list({ shop: SHOP }, { orderBy: { id: "asc" } })).toMatchObject(
    links.map(({ connectionId, templateId }) => ({ connectionId, templateId })),
  );
  expect([world.account.templates.size, live.templates.size]).toEqual([1, 1]);
  await end();
});
