import { expect, test } from "vitest";
import { previewSync } from "../../app/sync/preview-sync.ts";
import { runNow } from "../../app/runs/run-now.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld, mexicanAddress, shopifyLocation } from "../fakes/world.ts";

test("a preview says what would be created, linked, updated, left and blocked, and asks the service nothing", async () => {
  const world = await createWorld();
  const linked = await world.addLocation(1);
  const requested = await world.requestWork("location", linked);
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...requested }));
  const address = {
    street1: "Avenida Vallarta",
    street_number: "104",
    area_level3: "Americana",
    postal_code: "44160",
    country_code: "MX",
  };
  world.account.byPerson.add({ alias_name: "Ya estaba", address_type: "from", address_attributes: address });
  for (const [number, over] of [
    [2, {}],
    [3, { isActive: false }],
    [4, {}],
    [5, {}],
  ] as const)
    await world.addLocation(number, over);
  await world.store.shops.update(
    { shop: SHOP },
    { policies: { ...(await world.store.shops.find({ shop: SHOP }))!.policies, syncOn: false } },
  );
  const look = await world.requestWork("reconcile", "shop");
  world.shopify.put(SHOP, shopifyLocation(1, { address: mexicanAddress({ number: "777" }) }));
  await world.clock.runWhile(runNow(world.services, { shop: SHOP, ...look }));
  await world.store.shops.update(
    { shop: SHOP },
    { policies: { ...(await world.store.shops.find({ shop: SHOP }))!.policies, syncOn: true } },
  );
  await world.store.details.update({ locationId: "gid://shopify/Location/5" }, { confirmedAtMs: null });
  world.calls.length = 0;
  const previews = await previewSync(world.services, { shop: SHOP });
  const said = Object.fromEntries(
    previews.map(({ locationId, action, reason }) => [locationId.split("/").at(-1), [action, reason]]),
  );
  expect(said).toEqual({
    1: ["update", null],
    2: ["create", null],
    3: ["leave", null],
    4: ["link", "adoption_choice"],
    5: ["blocked", "unconfirmed"],
  });
  expect(previews.find(({ action }) => action === "update")!.sends).toEqual({
    address_attributes: { street_number: "777" },
  });
  const [proposal] = previews.find(({ action }) => action === "link")!.proposals;
  expect(proposal).toMatchObject({ aliasName: "Ya estaba", how: "equal" });
  expect(await previewSync(world.services, { shop: SHOP, locationIds: [linked] })).toHaveLength(1);
  expect(await previewSync(world.services, { shop: "nobody.myshopify.com" })).toEqual([]);
  expect(world.calls).toEqual([]);
});
