import { describe, expect, test } from "vitest";
import { refreshAddressBook } from "../../../app/book/refresh-address-book.ts";
import { readHome } from "../../../app/pages/read-home.ts";
import { receiveWebhook } from "../../../app/shop/receive-webhook.ts";
import { SHOP } from "../../fakes/records.ts";
import { mexicanAddress, shopifyLocation } from "../../fakes/world.ts";
import { FAILS, MINUTE_MS, SILENT, staged } from "../worker/stuck-stage.ts";
import type { Stage, Sticks } from "../worker/stuck-stage.ts";
import { openSecondShop, TWO } from "./second-shop.ts";

/** Two shops share an account of which something is stuck: both are served, and each is told of what is its own. */

async function twoShops(clientId: string): Promise<Stage> {
  const stage = await staged(3);
  const { world } = stage;
  await openSecondShop(world, clientId);
  for (let number = 11; number <= 13; number += 1) await world.addLocation(number, {}, TWO);
  await world.requestWork("reconcile", "shop", TWO);
  world.services.wake();
  await world.runFor(4 * MINUTE_MS);
  await world.clock.runWhile(refreshAddressBook(world.services, { shop: TWO, force: true }));
  expect(await world.store.links.count({ shop: TWO })).toBe(3);
  return stage;
}

const STUCK: [string, (stage: Stage) => Sticks][] = [
  [
    "the list",
    () =>
      ({ operation }) =>
        operation === "list",
  ],
  [
    "one GET",
    ({ stuckId }) =>
      ({ operation, templateId }) =>
        operation === "get" && templateId === stuckId,
  ],
  [
    "the token",
    () =>
      ({ operation }) =>
        operation === "token",
  ],
  [
    "the list, the token and one GET",
    ({ stuckId }) =>
      ({ operation, templateId }) =>
        operation === "list" || operation === "token" || (operation === "get" && templateId === stuckId),
  ],
];

describe.each(["client-1", "client-2"])("two shops of one account, the other one on %s", (clientId) => {
  test.each(STUCK)("are both served while %s always fails or is silent", async (what, sticksOf) => {
    for (const outcome of [FAILS, SILENT]) {
      const stage = await twoShops(clientId);
      const { world } = stage;
      stage.stick(sticksOf(stage), outcome);
      await stage.change(0, "901");
      await world.requestWork("reconcile", "shop");
      await world.requestWork("reconcile", "shop", TWO);
      world.services.wake();
      for (let round = 1; round <= 4; round += 1) {
        const number = String(1_000 * round);
        for (const index of [1, 2]) await stage.change(index, number);
        for (const id of [11, 12, 13]) {
          world.shopify.put(TWO, shopifyLocation(id, { address: mexicanAddress({ number }) }));
          const webhook = { topic: "locations/update", webhookId: `two-${id}-${number}`, payload: { id } };
          await receiveWebhook(world.services, { shop: TWO, ...webhook });
        }
        await world.runFor(2 * MINUTE_MS);
        const there = [stage.numberThere(1), stage.numberThere(2)];
        for (const id of [11, 12, 13])
          there.push(world.templateOf(`gid://shopify/Location/${id}`, TWO)?.address.street_number);
        expect(there).toEqual([number, number, number, number, number]);
      }
      await world.runFor(15 * MINUTE_MS);
      for (const shop of [SHOP, TWO]) {
        const { troubles, needs } = (await readHome(world.services, { shop }))!;
        expect(troubles.map(({ trouble }) => trouble)).toEqual(what.includes("the list") ? ["book"] : []);
        // The location that it stands for is the first shop's alone.
        const isTold = what.includes("one GET") && shop === SHOP;
        expect(needs.map(({ need }) => need)).toEqual(isTold ? ["parked"] : []);
      }
      await world.clock.runWhile(stage.worker.stop());
    }
  });
});
