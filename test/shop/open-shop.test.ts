import { expect, test } from "vitest";
import { openShop } from "../../app/shop/open-shop.ts";
import { SHOP } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";

test("what Shopify's refusal had stopped goes on at once, before the address book is read; what a person must mend stays", async () => {
  const world = await createWorld();
  const codes = ["shopify_refused", "shopify_frozen", "shopify_session", "uninstall_told", "incomplete"] as const;
  const keys: string[] = [];
  for (const [index, code] of codes.entries()) {
    const key = await world.addLocation(index + 1);
    await world.requestWork("location", key);
    const reason = { code, message: null, fields: null, requestId: null, atMs: 0 };
    await world.store.workItems.update(
      { shop: SHOP, kind: "location", key },
      { observedGeneration: 1, state: "blocked", reason },
    );
    keys.push(key);
  }
  await world.store.transaction(SHOP, (tables) => openShop(world.services, tables, { shop: SHOP }));
  const states = await Promise.all(keys.map(async (key) => (await world.workItem("location", key)).state));
  expect(states).toEqual(["active", "active", "active", "active", "blocked"]);
});
