import { describe, expect, test } from "vitest";
import { receiveWebhook } from "../../app/shop/receive-webhook.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";
import type { World } from "../fakes/world.ts";

/** What the budget of two requests a second is spent on. */

async function webhook(world: World, locationId: string, webhookId: string, topic = "locations/update") {
  await receiveWebhook(world.services, {
    shop: SHOP,
    topic,
    webhookId,
    payload: { id: Number(locationId.split("/").at(-1)) },
  });
}

async function accountOf(world: World, templates: number) {
  for (let stranger = 0; stranger < templates; stranger += 1) {
    world.account.byPerson.add({
      alias_name: `Proveedor ${stranger}`,
      address_type: "from",
      address_attributes: { street1: "Calle", postal_code: "20000", country_code: "MX" },
    });
  }
}

describe("the first sync", () => {
  test.each([
    [1, 0, 1],
    [5, 3, 1],
    [30, 20, 1],
    [12, 21, 2],
    [60, 95, 5],
  ])(
    "of %d locations into an account with %d templates costs %d lists and a create each",
    async (locations, templates, lists) => {
      const world = await createWorld();
      await world.store.connections.update({ shop: SHOP }, { bookReadAtMs: null });
      await accountOf(world, templates);
      for (let number = 1; number <= locations; number += 1) await world.addLocation(number);
      const worker = world.start();
      await world.runFor(120_000);
      const counts = Map.groupBy(world.calls, (call) => call);
      expect(counts.get("list")?.length).toBe(lists);
      expect(counts.get("create")?.length).toBe(locations);
      expect(world.calls.length).toBe(lists + locations);
      expect(world.account.templates.size).toBe(locations + templates);
      expect(await world.store.links.count({ shop: SHOP })).toBe(locations);
      await world.clock.runWhile(worker.stop());
    },
  );
});

describe("afterwards", () => {
  async function synced() {
    const world = await createWorld();
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.runFor();
    world.calls.length = 0;
    return { world, key, worker };
  }

  test("a webhook that changes nothing we send costs no call", async () => {
    const { world, key, worker } = await synced();
    for (let number = 0; number < 20; number += 1) await webhook(world, key, `w${number}`);
    await world.runFor();
    expect(world.calls).toEqual([]);
    await world.clock.runWhile(worker.stop());
  });

  test("a change costs one GET and one PATCH, however many webhooks tell of it", async () => {
    const { world, key, worker } = await synced();
    world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
    for (const topic of ["locations/update", "locations/activate", "locations/update"])
      await webhook(world, key, `${topic} ${Math.random()}`, topic);
    await world.runFor();
    expect(world.calls).toEqual(["get", "update"]);
    await world.clock.runWhile(worker.stop());
  });

  test("a reconcile of what is in order costs its lists", async () => {
    const { world, worker } = await synced();
    await world.requestWork("reconcile", "shop");
    world.services.wake();
    await world.runFor();
    expect(world.calls).toEqual(["list"]);
    await world.clock.runWhile(worker.stop());
  });

  test("with the policy to verify, the change is verified with all carriers in one call", async () => {
    const world = await createWorld({ policies: { verifyAfterChange: true, carriers: ["fedex", "dhl", "estafeta"] } });
    const key = await world.addLocation(1);
    const worker = world.start();
    await world.runFor(3_000);
    expect(world.calls.slice(0, 3)).toEqual(["list", "create", "verify"]);
    expect(await world.store.verifications.count({ shop: SHOP, outcome: "pending" })).toBe(3);
    world.calls.length = 0;
    world.shopify.put(SHOP, shopifyLocation(1, { name: "Otro nombre" }));
    await webhook(world, key, "w");
    await world.runFor(3_000);
    expect(world.calls.filter((call) => call !== "get")).toEqual(["update"]);
    await world.clock.runWhile(worker.stop());
  });
});
