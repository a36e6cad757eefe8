import { expect, test } from "vitest";
import { scheduleReconciles } from "../../app/shop/schedule-reconciles.ts";
import { countStatements, MOST_STATEMENTS } from "../fakes/counted-store.ts";
import { shopRecord } from "../fakes/records.ts";
import { createWorld } from "../fakes/world.ts";

const SHOPS = 1_000;

test("at boot a thousand shops are asked for in a few short transactions, each once and spread over ten minutes", async () => {
  const world = await createWorld();
  const { store } = world;
  const names = Array.from({ length: SHOPS }, (_one, index) => `shop-${index}.myshopify.com`);
  for (const shop of names) await store.shops.insert(shopRecord({ shop }));
  // One that a process before asked for, and one that failed.
  await scheduleReconciles(world.services);
  await store.workItems.update({ shop: names[3]!, kind: "reconcile" }, { failures: 4, state: "blocked" });
  const before = await store.workItems.list({ kind: "reconcile" });

  const counted = countStatements(store);
  await scheduleReconciles({ ...world.services, store: counted.store });
  expect(counted.transactions()).toBeLessThan(SHOPS / 20);
  expect(counted.mostStatements()).toBeLessThanOrEqual(MOST_STATEMENTS);

  const after = await store.workItems.list({ kind: "reconcile" });
  expect(after).toHaveLength(before.length);
  const generations = new Map(before.map(({ shop, generation }) => [shop, generation]));
  for (const { shop, generation } of after) expect(generation).toBe(generations.get(shop)! + 1);
  const [blocked] = await store.workItems.list({ shop: names[3]!, kind: "reconcile" });
  expect(blocked).toMatchObject({ failures: 0, state: "active" });
  const due = after.map(({ dueAtMs }) => dueAtMs - world.clock.nowMs());
  expect(Math.max(...due)).toBeLessThanOrEqual(10 * 60_000);
  expect(new Set(due).size).toBeGreaterThan(SHOPS / 2);
});
