import { describe, expect, test } from "vitest";
import { AppError } from "../../../app/domain/errors.ts";
import { SHOP } from "../../fakes/records.ts";
import { homeOf, HOUR_MS, MINUTE_MS, staged } from "../worker/stuck-stage.ts";

/** Shopify lets the app into the shop, and refuses one query for good, as where a scope is missing. */

async function denied(what: readonly ("location" | "locations")[]) {
  const stage = await staged(3);
  const { world, keys } = stage;
  const { shopify } = world.services;
  const { location, locations } = shopify;
  const asked = { refused: 0, standing: 0 };
  let isDenied = true;
  const refuse = (): never => {
    asked.refused += 1;
    throw new AppError({ kind: "shopify_refused", message: "Access denied", effect: "none" });
  };
  world.services.shopify = {
    ...shopify,
    location: async (shop, id) =>
      isDenied && what.includes("location") && id === keys[0] ? refuse() : location(shop, id),
    locations: async (shop) => (isDenied && what.includes("locations") ? refuse() : locations(shop)),
    standing: (shop) => {
      asked.standing += 1;
      return shopify.standing(shop);
    },
  };
  return { ...stage, asked, grant: () => void (isDenied = false) };
}

describe.each([[["location"]], [["location", "locations"]]] as const)("where it refuses %j alone", (what) => {
  test("that counts as a failure, is asked seldom, and is told", async () => {
    const stage = await denied(what);
    const { world, keys, asked } = stage;
    await stage.change(0, "900");
    if (what.length > 1) await world.requestWork("reconcile", "shop");
    const sinceMs = world.clock.nowMs();
    await world.runFor(15 * MINUTE_MS);
    const home = await homeOf(stage);
    expect(home.needs).toMatchObject([{ need: "parked", failure: { code: "shopify_refused" } }]);
    expect(home.troubles.map(({ trouble }) => trouble)).toEqual(what.length > 1 ? ["locations"] : []);
    expect((await world.workItem("location", keys[0]!)).failures).toBeGreaterThanOrEqual(5);
    expect(asked.refused).toBeLessThanOrEqual(30);
    expect(asked.standing).toBeLessThanOrEqual(30);
    expect(world.requests.filter(({ atMs }) => atMs >= sinceMs).length).toBeLessThanOrEqual(5);
    await world.clock.runWhile(stage.worker.stop());
  });

  test("the others go on, and it does once Shopify allows it", async () => {
    const stage = await denied(what);
    const { world, keys } = stage;
    await stage.change(0, "900");
    await world.runFor(5 * MINUTE_MS);
    await stage.change(1, "901");
    await world.runFor(10_000);
    expect(stage.numberThere(1)).toBe("901");
    stage.grant();
    await world.runFor(HOUR_MS);
    expect(stage.numberThere(0)).toBe("900");
    expect(await world.workItem("location", keys[0]!)).toMatchObject({ failures: 0, failingSinceMs: null });
    expect(await world.store.shops.find({ shop: SHOP })).toMatchObject({ access: "open" });
    await world.clock.runWhile(stage.worker.stop());
  });
});
